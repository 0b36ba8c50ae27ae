// An event stream over fetch: unlike EventSource it has the raw lines. It reconnects after the last event.
import {refusal} from '../shared/api.js';

/** A parser of text/event-stream (WHATWG HTML, 9.2.6). */
export class Parser {
  rest = '';
  name = '';
  /** @type {string[]} */ data = [];
  /** @type {string[]} */ lines = [];

  /** @param {string} lastID @param {(event: StreamEvent) => void} onEvent @param {(milliseconds: number) => void} onRetry */
  constructor(lastID, onEvent, onRetry) {
    this.lastID = lastID;
    this.onEvent = onEvent;
    this.onRetry = onRetry;
  }

  /** @param {string} text The next piece of any length. */
  push(text) {
    const all = this.rest + text;
    // A carriage return at the end of a piece may be half of a line end.
    const lines = all.split(/\r\n|\n|\r(?!$)/);
    this.rest = /** @type {string} */ (lines.pop());
    for (const line of lines) this.line(line);
  }

  /** @param {string} line */
  line(line) {
    if (line.startsWith(':')) return;
    if (line !== '') {
      this.lines.push(line);
      const [, field, value] = /** @type {RegExpMatchArray} */ (line.match(/^([^:]*):? ?([^]*)$/));
      if (field === 'event') this.name = value;
      else if (field === 'data') this.data.push(value);
      else if (field === 'id' && !value.includes('\0')) this.lastID = value;
      else if (field === 'retry' && /^\d+$/.test(value)) this.onRetry(Number(value));
      return;
    }
    const {lastID: id, name, data, lines} = this;
    if (lines.length) this.onEvent({id, name: name || 'message', data: data.join('\n'), lines});
    Object.assign(this, {name: '', data: [], lines: []});
  }
}

export class Connection {
  /** @type {'idle' | 'connecting' | 'live' | 'waiting' | 'ended'} */
  state = 'idle';
  /** @type {string[]} The reasons for its end. */
  sentences = [];
  status = 0;
  url = '';
  lastID = '';
  bytes = 0;
  heardAt = 0;
  retry = 2000;
  failures = 0;
  /** Aborted when another connection replaces this one. */
  run = new AbortController();
  /** Aborted to reconnect. */
  attempt = new AbortController();

  /** @param {(event: StreamEvent) => void} onEvent @param {() => void} changed */
  constructor(onEvent, changed) {
    this.onEvent = onEvent;
    this.changed = changed;
  }

  /** @param {string} url */
  start(url) {
    this.stop();
    Object.assign(this, {url, lastID: '', bytes: 0, heardAt: 0, sentences: [], status: 0, retry: 2000, failures: 0});
    this.follow(this.run);
  }

  stop() {
    this.run.abort();
    this.attempt.abort();
    this.run = new AbortController();
    this.become('idle');
  }

  /** @param {Connection['state']} state */
  become(state) {
    this.state = state;
    this.changed();
  }

  /** @param {AbortController} run */
  async follow(run) {
    while (!run.signal.aborted) {
      this.become('connecting');
      this.attempt = new AbortController();
      // The network failed, or the button broke the connection.
      const isWanted = await this.read().catch(() => true);
      if (run.signal.aborted) return;
      this.become(isWanted ? 'waiting' : 'ended');
      if (!isWanted) return;
      await new Promise(done => setTimeout(done, Math.min(this.retry * 2 ** Math.min(this.failures++, 4), 30_000)));
    }
  }

  /** Reads one response to its end. Returns whether to reconnect. */
  async read() {
    const headers = {Accept: 'text/event-stream', ...(this.lastID && {'Last-Event-ID': this.lastID})};
    const response = await fetch(this.url, {headers, cache: 'no-store', signal: this.attempt.signal});
    const type = response.headers.get('Content-Type') ?? '';
    if (!response.ok || !response.body || !type.startsWith('text/event-stream')) {
      this.status = response.status;
      const problem = await response.json().catch(() => null);
      if (!response.ok) this.sentences = refusal(response.status, problem, response.headers.get('Retry-After')).sentences;
      return response.status === 429 || response.status >= 500;
    }
    Object.assign(this, {failures: 0, heardAt: Date.now()});
    this.become('live');
    const parser = new Parser(this.lastID, event => {
      this.lastID = event.id;
      this.onEvent(event);
    }, milliseconds => (this.retry = milliseconds));
    const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      this.heardAt = Date.now();
      this.bytes += piece.value.length;
      parser.push(decoder.decode(piece.value, {stream: true}));
    }
    return true;
  }
}
