// @ts-check
// The form for a book's fields: a new one, or one to correct.
import {h} from '../shared/dom.js';
import {dialog, field} from '../shared/parts.js';
import {reading as t} from '../text/reading.js';


/** @param {State} state
 * @param {{title: string, label: string, book: any, close: () => void, run: (draft: any) => Promise<any>}} as */
export function bookForm(state, {title, label, book, close, run}) {
  const input = (/** @type {string} */ name, /** @type {any} */ props) =>
    field(`book-${name}`, /** @type {any} */ (t)[name === 'title' ? 'bookTitle' : name], h('input', {name, ...props}));
  return dialog(state, {id: 'book-form', title, label, close, run: ({title, authors, isbn, coverURL, pageCount, year}) => run({
    title, isbn, coverURL,
    authors: (authors ?? '').split(',').map((/** @type {string} */ name) => name.trim()).filter(Boolean),
    pageCount: pageCount === null ? null : Number(pageCount), publishedYear: year === null ? null : Number(year),
  })},
    input('title', {required: true, maxlength: 500, value: book.title}),
    input('authors', {value: book.authors.join(', ')}),
    h('div', {class: 'two'},
      input('pageCount', {type: 'number', min: 1, max: 100000, value: book.pageCount ?? ''}),
      input('year', {type: 'number', min: -3000, max: 2100, value: book.publishedYear ?? ''})),
    input('isbn', {value: book.isbn ?? '', autocomplete: 'off'}),
    input('coverURL', {type: 'url', value: book.coverURL ?? '', placeholder: 'https://'}));
}
