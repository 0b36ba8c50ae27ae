// A run's notes in book order, with a rule at the reader's position. Locked notes are only counted.
import {h} from '../shared/dom.js';
import {clubs as say} from '../text/clubs.js';
import {once} from './pictures.js';
import {soft} from './clubs-kit.js';
import {inOrder, order, placeName} from './note-place.js';
import {changing, noteNode, writing} from './notes-note.js';

/** Numbers of notes: after the reader's position and per step, before it, and at most. */
const STEP = 15;
const BACK = 40;
const MOST = 125;
/** Sorted lists, so that each is sorted once.
 * @type {WeakMap<any[], any[]>} */
const sorted = new WeakMap();

/** Marks notes that arrive while the page is open, and announces them together.
 * @type {View} */
export function arrivedNotes(change, names, state) {
  const event = change.for.find((/** @type {any} */ target) => target.name === 'notes')?.event;
  if ((event !== 'unlocked' && event !== 'enter') || change.value?.author === state.me?.id) return;
  const {ui} = state;
  ui.fresh = new Set(ui.fresh).add(change.id);
  ui.arrivals = [...(ui.arrivals ?? []), change.value];
  clearTimeout(ui.timer);
  ui.timer = setTimeout(() => {
    const [first] = ui.arrivals.sort(inOrder);
    state.toast(say.arrived(ui.arrivals.length, first.authorName ?? say.nobody), {label: say.show, run: () => reveal(state, first.id)});
    ui.arrivals = [];
  }, 400);
}

/** @type {View} */
function reveal(state, id) {
  if (!document.getElementById(`note-${id}`)) state.set({anchor: id, back: BACK, fore: STEP});
  setTimeout(() => {
    const note = document.getElementById(`note-${id}`);
    note?.scrollIntoView({block: 'center'});
    note?.focus({preventScroll: true});
  }, 60);
}

/** Shows more notes at one end, drops as many at the other, and keeps visible ones in place.
 * @type {View} */
function move(state, shift) {
  const {back = BACK, fore = STEP} = state.ui;
  const rows = [...document.querySelectorAll('.notes > li[id]')];
  const kept = rows[shift < 0 ? 0 : rows.length - 1];
  const top = kept.getBoundingClientRect().top;
  const excess = Math.max(0, back + fore + STEP - MOST);
  state.set(shift < 0 ? {back: back + STEP, fore: fore - excess} : {back: back - excess, fore: fore + STEP});
  requestAnimationFrame(() => kept.isConnected && scrollBy(0, kept.getBoundingClientRect().top - top));
}

/** @type {ClubPart} */
export function notesSection(c) {
  const {state} = c;
  const {value, isLoading, ahead} = state.entry('notes');
  const isWhole = value && (!isLoading || state.ui.anchor);
  const notes = state.list('notes');
  if (!sorted.has(notes)) sorted.set(notes, [...notes].sort(inOrder));
  return h('section', {'aria-labelledby': 'notes', 'aria-busy': String(!isWhole)},
    h('div', {class: 'head'}, h('h2', {id: 'notes', tabindex: -1}, say.notes), c.isOpen && writing(c)),
    isWhole ? shown(c, sorted.get(notes), ahead) : soft(say.loadingNotes(notes.length)), changing(c));
}

/** @type {ClubPart} */
function shown(c, notes, ahead) {
  const {state, reading} = c;
  const {ui} = state;
  const here = notes.findLastIndex((/** @type {any} */ note) => order(note) <= (reading?.isFinished ? 2 : reading?.progress ?? 0)) + 1;
  ui.anchor ??= notes[Math.min(here, notes.length - 1)]?.id;
  const found = notes.findIndex((/** @type {any} */ note) => note.id === ui.anchor);
  const middle = found < 0 ? here : found;
  const {back = BACK, fore = STEP} = ui;
  const from = Math.max(0, middle - back);
  const to = Math.min(notes.length, middle + fore);
  const rows = notes.slice(from, to).map((/** @type {any} */ note) => row(c, note));
  if (here >= from && here <= to) rows.splice(here - from, 0, h('li', {key: 'here', class: 'here'},
    reading ? say.here(placeName(reading.position, reading.progress, c.by)) : say.hereBegin));
  const more = () => move(state, 1);
  return [
    !notes.length && !ahead && soft(say.noNotes),
    from > 0 && h('p', {class: 'row'}, h('button', {onclick: () => move(state, -1)}, say.earlier(Math.min(STEP, from))),
      h('button', {class: 'quiet', onclick: () => state.set({anchor: notes[0].id, back: 0, fore: STEP})}, say.fromStart)),
    h('ol', {class: 'plain notes'}, rows),
    to < notes.length && h('p', {key: `more ${to}`, class: 'row', ref: el => nearEnd(el, more)}, h('button', {onclick: more},
      say.later(notes.length - to)),
      to < here && h('button', {class: 'quiet', onclick: () => state.set({anchor: null, back: BACK, fore: STEP})}, say.toHere)),
    h('p', {class: 'ahead', role: 'status'}, ahead > 0 && say.ahead(ahead)),
  ];
}

/** @type {View} */
function nearEnd(element, more) {
  const observer = new IntersectionObserver(([seen]) => {
    if (seen.isIntersecting || !element.isConnected) observer.disconnect();
    if (seen.isIntersecting) more();
  }, {rootMargin: '600px'});
  observer.observe(element);
}

/** A note's row, reused while nothing about it changes.
 * @type {ClubPart} */
function row(c, note) {
  const {open, reacting, fresh} = c.state.ui;
  const make = () => h('li', {key: note.id, id: `note-${note.id}`, tabindex: -1, class: fresh?.has(note.id) ? 'fresh' : null},
    noteNode(c, note));
  return open === note.id || reacting === note.id || (open && reacting) ? make() : once(note, 'row',
    `${fresh?.has(note.id)} ${c.role} ${c.isOpen} ${c.by.key}`, make);
}
