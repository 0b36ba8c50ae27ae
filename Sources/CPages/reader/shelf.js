// Shelves: strips of covers on the reading page, and their own pages.
import {h} from '../shared/dom.js';
import {ifMatch, request} from '../shared/api.js';
import {button, dialog, field, notHere, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {bookRow, cover} from './pictures.js';

const BOOKS = 150;

/** The watched names of a shelf's books.
 * @param {any[]} items */
export const bookNames = items => Object.fromEntries(items.slice(0, BOOKS).map(item => [`book:${item.book}`, `/v1/books/${item.book}`]));

/** @param {any} shelf */
export const shelfTitle = shelf => (shelf.isWantToRead && shelf.version === 0 ? t.wantToRead : shelf.name);

/** A choice of a shelf's audience.
 * @param {State} state @param {string | null} club */
export const sharingField = (state, club) => field('shelf-club', t.shelfShare, h('select', {name: 'club', value: club ?? ''},
  h('option', {value: ''}, t.onlyMe), state.list('clubs').map(item => h('option', {key: item.id, value: item.id}, item.name))));

/** @param {any} shelf @param {State} state */
export function shelfStrip(shelf, state) {
  /** @type {any[] | undefined} */
  const items = state.get(`shelf:${shelf.id}`)?.items;
  return h('div', {key: shelf.id, class: 'shelf'},
    h('h3', null, h('a', {class: 'plain', href: `/shelves/${shelf.id}`}, shelfTitle(shelf))),
    items && !items.length && h('p', {class: 'soft small'}, t.shelfEmpty),
    items && items.length > 0 && h('ul', {class: 'plain strip'}, items.map(item => {
      const book = state.get(`book:${item.book}`);
      return book && h('li', {key: item.book}, h('a', {class: 'plain', href: `/books/${book.id}`},
        cover(book, state), h('span', {class: 'unseen'}, book.title)));
    })));
}

/** @type {ReaderScreen} */
export const screen = {
  title: (route, state) => (state.get('shelf') ? shelfTitle(state.get('shelf')) : t.shelves),
  names: (route, state) => ({
    shelf: `/v1/shelves/${route.params.shelf}`, items: `/v1/shelves/${route.params.shelf}/books`, clubs: '/v1/clubs',
    ...bookNames(inOrder(state)),
  }),
  view(route, state) {
    const shelf = state.get('shelf');
    if (!shelf) return state.entry('shelf').gone && notHere();
    const url = `/v1/shelves/${shelf.id}`;
    const isOwn = shelf.reader === state.me?.id;
    const items = inOrder(state);
    const place = (/** @type {any} */ item, /** @type {number} */ to) =>
      request('PUT', `${url}/books/${item.book}`, {place: items[to].place});
    return [
      h('div', {class: 'head'}, h('h1', {tabindex: -1}, shelfTitle(shelf)),
        isOwn && h('button', {id: 'edit-shelf', onclick: () => state.set({editing: true})}, t.editShelf)),
      state.get('items') && !items.length && h('p', {class: 'soft'}, t.shelfEmpty),
      h('ol', {class: 'plain lines', id: 'shelf-books'}, items.map((item, i) => {
        const book = state.get(`book:${item.book}`);
        const act = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => Promise<any>} */ run) =>
          isOwn && button(state, 'move', sign, run, {key: sign, class: 'quiet', style: {'grid-column': sign === '↓' ? '2' : ''}, 'aria-label': t.of(label, book.title)});
        return book && bookRow(book, state, book.authors.join(', '),
          i > 0 && act('↑', t.up, () => swap(url, items, i, i - 1)),
          i < items.length - 1 && act('↓', t.down, () => swap(url, items, i, i + 1)),
          act('×', t.takeOff, () => request('DELETE', `${url}/books/${item.book}`)));
      })),
      problem(state.refused('move')),
      state.ui.editing && dialog(state, {
        id: 'shelf-form', title: t.editShelf, label: common.save, close: () => state.set({editing: false}),
        run: async values => (await request('PATCH', url, values, {headers: ifMatch(shelf)}), state.set({editing: false})),
      }, field('shelf-name', t.shelfName, h('input', {name: 'name', required: true, maxlength: 100, value: shelfTitle(shelf)})),
        sharingField(state, shelf.club),
      !shelf.isWantToRead && state.asking(t.removeShelf, {title: t.removeShelf, text: t.removeShelfText,
        run: async () => (await request('DELETE', url), state.go('/'))}, {class: 'danger', id: 'remove-shelf'})),
    ];
  },
};

/** @param {State} state @returns {any[]} */
const inOrder = state => state.list('items').slice().sort((a, b) => a.place - b.place || (a.createdAt < b.createdAt ? -1 : 1));

/** Swaps two neighbours.
 * @param {string} url @param {any[]} items @param {number} from @param {number} to */
async function swap(url, items, from, to) {
  const [a, b] = [items[from].place, items[to].place];
  const apart = a === b ? (from < to ? 1 : -1) : 0;
  await request('PUT', `${url}/books/${items[from].book}`, {place: b + apart});
  if (!apart) await request('PUT', `${url}/books/${items[to].book}`, {place: a});
}
