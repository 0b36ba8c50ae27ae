// @ts-check
// The last events, in a buffer that does not grow, and how one of them looks.
import {h} from '../shared/dom.js';
import {fold} from '../shared/frame.js';
import {text} from '../shared/text-inspect.js';

/** How many events are kept. */
export const KEPT = 300;
/** Longer lines are cut: a snapshot may be megabytes. */
const LONGEST = 4000;

/** @typedef {{number: number, at: number, id: string, name: string, data: string, lines: string[], node?: any, rawNode?: any}} Row */

export class Ring {
  /** @type {Row[]} The newest last. */
  rows = [];
  /** How many came, of which the buffer has the last. */
  count = 0;

  /** @param {{id: string, name: string, data: string, lines: string[]}} event */
  add({id, name, data, lines}) {
    this.rows.push({number: ++this.count, at: Date.now(), id, name, data: cut(data), lines: lines.map(cut)});
    if (this.rows.length >= 2 * KEPT) this.rows = this.rows.slice(-KEPT);
  }

  clear() {
    this.rows = [];
    this.count = 0;
  }
}

/** @param {string} line */
const cut = line => (line.length > LONGEST ? line.slice(0, LONGEST) + text.inspect.cut(line.length - LONGEST) : line);

/** @param {Row} row
 * @param {string} words In small letters. @param {string} name */
export const passes = (row, words, name) => (!name || row.name === name) && (!words || row.lines.some(line => line.toLowerCase().includes(words)));

const clock = new Intl.DateTimeFormat(text.language, {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23'});

/** @param {Row} row */
function decoded(row) {
  try {
    return JSON.parse(row.data);
  } catch {
    return null;
  }
}

/** What an event is about, in a line.
 * @param {any} data @param {string} name */
function subject(data, name) {
  if (!data) return '';
  const names = data.for?.map((/** @type {any} */ target) => `${target.name}: ${target.event}${target.reason ? ` (${target.reason})` : ''}`) ?? (data.name ? [data.name] : []);
  return [data.change !== name && data.change, data.resource, data.reason, names.join(', '), data.fields?.length ? text.inspect.fields(data.fields.join(', ')) : ''].filter(Boolean).join(' · ');
}

/** @param {Row} row
 * @param {boolean} isRaw @returns {VNode} */
export function rowView(row, isRaw) {
  const head = (/** @type {any[]} */ ...about) => h('div', {class: 'line'},
    h('span', {class: 'at numbers'}, clock.format(row.at)), h('strong', {class: 'name'}, row.name), ...about, h('code', {class: 'id'}, row.id));
  if (isRaw) {
    row.rawNode ??= h('li', {key: row.number}, head(), h('pre', null, row.lines.join('\n')));
    return row.rawNode;
  }
  if (!row.node) {
    const data = decoded(row);
    const about = subject(data, row.name);
    const value = data ? JSON.stringify(data.value ?? data, null, 2) : row.data;
    row.node = h('li', {key: row.number},
      head(about && h('span', {class: 'about'}, about), data?.id && h('code', {class: 'about'}, data.id)),
      value && fold({}, data?.value ? text.inspect.value : text.inspect.data, () => h('pre', null, value)));
  }
  return row.node;
}
