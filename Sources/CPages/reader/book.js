// A book: its details, and the reader's readings, shelves and notes.
import {h} from '../shared/dom.js';
import {ifMatch, request} from '../shared/api.js';
import {percent, when} from '../shared/format.js';
import {button, lines, notHere, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {hero, ring} from './pictures.js';
import {bookForm} from './book-form.js';
import {section} from './section.js';
import {shelfTitle} from './shelf.js';


/** Starts a reading of a book, and opens it.
 * @param {State} state @param {string} book @param {boolean} [isReread] */
export async function begin(state, book, isReread) {
  const reading = await request('POST', '/v1/readings', {book, ...(isReread && {isReread})});
  state.go(`/readings/${reading.id}`);
}

/** @type {ReaderScreen} */
export const screen = {
  title: (route, state) => state.get('book')?.title ?? '',
  names(route, state) {
    const url = `/v1/books/${route.params.book}`;
    /** @type {Watches} */
    const names = {book: url, notes: `/v1/notes?book=${route.params.book}`, shelves: '/v1/shelves'};
    for (const shelf of state.list('shelves').slice(0, 20)) names[`shelf:${shelf.id}`] = `/v1/shelves/${shelf.id}/books`;
    return names;
  },
  view(route, state) {
    const book = state.get('book');
    if (!book) return state.entry('book').gone && notHere();
    const readings = state.list('cards').filter(card => card.book === book.id);
    const open = readings.find(card => card.state === 'reading' || card.state === 'paused');
    const notes = state.list('notes');
    const facts = [book.publishedYear, book.pageCount && common.pageCount(book.pageCount),
      book.isbn && `${t.isbn} ${book.isbn}`].filter(Boolean);
    return [
      hero(book, state, book.title,
        [h('p', {class: 'serif'}, book.authors.join(', ')), h('p', {class: 'soft numbers'}, facts.join(' · '))], null,
        h('div', {class: 'row'},
          open ? h('a', {class: 'button primary', href: `/readings/${open.id}`}, t.open)
            : button(state, 'begin', readings.length ? t.beginAgain : t.begin, () => begin(state, book.id), {class: 'primary', id: 'begin'}),
          h('button', {class: 'quiet', id: 'edit-book', onclick: () => state.set({editing: true})}, t.edit)),
        problem(state.refused('begin'))),
      readings.length > 0 && section('readings', t.yours, lines(readings.map(card => h('li', {key: card.id, class: 'book-row'},
        ring(card.progress, {label: t.progress(percent(card.progress)), kind: `small ${card.state}`}),
        h('a', {href: `/readings/${card.id}`}, card.finishedAt ? t.finishedOn(when(card.finishedAt)) : card.latestEntryAt
          ? t.lastRead(when(card.latestEntryAt)) : t.notBegun))))),
      section('on-shelves', t.shelves, state.list('shelves').map(shelf => shelfCheck(shelf, book, state)), problem(state.refused('shelf'))),
      notes.length > 0 && section('notes', t.yourNotes, lines(notes.map(note => h('li', {key: note.id},
        h('a', {class: 'plain serif own-note', href: `/notes/${note.id}`}, note.body || note.quote))))),
      state.ui.editing && bookForm(state, {
        title: t.editTitle, hint: state.me?.role === 'reader' ? t.editHint : '', label: common.save, book, close: () => state.set({editing: false}),
        save: draft => request('PATCH', `/v1/books/${book.id}`, draft, {headers: ifMatch(book)}), done: () => state.set({editing: false}),
      }),
    ];
  },
};

/** @param {any} shelf @param {any} book @param {State} state */
function shelfCheck(shelf, book, state) {
  /** @type {any[] | undefined} */
  const items = state.get(`shelf:${shelf.id}`)?.items;
  const isOn = Boolean(items?.some(item => item.book === book.id));
  return h('label', {key: shelf.id, class: 'check'}, h('input', {
    type: 'checkbox', checked: isOn, disabled: !items || state.busy('shelf'),
    onchange: state.choosing('shelf', isOn, () => (isOn ? request('DELETE', `/v1/shelves/${shelf.id}/books/${book.id}`)
      : request('PUT', `/v1/shelves/${shelf.id}/books/${book.id}`, {}))),
  }), shelfTitle(shelf));
}
