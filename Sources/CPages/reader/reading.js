// A reading: its position, graph, entries and actions.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {dateTime, number, percent, when} from '../shared/format.js';
import {button, field, lines, notHere, problem, select} from '../shared/parts.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {hero, once, ring} from './pictures.js';
import {aimSentence, amount, paceSentence, placeOf} from './card.js';
import {editor, editorNames} from './editor.js';
import {graph} from './graph.js';
import {rating} from './rating.js';
import {section} from './section.js';


/** @type {ReaderScreen} */
export const screen = {
  title: (route, state) => cardOf(route, state)?.title ?? t.title,
  names(route, state) {
    const url = `/v1/readings/${route.params.reading}`;
    const book = cardOf(route, state)?.book;
    return {...editorNames(state), reading: url, card: `/v1/cards/${route.params.reading}`, entries: `${url}/entries`, pace: `${url}/pace`,
      ...(book && {ratings: `/v1/ratings?book=${book}`, editions: `/v1/books/${book}/editions`})};
  },
  view(route, state) {
    const card = cardOf(route, state);
    const reading = state.get('reading');
    if (!card || !reading) return (state.entry('card').gone || state.entry('reading').gone) && notHere();
    const pace = state.get('pace');
    const entries = state.list('entries').slice().sort((a, b) =>
      (a.happenedAt < b.happenedAt ? -1 : a.happenedAt > b.happenedAt ? 1 : a.id < b.id ? -1 : 1));
    /** @type {any[]} */
    const aims = pace?.aims ?? [];
    return [
      hero({...card, id: card.book}, state, h('a', {class: 'plain', href: `/books/${card.book}`}, card.title),
        [h('p', {class: 'soft'}, card.authors.join(', '), card.isReread && ` · ${t.readingNumber(reading.number)}`),
          h('p', {class: 'numbers'}, card.state === 'paused' ? `${t.paused}. ` : card.state === 'abandoned' && `${t.abandoned}. `,
            placeOf(card), reading.startedAt && ` · ${t.begunOn(when(reading.startedAt))}`),
          state.get('ratings') && rating(reading, state)],
        ring(card.progress, {label: t.progress(percent(card.progress)), kind: `large ${card.state}`}),
        h('div', {class: 'row'}, actions(card, state)), problem(state.refused('state') ?? state.refused('undo'))),
      state.list('editions').length > 1 && editionChoice(reading, state),
      h('div', {class: 'split'}, section('graph', t.graph,
        state.get('entries') && once(state.get('entries'), 'graph', reading.version + JSON.stringify(aims),
          () => h('div', null, graph(entries, reading.startedAt, aims))),
        paceSentence(pace) && h('p', {class: 'numbers'}, paceSentence(pace)),
        aims.length > 0 && h('ul', {class: 'plain'}, aims.map(aim =>
          h('li', {key: aim.id, class: `pace numbers ${aim.onTime ?? ''}`}, aimSentence(aim, pace))))),
      entries.length > 0 && section('entries', t.entries, lines(entries.reverse().map(entry => entryNode(entry, card, state))),
        problem(state.refused('entry')))),
      editor(state),
    ];
  },
};

/** @param {Route} route @param {State} state */
const cardOf = (route, state) => state.get('card') ?? state.list('cards').find(item => item.id === route.params.reading);

/** @param {any} card @param {State} state */
function actions(card, state) {
  const url = `/v1/readings/${card.id}`;
  const to = (/** @type {string} */ name, /** @type {string} */ label) =>
    button(state, 'state', label, () => request('PATCH', url, {state: name}), {key: name, id: `to-${name}`});
  const isOpen = card.state === 'reading' || card.state === 'paused';
  return [
    isOpen && h('button', {key: 'record', id: 'record', class: 'primary', onclick: () => state.set({editing: card.id})}, t.record),
    card.state === 'reading' && to('paused', t.pause),
    card.state === 'paused' && to('reading', t.goOn),
    isOpen && to('finished', t.finish),
    isOpen && to('abandoned', t.abandon),
    !isOpen && to('reading', t.reopen),
    state.asking(t.remove, {title: t.remove, text: t.removeText, run: async () => (await request('DELETE', url), state.go('/'))},
      {id: 'remove-reading'}),
  ];
}

/** @param {any} reading @param {State} state */
function editionChoice({id, edition}, state) {
  const choose = state.choosing('edition', edition ?? '', chosen => request('PATCH', `/v1/readings/${id}`, {edition: chosen || null}));
  const options = state.list('editions').map(({id, name, format, narrator, unit, length}) => [id,
    [name ?? t.formats[format], narrator, unit !== 'percent' && amount(length, unit)].filter(Boolean).join(', ')]);
  return h('div', {class: 'narrow'}, field('edition', t.edition, select({value: edition ?? '', disabled: state.busy('edition'), onchange: choose},
    [['', t.noEdition], ...options]), t.editionHint), problem(state.refused('edition')));
}

/** @param {any} entry @param {any} card @param {State} state */
function entryNode(entry, card, state) {
  return once(entry, 'entry', state.busy('entry'), () => h('li', {key: entry.id, class: 'book-row'},
    ring(entry.progress, {label: t.progress(percent(entry.progress)), kind: 'small'}),
    h('div', {class: 'grow'},
      h('p', {class: 'small soft numbers'}, dateTime(entry.happenedAt),
        entry.page !== null && ` · ${t.pageNumber(number(entry.page))}`),
      entry.note && h('p', {class: 'serif own-note'}, entry.noteId ? h('a', {class: 'plain', href: `/notes/${entry.noteId}`}, entry.note)
        : entry.note)),
    button(state, 'entry', '×', () => remove(entry, card, state), {class: 'quiet', 'aria-label': t.of(t.removeEntry, dateTime(entry.happenedAt))})));
}

/** Removes an entry, and creates it again if the reader undoes that.
 * @param {any} entry @param {any} card @param {State} state */
async function remove(entry, card, state) {
  const url = `/v1/readings/${card.id}/entries`;
  await request('DELETE', `${url}/${entry.id}?note=keep`);
  const {progress, page, position, note, noteId, device, happenedAt} = entry;
  state.toast(t.entryRemoved, {label: t.undo, run: () => state.act('undo', async () => {
    const place = position ? {position} : page !== null ? {page} : {progress};
    await request('POST', url, {...place, device, happenedAt, ...(note && !noteId && {note})});
    state.toast(t.saved);
  })});
}
