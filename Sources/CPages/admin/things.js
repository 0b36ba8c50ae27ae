// The catalogue with its duplicates, and reports.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {lines, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {admin} from '../text/admin.js';
import {acts, all, ask, none, set, state} from './data.js';
import {button, row, search, time} from './parts.js';
import {nameOf} from './people.js';


/** @param {any} book */
const bookRow = ({id, title, authors, isbn}) => row(id, h('a', {href: `/books/${id}`}, title), [authors.join(', '), isbn],
  button(id, admin.remove, () => ask({title: admin.removeBook(title), lead: admin.removeBookLead, label: admin.remove, run: async () => {
    await request('DELETE', `/v1/books/${id}`);
    set({books: null, duplicates: null});
  }}), title));

/** Groups books that share an ISBN. */
const findDuplicates = () => acts.act('duplicates', async () => {
  /** @type {Record<string, any[]>} */
  const groups = {};
  for (const book of await all('/v1/books')) if (book.isbn) (groups[book.isbn] ??= []).push(book);
  set({duplicates: Object.entries(groups).filter(([, books]) => books.length > 1)});
});

let asked = '';
/** Searches during typing. */
function find() {
  const query = state.query.trim();
  if (state.books && asked === query) return;
  asked = query;
  state.books ??= [];
  setTimeout(async () => {
    if (asked !== query) return;
    const page = await request('GET', `/v1/books?limit=30&q=${encodeURIComponent(query)}`).catch(() => null);
    if (page && asked === query) set({books: page.items, loaded: {...state.loaded, books: true}});
  }, 200);
}

export function catalogue() {
  find();
  return [
    h('div', {class: 'row'}, h('button', {type: 'button', disabled: acts.busy('duplicates'), onclick: findDuplicates}, admin.findDuplicates)), problem(acts.refused('duplicates')),
    state.duplicates && h('section', {class: 'duplicates', 'aria-live': 'polite'},
      !state.duplicates.length && h('p', {class: 'soft'}, admin.noDuplicates),
      state.duplicates.map(([isbn, books]) => [h('h3', null, admin.isbn(isbn)), lines(books.map(bookRow), '')])),
    search(admin.searchBooks), lines((state.books ?? []).map(bookRow), none('books', admin.noBooks))];
}

/** @param {any} report */
function reportRow({id, about, author, reporter, reason, text: said, copy, outcome, remark, createdAt}) {
  const title = admin.reportOf(about, admin.reasons[reason]);
  const decide = (/** @type {string} */ value) => button(id, admin.outcomes[value], () => ask({
    title: admin.outcomes[value], lead: admin.decideLead, label: admin.decide, fields: [{name: 'remark', label: admin.remark}],
    run: ({remark: words}) => request('PATCH', `/v1/reports/${id}`, {outcome: value, ...(words && {remark: words})})}), `${title} ${admin.of(nameOf(author))}`);
  return row(id, title, [
    copy && h('q', null, copy), author && admin.of(nameOf(author)), said && admin.says(nameOf(reporter), said), !said && admin.by(nameOf(reporter)), time(createdAt),
    outcome && [admin.outcomes[outcome], remark ? `: ${remark}` : '']],
  !outcome && decide('acted'), !outcome && decide('dismissed'));
}

export function reports() {
  const open = state.reports.filter(report => !report.outcome);
  const decided = state.reports.filter(report => report.outcome);
  return [lines(open.map(reportRow), none('reports', admin.noReports)), decided.length > 0 && [h('h3', null, admin.decided), lines(decided.map(reportRow), '')]];
}
