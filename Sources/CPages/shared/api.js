// Requests to the server, and its refusals as sentences.
import {common} from '../text/common.js';

/** A refusal, with sentences for people; `fields` has those about one member of the body, by JSON pointer. */
export class Refusal extends Error {
  /** @param {number} status 0 without a response. @param {string[]} sentences @param {Record<string, string>} [fields]
   * @param {any} [problem] */
  constructor(status, sentences, fields = {}, problem = null) {
    super(sentences.join(' '));
    this.status = status;
    this.sentences = sentences;
    this.fields = fields;
    this.problem = problem;
  }
}

/** The log's epoch, which entity tags begin with. Every response and event has it. */
let epoch = '';

/** Stores the epoch of a cursor or an entity tag.
 * @param {string | null | undefined} cursor */
export function noteEpoch(cursor) {
  const found = cursor?.match(/^"?([0-9a-f]+)-/);
  if (found) epoch = found[1];
}

/** Returns the `If-Match` field for a value's known version; {} while no epoch is known.
 * @param {{version: number} | null | undefined} value */
export function ifMatch(value) {
  /** @type {Record<string, string>} */
  const fields = {};
  if (value && value.version > 0 && epoch) fields['If-Match'] = `"${epoch}-${value.version}"`;
  return fields;
}

/** Called when the session has ended (401).
 * @type {(() => void) | null} */
let ended = null;
/** @param {() => void} act */
export function onSessionEnd(act) {
  ended = act;
}
export function sessionEnded() {
  ended?.();
}

/** The address of the sign-in page, which then returns to `to` (a path of this origin).
 * @param {string} to */
export function signInAddress(to) {
  return to === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(to)}`;
}

/**
 * Sends a request. Returns the body: JSON, text, or null.
 * @param {string} method @param {string} url @param {any} [body] JSON; a Blob is sent as is
 * @param {{headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean}} [options]
 * @returns {Promise<any>}
 */
export async function request(method, url, body, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {Accept: 'application/json', ...options.headers};
  const isRaw = body instanceof Blob;
  if (body !== undefined && !headers['Content-Type']) {
    headers['Content-Type'] = isRaw ? body.type : method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  }
  let answer, said;
  try {
    answer = await fetch(url, {
      method, headers, cache: 'no-store', signal: options.signal, keepalive: options.keepalive,
      body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
    });
    said = await answer.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal(0, [common.noAnswer]);
  }
  noteEpoch(answer.headers.get('ETag'));
  const isJSON = /json/.test(answer.headers.get('Content-Type') ?? '');
  const value = said && isJSON ? JSON.parse(said) : said || null;
  if (answer.ok) return value;
  if (answer.status === 401 && !url.startsWith('/v1/sessions')) ended?.();
  throw refusal(answer.status, isJSON ? value : null, answer.headers.get('Retry-After'));
}

/** @param {number} status @param {any} problem @param {string | null} [retryAfter] */
export function refusal(status, problem, retryAfter) {
  /** @type {Record<string, string>} */
  const fields = {};
  const sentences = [];
  for (const {pointer, detail} of problem?.violations ?? []) {
    const name = pointer.split('/')[1] ?? '';
    const label = common.fields[name] ?? name;
    const sentence = common.violation(label, detail);
    fields[pointer] = fields[pointer] ? `${fields[pointer]} ${sentence}` : sentence;
    sentences.push(sentence);
  }
  if (!sentences.length) {
    if (status === 412) sentences.push(common.changedMeanwhile);
    else if (status === 404 || status === 410) sentences.push(common.notHere);
    else if (status >= 500 && !problem?.detail) sentences.push(common.noAnswer);
    else sentences.push(problem?.detail ?? common.refused);
  }
  if (status === 429 && retryAfter) sentences.push(common.tryAgainIn(Number(retryAfter)));
  return new Refusal(status, sentences, fields, problem);
}
