// @ts-check
// An event stream over fetch, which shows the lines as they come, and opens again behind the last event when it breaks.
import {refusal} from '../shared/api.js';
import {EventParser} from './sse.js';

/** @typedef {'idle' | 'connecting' | 'live' | 'waiting' | 'ended'} State */

export class Connection {
  /** @type {State} */
  state = 'idle';
  /** Why it ended, in sentences.
   * @type {string[]} */
  sentences = [];
  /** The status of the answer that ended it. */
  status = 0;
  lastID = '';
  url = '';
  heardAt = 0;
  bytes = 0;
  #retry = 2000;
  #failures = 0;
  /** Aborted when another connection takes the place of this one. */
  #run = new AbortController();
  /** Aborted when the connection is to break and come back. */
  #attempt = new AbortController();

  /** @param {import('./sse.js').Sink['event']} onEvent
   * @param {import('./sse.js').Sink['comment']} onComment @param {() => void} changed */
  constructor(onEvent, onComment, changed) {
    this.onEvent = onEvent;
    this.onComment = onComment;
    this.changed = changed;
  }

  /** @param {string} url */
  start(url) {
    this.stop();
    Object.assign(this, {url, lastID: '', bytes: 0, heardAt: 0, sentences: [], status: 0});
    this.#retry = 2000;
    this.#failures = 0;
    this.#follow(this.#run);
  }

  stop() {
    this.#run.abort();
    this.#attempt.abort();
    this.#run = new AbortController();
    this.#become('idle');
  }

  /** Ends the connection as a failing network would. */
  break() {
    this.#attempt.abort();
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    this.changed();
  }

  /** @param {AbortController} run */
  async #follow(run) {
    while (!run.signal.aborted) {
      this.#become('connecting');
      this.#attempt = new AbortController();
      try {
        if (!await this.#read()) return void this.#become('ended');
      } catch {
        // The network, or the button that breaks the connection.
      }
      if (run.signal.aborted) return;
      this.#become('waiting');
      const wait = this.#retry * 2 ** Math.min(this.#failures++, 4);
      await new Promise(done => setTimeout(done, Math.min(wait, 30_000)));
    }
  }

  /** Reads one response to its end. Returns false where there is nothing to come back for. */
  async #read() {
    /** @type {Record<string, string>} */
    const headers = {Accept: 'text/event-stream'};
    if (this.lastID) headers['Last-Event-ID'] = this.lastID;
    const response = await fetch(this.url, {headers, cache: 'no-store', signal: this.#attempt.signal});
    const isStream = response.ok && /^text\/event-stream/.test(response.headers.get('Content-Type') ?? '');
    if (!isStream || !response.body) {
      const problem = await response.json().catch(() => null);
      this.status = response.status;
      this.sentences = response.ok ? [] : refusal(response.status, problem, response.headers.get('Retry-After')).sentences;
      return response.status === 429 || response.status >= 500;
    }
    this.#failures = 0;
    this.heardAt = Date.now();
    this.#become('live');
    const parser = new EventParser({
      event: event => {
        this.lastID = event.id;
        this.onEvent(event);
      },
      comment: this.onComment,
      retry: milliseconds => { this.#retry = milliseconds; },
    });
    parser.lastID = this.lastID;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      this.heardAt = Date.now();
      this.bytes += piece.value.length;
      parser.push(decoder.decode(piece.value, {stream: true}));
    }
    return true;
  }
}
