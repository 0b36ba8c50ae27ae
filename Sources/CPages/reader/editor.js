// Records progress and a note in one request. A draft is a scene of this browser.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {dialog, field} from '../shared/parts.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {newID} from './state.js';

/** @type {any} */
let timer = 0;

/** The editor's watched names.
 * @param {State} state */
export const editorNames = state => ({drafts: `/v1/scenes?device=${state.device}`, clubs: '/v1/clubs'});

/** @param {string} reading */
const sceneName = reading => `draft-${reading}`;

/** The browser's draft for a reading.
 * @param {State} state @param {string} reading */
export const draftOf = (state, reading) => state.list('drafts').find(scene => scene.name === sceneName(reading))?.value;

/** The editor, while state.ui.editing names a reading.
 * @param {State} state */
export function editor(state) {
  const ui = state.ui;
  const card = ui.editing && state.list('cards').find(item => item.id === ui.editing);
  if (!card) return null;
  const total = card.pageCount;
  if (ui.draft?.reading !== card.id) {
    const draft = draftOf(state, card.id);
    const by = draft?.by ?? (total ? 'page' : 'percent');
    ui.draft = {id: newID(), note: '', club: '', ...draft, reading: card.id, by, from: card.progress};
    // A kept amount counts while the reading is where it was.
    if (draft?.from !== card.progress) ui.draft.amount = by === 'page' ? card.page ?? 0 : Math.round(card.progress * 100);
    state.forgive('editor');
  }
  const draft = ui.draft;
  // The amount stays as it was entered: rounded to another unit it would move the position.
  const {by, amount, unit = by} = draft;
  const whole = (/** @type {string} */ of) => (of === 'page' && total ? total : 100);
  const share = Number(amount) / whole(by);
  const shown = unit === by ? amount : unit === 'page' ? Math.round(share * total) : Math.round(share * 1000) / 10;
  const [most, isEnd] = [whole(unit), share >= 1];
  const clubs = state.list('clubs');
  const edit = (/** @type {any} */ patch) => {
    Object.assign(draft, patch);
    clearTimeout(timer);
    timer = setTimeout(() => keep(state, draft), 700);
    state.set({});
  };
  const setAmount = (/** @type {any} */ event) => edit({by: unit, amount: event.target.value});
  const close = () => {
    clearTimeout(timer);
    if (draft.note.trim()) keep(state, {...draft, from: null});
    else forget(state, card.id);
    state.set({editing: null, draft: null});
  };
  return dialog(state, {id: 'editor', title: card.title, label: common.save, close,
    run: () => save(state, card, draft, isEnd)},
    h('div', {class: 'amount'},
      field('amount', unit === 'page' ? t.page : t.percent, h('input', {
        name: by === 'page' ? 'page' : 'progress', type: 'number', min: 0, max: most, step: unit === 'page' ? 1 : 0.1, required: true, inputmode: 'decimal',
          value: String(shown), oninput: setAmount, autofocus: true, onfocus: event => event.target.select()})),
      h('span', {class: 'soft'}, unit === 'page' ? t.ofPages(total) : '%'),
      total && h('fieldset', {class: 'row'}, h('legend', {class: 'unseen'}, t.by),
        [['page', t.page], ['percent', t.percent]].map(([of, label]) =>
          h('label', {key: of, class: 'check'}, h('input', {type: 'radio', name: 'by', value: of, checked: unit === of,
            onchange: event => edit({unit: event.target.value})}), label)))),
    field('slider', t.slider, h('input', {type: 'range', min: 0, max: most, step: unit === 'page' ? 1 : 0.5,
      value: String(shown), oninput: setAmount})),
    field('note', t.note, h('textarea', {name: 'note', maxlength: 10000, value: draft.note, oninput: event => edit({note: event.target.value})}),
      t.noteHint),
    clubs.length > 0 && field('audience', t.audience, h('select', {value: draft.club, onchange: event => edit({club: event.target.value})},
      h('option', {value: ''}, t.onlyMe), clubs.map(club => h('option', {key: club.id, value: club.id}, club.name)))),
    isEnd && h('p', {class: 'hint', id: 'at-end'}, t.atEnd));
}

/** @param {State} state @param {any} draft */
function keep(state, draft) {
  const {reading, id, by, amount, from, note, club} = draft;
  // The dialog still has a draft that cannot be stored.
  request('PUT', `/v1/scenes/${state.device}/${sceneName(reading)}`, {value: {id, by, amount, from, note, club}}).catch(() => {});
}

/** Deletes a draft; another window may have deleted its own.
 * @param {State} state @param {string} reading */
async function forget(state, reading) {
  clearTimeout(timer);
  if (draftOf(state, reading)) await request('DELETE', `/v1/scenes/${state.device}/${sceneName(reading)}`).catch(() => {});
}

/** @param {State} state @param {any} card @param {any} draft @param {boolean} isEnd */
async function save(state, card, draft, isEnd) {
  const note = draft.note.trim();
  const value = Number(draft.amount);
  // The id makes the request repeatable if its response is lost.
  await request('PUT', `/v1/readings/${card.id}/entries/${draft.id}`, {
    ...(draft.by === 'page' ? {page: Math.round(value)} : {progress: Math.min(1, value / 100)}),
    ...(note && {note: draft.club ? {body: note, club: draft.club} : note}),
  });
  if (isEnd) await request('PATCH', `/v1/readings/${card.id}`, {isFinished: true});
  await forget(state, card.id);
  state.set({editing: null, draft: null});
  state.toast(isEnd ? t.savedFinished : t.saved, {
    label: t.undo,
    run: () => state.act('undo', async () => {
      if (isEnd) await request('PATCH', `/v1/readings/${card.id}`, {isFinished: false});
      await request('DELETE', `/v1/readings/${card.id}/entries/${draft.id}`);
      state.toast(t.undone);
    }),
  });
}
