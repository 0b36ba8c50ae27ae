// Catalogue search during typing: the query is a debounced name of the stream.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {button, problem} from '../shared/parts.js';
import {reading as t} from '../text/reading.js';
import {bookRow} from './pictures.js';
import {begin} from './book.js';
import {bookForm} from './book-form.js';
import {newID} from './state.js';

const MOST = 30;
/** @type {any} */
let timer = 0;

/** @type {ReaderScreen} */
export const screen = {
  title: () => t.searchTitle,
  /** @returns {Watches} */
  names(route) {
    const q = route.query.get('q')?.trim();
    return q ? {found: {url: `/v1/books?q=${encodeURIComponent(q)}&limit=${MOST}`, debounce: true}} : {};
  },
  view(route, state) {
    const q = route.query.get('q') ?? '';
    const found = q.trim() ? state.get('found') : null;
    /** @type {any[]} */
    const items = found?.items ?? [];
    const search = (/** @type {string} */ words) => {
      clearTimeout(timer);
      timer = setTimeout(() => state.go(words.trim() ? `/search?q=${encodeURIComponent(words)}` : '/search', {replace: true}), 120);
    };
    const add = () => state.set({adding: newID()});
    return [
      h('h1', {tabindex: -1}, t.searchTitle),
      h('form', {role: 'search', class: 'search', onsubmit: event => event.preventDefault()},
        h('label', {for: 'q'}, t.search),
        h('input', {id: 'q', type: 'search', value: q, autocomplete: 'off', enterkeyhint: 'search', maxlength: 200,
          'aria-describedby': 'q-hint', ref: el => el.focus(),
          oninput: event => search(event.target.value)}),
        h('p', {id: 'q-hint', class: 'hint', role: 'status'},
          !found ? t.searchHint : items.length < MOST ? t.found(items.length) : t.foundMany)),
      found?.suggestion && h('p', null, h('button', {id: 'suggestion', class: 'quiet', onclick: () => search(found.suggestion)},
        t.suggestion(found.suggestion))),
      problem(state.refused('begin')),
      h('ul', {class: 'plain lines', id: 'found'}, items.map(book => row(book, state))),
      h('p', {class: 'soft', key: 'add'}, t.addHint, ' ', h('button', {id: 'add-book', onclick: add}, t.add)),
      state.ui.adding && bookForm(state, {
        title: t.add, label: t.add, close: () => state.set({adding: null}),
        book: {id: state.ui.adding, title: items.length ? '' : q, authors: []},
        save: draft => request('PUT', `/v1/books/${state.ui.adding}`, draft), done: () => state.go(`/books/${state.ui.adding}`),
      }),
    ];
  },
};

/** @param {any} book @param {State} state */
function row(book, state) {
  const card = state.list('cards').find(item => item.book === book.id && item.state !== 'abandoned');
  return bookRow(book, state, [book.authors.join(', '), book.publishedYear].filter(Boolean).join(' · '),
    card ? h('a', {class: 'button quiet', href: `/readings/${card.id}`, 'aria-label': t.of(t.open, book.title)}, t.openShort)
      : button(state, 'begin', t.begin, () => begin(state, book.id), {'aria-label': t.of(t.begin, book.title)}));
}
