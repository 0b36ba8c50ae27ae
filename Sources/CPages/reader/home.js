// The reading page: current readings, shelves, and past readings.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {dialog, field, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {cardNode} from './card.js';
import {draftOf, editor, editorNames} from './editor.js';
import {section} from './section.js';
import {bookNames, shelfStrip, sharingField} from './shelf.js';
import {newID} from './state.js';

const PACES = 10;
const SHELVES = 6;

/** Sorts the cards by the latest entry.
 * @param {State} state @returns {any[]} */
function sorted(state) {
  const items = state.list('cards');
  const at = (/** @type {any} */ card) => card.finishedAt ?? card.latestEntryAt ?? '';
  return items.slice().sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : a.id < b.id ? 1 : -1));
}

/** @type {ReaderScreen} */
export const screen = {
  title: () => t.title,
  names(route, state) {
    /** @type {Watches} */
    const names = {...editorNames(state), shelves: '/v1/shelves'};
    for (const card of sorted(state).filter(card => card.state === 'reading').slice(0,
      PACES)) names[`pace:${card.id}`] = `/v1/readings/${card.id}/pace`;
    for (const shelf of state.list('shelves').slice(0, SHELVES)) {
      names[`shelf:${shelf.id}`] = `/v1/shelves/${shelf.id}/books?limit=12`;
      Object.assign(names, bookNames(state.list(`shelf:${shelf.id}`)));
    }
    return names;
  },
  view(route, state) {
    const cards = sorted(state);
    const isThere = state.get('cards') !== undefined;
    const shelves = state.list('shelves');
    const group = (/** @type {string} */ name, /** @type {string} */ title) => {
      const items = state.some(name, cards.filter(card => card.state === name));
      return items.length > 0 && section(name, title, h('ul', {class: 'plain cards'}, items.map(card =>
        cardNode(card, state, state.get(`pace:${card.id}`), draftOf(state, card.id) !== undefined))));
    };
    return [
      h('div', {class: 'head'}, h('h1', {tabindex: -1}, t.title),
        cards.length > 0 && h('a', {class: 'button primary', href: '/search'}, t.find)),
      isThere && !cards.length && h('section', {class: 'empty', id: 'first-run'},
        h('h2', null, t.firstTitle), h('p', null, t.firstText),
        h('p', null, t.firstClub, ' ', h('a', {href: '/clubs'}, t.firstClubLink), '.'),
        h('p', null, h('a', {class: 'button primary', href: '/search'}, t.find))),
      group('reading', t.now),
      group('paused', t.paused),
      isThere && h('section', {id: 'shelves', 'aria-labelledby': 'shelves-title'},
        h('div', {class: 'head'}, h('h2', {id: 'shelves-title'}, t.shelves),
          h('button', {id: 'new-shelf', class: 'quiet', onclick: () => state.set({newShelf: newID()})}, t.newShelf)),
        shelves.map(shelf => shelfStrip(shelf, state))),
      group('finished', t.finished),
      group('abandoned', t.abandoned),
      problem(state.refused('undo')),
      editor(state),
      state.ui.newShelf && dialog(state, {
        id: 'shelf-form', title: t.newShelf, label: common.save, close: () => state.set({newShelf: null}),
        run: async values => (await request('PUT', `/v1/shelves/${state.ui.newShelf}`, values), state.set({newShelf: null})),
      }, field('shelf-name', t.shelfName, h('input', {name: 'name', required: true, maxlength: 100})), sharingField(state, null)),
    ];
  },
};
