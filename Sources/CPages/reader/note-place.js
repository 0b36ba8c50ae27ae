// Positions in a book, as labels and in forms; and the text of notes, in the part of Markdown that people type.
import {h} from '../shared/dom.js';
import {number, percent} from '../shared/format.js';
import {clubs as say} from '../text/clubs.js';


/** The context of positions in a book: its chapters, and the edition of the reader's reading.
 * @type {View} */
export const guide = state => ({chapters: (state.get('chapters')?.chapters ?? []).map((/** @type {any} */ {title,
  label}) => title ?? label), edition: state.get('edition'),
  book: state.get('book'), key: `${state.get('chapters')?.version}/${state.get('edition')?.version}`});

/** @param {number} seconds */
const clock = seconds => [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((n, i) => String(Math.floor(n)).padStart(i ? 2 : 1,
  '0')).join(':');

/** A position in words. Amounts of an edition other than the reader's become percents.
 * @type {View} */
export function placeName(at, share, by) {
  if (at?.chapter) return by.chapters[at.chapter - 1] ?? say.chapter(at.chapter);
  const isOwn = at && (!at.edition || at.edition === by.edition?.id);
  if (isOwn && at.page !== undefined) return say.page(number(at.page));
  if (isOwn && at.seconds !== undefined) return clock(at.seconds);
  if (isOwn && at.location !== undefined) return say.location(number(at.location));
  return share === null && !at ? '' : percent(share ?? at.progress);
}

/** The units of a form's position.
 * @type {View} */
export function unitsOf({edition, book, chapters}) {
  const unit = edition?.unit ?? (book?.pageCount ? 'page' : 'percent');
  const amounts = unit === 'percent' ? ['progress'] : [unit === 'second' ? 'minutes' : unit, 'progress'];
  return {amounts: amounts.map(of => [of, say.units[of]]), chapters: chapters.map((/** @type {string} */ name,
    /** @type {number} */ i) => [`chapter ${i + 1}`, name]), split: (/** @type {any} */ at) => {
    if (at?.chapter) return [`chapter ${at.chapter}`, ''];
    if (at?.seconds) return ['minutes', at.seconds / 60];
    if (at?.progress !== undefined) return ['progress', Math.round(at.progress * 1000) / 10];
    return [amounts[0], at?.[amounts[0]] ?? ''];
  }};
}

/** Returns a form's position, or null if it is empty.
 * @param {string} unit @param {string} amount */
export function position(unit, amount) {
  if (unit.startsWith('chapter')) return {chapter: Number(unit.slice(8))};
  if (!amount.trim()) return null;
  return unit === 'progress' ? {progress: Number(amount) / 100} : unit === 'minutes' ? {seconds: Number(amount) * 60}
    : {[unit]: Math.round(Number(amount))};
}

/** The sort key of a note: notes for everyone come first, notes for the end last.
 * @type {View} */
export const order = note => note.progress ?? (note.threshold === 'finished' ? 2 : -1);
/** @type {View} */
export const inOrder = (a, b) => order(a) - order(b) || (a.createdAt < b.createdAt ? -1 : 1);

/** The reader's reading of a book: the open one, else the latest. Without an edition its position is its page, if it is on
 * a page of the book.
 * @type {View} */
export function readingOf(state) {
  const [reading] = [...(state.get('readings')?.items ?? [])].sort((a,
    b) => Number(b.state === 'reading') - Number(a.state === 'reading') || b.number - a.number);
  const isOnPage = reading?.page && !reading.position && reading.pageCount === state.get('book')?.pageCount
    && Math.abs(reading.progress * reading.pageCount - reading.page) < 0.01;
  return isOnPage ? {...reading, position: {page: reading.page}} : reading;
}

const marks = new RegExp([
  /\*\*(.{1,500}?)\*\*/, /\*(\S(?:.{0,500}?\S)?)\*/, /_(\S(?:.{0,500}?\S)?)_(?!\w)/,
  /\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/, /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])/].map(mark => mark.source).join('|'));

/** @type {View} */
function words(line) {
  const nodes = [];
  for (let found; (found = marks.exec(line)); line = line.slice(found.index + found[0].length)) {
    const [, strong, em, under, label, target, bare] = found;
    nodes.push(line.slice(0, found.index), strong ? h('strong', null, words(strong)) : em || under ? h('em', null, words(em ?? under))
      : h('a', {href: target ?? bare, rel: 'noreferrer', target: '_blank'}, label ?? bare));
  }
  return [...nodes, line];
}
/** @type {View} */
const broken = rows => rows.flatMap((/** @type {string} */ row, /** @type {number} */ i) => [i > 0 && h('br', null), ...words(row)]);

/** @param {string} source */
export const prose = source => source.replaceAll('\r', '').split(/\n\s*\n/).filter(block => block.trim()).map(block => {
  const rows = block.split('\n').filter(row => row.trim());
  const without = (/** @type {RegExp} */ mark) => rows.every(row => mark.test(row)) && rows.map(row => row.replace(mark, ''));
  const list = without(/^\s*[-*+] /);
  const quote = !list && without(/^> ?/);
  if (list) return h('ul', null, list.map(row => h('li', null, words(row))));
  return quote ? h('blockquote', null, h('p', null, broken(quote))) : h('p', null, broken(rows.map(row => row.replace(/^#+ /, ''))));
});
