// A ring buffer of the last events, and the view of an event.
import {h} from '../shared/dom.js';
import {fold} from '../shared/fold.js';
import {common} from '../text/common.js';
import {inspect} from '../text/inspect.js';

/** The maximum events, and characters of a line: a snapshot may be megabytes. */
export const KEPT = 300;
const LONGEST = 4000;

export class Ring {
  /** @type {EventRow[]} The newest last. */
  rows = [];
  /** The number of events received. */
  count = 0;

  /** @param {StreamEvent} event */
  add({id, name, data, lines}) {
    this.rows.push({number: ++this.count, at: Date.now(), id, name, data: cut(data), lines: lines.map(cut)});
    if (this.rows.length >= 2 * KEPT) this.rows = this.rows.slice(-KEPT);
  }
}

/** @param {string} line */
const cut = line => (line.length > LONGEST ? line.slice(0, LONGEST) + inspect.cut(line.length - LONGEST) : line);

/** @param {{name: string, lines: string[]}} row @param {string} words In lower case. @param {string} name */
export const passes = (row, words, name) =>
  (!name || row.name === name) && (!words || row.lines.some(line => line.toLowerCase().includes(words)));

const clock = new Intl.DateTimeFormat(common.language, {timeStyle: 'medium', hourCycle: 'h23'});

/** The subject of an event, in a line.
 * @param {any} data @param {string} name */
function subject({change, resource, reason, name: of, fields, for: targets}, name) {
  const names = targets?.map((/** @type {any} */ to) => `${to.name}: ${to.event}${to.reason ? ` (${to.reason})` : ''}`).join(', ') ?? of;
  const changed = fields?.length && inspect.fields(fields.join(', '));
  return [change !== name && change, resource, reason, names, changed].filter(Boolean).join(' · ');
}

/** @param {EventRow} row @param {boolean} isRaw @returns {VNode} */
export function rowView(row, isRaw) {
  const head = (/** @type {any[]} */ ...about) => h('div', {class: 'line'},
    h('span', {class: 'at numbers'}, clock.format(row.at)), h('strong', {class: 'name'}, row.name), about,
    h('code', {class: 'id'}, row.id));
  if (isRaw) return (row.rawNode ??= h('li', {key: row.number}, head(), h('pre', null, row.lines.join('\n'))));
  if (row.node) return row.node;
  let data = null;
  try {
    data = JSON.parse(row.data);
  } catch {
    // Cut JSON.
  }
  const value = data ? JSON.stringify(data.value ?? data, null, 2) : row.data;
  const about = data && subject(data, row.name);
  return (row.node = h('li', {key: row.number},
    head(about && h('span', {class: 'about'}, about), data?.id && h('code', {class: 'about'}, data.id)),
    value && fold({}, data?.value ? inspect.value : inspect.data, () => h('pre', null, value))));
}
