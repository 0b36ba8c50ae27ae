/**
 * A parser of text/event-stream (WHATWG HTML, 9.2.6) that also gives the raw lines, which EventSource does not.
 * @typedef {{id: string, name: string, data: string, lines: string[]}} StreamEvent
 * @typedef {{event: (event: StreamEvent) => void, comment: (line: string) => void, retry: (milliseconds: number) => void}} Sink
 */
export class EventParser {
  #rest = '';
  #isFirst = true;
  #name = '';
  /** @type {string[]} */ #data = [];
  /** @type {string[]} */ #lines = [];
  lastID = '';

  /** @param {Sink} sink */
  constructor(sink) {
    this.sink = sink;
  }

  /** Takes the next piece of the response, of any length.
   * @param {string} text */
  push(text) {
    let all = this.#rest + text;
    if (this.#isFirst && all) {
      this.#isFirst = false;
      if (all.startsWith('\uFEFF')) all = all.slice(1);
    }
    let start = 0;
    const ends = /\r\n|\r|\n/g;
    for (let end = ends.exec(all); end; end = ends.exec(all)) {
      // A carriage return at the end of a piece may be half of a line end.
      if (end[0] === '\r' && ends.lastIndex === all.length) break;
      this.#line(all.slice(start, end.index));
      start = ends.lastIndex;
    }
    this.#rest = all.slice(start);
  }

  /** @param {string} line */
  #line(line) {
    if (line === '') return this.#dispatch();
    this.#lines.push(line);
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.sink.comment(line);
      this.#lines.pop();
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.lastID = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.sink.retry(Number(value));
  }

  /** An event without data moves the cursor only (`bookmark`); the inspector shows it all the same. */
  #dispatch() {
    if (this.#lines.length) this.sink.event({id: this.lastID, name: this.#name || 'message', data: this.#data.join('\n'), lines: this.#lines});
    this.#name = '';
    this.#data = [];
    this.#lines = [];
  }
}
