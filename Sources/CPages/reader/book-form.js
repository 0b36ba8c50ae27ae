// The form for a new or corrected book, and its cover.
import {h} from '../shared/dom.js';
import {Refusal, request} from '../shared/api.js';
import {dialog, field} from '../shared/parts.js';
import {reading as t} from '../text/reading.js';
import {check} from './check.js';

/** The maximum bytes of a cover, and the height of a reduced one. */
const MOST = 512 * 1024;
const HEIGHT = 1200;

/** @param {State} state
 * @param {{title: string, hint?: string, label: string, book: any, close: () => void, save: (draft: any) => Promise<any>, done: () => void}} as */
export function bookForm(state, {title, hint, label, book, close, save, done}) {
  const input = (/** @type {string} */ name, /** @type {any} */ props) =>
    field(`book-${name}`, /** @type {any} */ (t)[name === 'title' ? 'bookTitle' : name], h('input', {name, ...props}));
  const run = async (/** @type {any} */ {title, authors, isbn, coverURL, pageCount, publishedYear, cover, noCover}) => {
    await save({
      title, isbn, coverURL,
      authors: (authors ?? '').split(',').map((/** @type {string} */ name) => name.trim()).filter(Boolean),
      pageCount: pageCount === null ? null : Number(pageCount), publishedYear: publishedYear === null ? null : Number(publishedYear),
    });
    const url = `/v1/books/${book.id}/cover`;
    if (cover.size) await request('PUT', url, await fitting(cover));
    else if (noCover) await request('DELETE', url);
    done();
  };
  return dialog(state, {id: 'book-form', title, label, close, run},
    hint && h('p', {class: 'hint'}, hint),
    input('title', {required: true, maxlength: 500, value: book.title}),
    input('authors', {value: book.authors.join(', ')}),
    h('div', {class: 'two'},
      input('pageCount', {type: 'number', min: 1, max: 100000, value: book.pageCount ?? ''}),
      input('year', {name: 'publishedYear', type: 'number', min: -3000, max: 2100, value: book.publishedYear ?? ''})),
    input('isbn', {value: book.isbn ?? '', autocomplete: 'off'}),
    field('book-cover', t.cover, h('input', {name: 'cover', type: 'file', accept: 'image/jpeg,image/png,image/webp,image/gif'})),
    book.coverDigest && check('book-no-cover', t.noCover, {name: 'noCover'}),
    input('coverURL', {type: 'url', value: book.coverURL ?? '', placeholder: 'https://'}));
}

/** Returns an image, reduced if it is too large.
 * @param {Blob} file */
async function fitting(file) {
  const image = await createImageBitmap(file).catch(() => {
    throw new Refusal(422, [t.coverUnknown]);
  });
  if (file.size <= MOST) return file;
  const scale = Math.min(1, HEIGHT / image.height);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, {width: image.width * scale, height: image.height * scale});
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.8));
}
