// @ts-check
// What the screens of clubs are made of: actions, and forms in dialogs.
//
// openForm(state, 'found') opens the form that form(state, 'found', …) describes. Its `save` gets the values by name: null for what is
// empty, an ISO time of a 'when', a position of a 'place'. What the service refuses stays in the form, with its sentences.
import {h} from '../shared/dom.js';
import {zoneInUse} from '../shared/format.js';
import {dialog} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {position} from './note-place.js';


/** @param {State} state
 * @param {string} name @returns {any[]} */
export const items = (state, name) => state.get(name)?.items ?? [];

/** @type {View} */
export const soft = words => h('p', {class: 'soft'}, words);

/** A part of a screen, with its heading.
 * @type {View} */
export const part = (id, title, ...more) => h('section', {key: id, 'aria-labelledby': id}, h('h2', {id, tabindex: -1}, title), more);

/** A list with hairlines; what it says when it is empty.
 * @type {View} */
export const lines = (rows, empty) => (rows.length ? h('ul', {class: 'plain lines'}, rows) : empty && soft(empty));

/** @type {View} */
export const opening = (state, id, label, more = {}, kind = 'quiet') => h('button', {key: label, type: 'button', class: kind,
  onclick: () => openForm(state, id, more)}, label);

/** @param {State} state
 * @param {string} id @param {Record<string, any>} [more] */
export function openForm(state, id, more = {}) {
  state.forgive(`${id}-form`);
  state.set({form: id, ...more});
}

/** A link to give away.
 * @type {View} */
export const given = (state, label, url, hint, ...more) => h('div', {key: url}, h('label', {for: 'given'}, label),
  h('div', {class: 'row'}, h('input', {id: 'given', readonly: true, value: url, onfocus: event => event.target.select()}),
    h('button', {class: 'primary', onclick: () => navigator.clipboard.writeText(url).then(() => state.toast(say.copied),
      () => document.getElementById('given')?.focus())}, say.copy), more),
  h('p', {class: 'hint'}, hint));

/** The wall time of an instant in the zone in use, as inputs have it; and back.
 * @param {string | number} at */
const wall = at => new Intl.DateTimeFormat('sv-SE', {timeZone: zoneInUse(), dateStyle: 'short',
  timeStyle: 'short'}).format(new Date(at)).replace(' ', 'T');
/** @param {string} written */
function instant(written) {
  const base = Date.parse(`${written}Z`);
  let at = base;
  for (let i = 0; i < 2; i++) at += base - Date.parse(`${wall(at)}Z`);
  return new Date(at).toISOString();
}

/** @param {State} state @param {string} id @param {string} title @param {Field[]} fields @param {(values: any) => Promise<any>} save
 * @param {{label?: string, intro?: any, isDanger?: boolean}} options */
export function form(state, id, title, fields, save, {label = common.save, intro, isDanger} = {}) {
  if (state.ui.form !== id) return null;
  const close = () => state.ui.form === id && state.set({form: null});
  const run = async (/** @type {Record<string, any>} */ values) => {
    await save(Object.fromEntries(fields.map(field => [field.name, read(field, values)])));
    close();
  };
  return dialog(state, {id: `${id}-form`, title, close, label, kind: isDanger ? 'danger' : 'primary', run}, intro && h('p', null, intro),
    h('div', {class: 'stack'}, fields.map(field => h('div', {key: field.name}, control(field, id)))));
}

/** @type {View} */
function read({name, type}, values) {
  const value = values[name]?.trim() || null;
  if (type === 'check') return name in values;
  if (type === 'place') return position(value ?? '', values[`${name}-amount`] ?? '');
  return value && (type === 'number' ? Number(value) : type === 'when' ? instant(value) : value);
}

/** @type {View} */
const choices = options => options.map((/** @type {string[]} */ [of, shown]) => h('option', {key: of, value: of}, shown));

/** @type {View} */
export function control({name, label, type = 'text', value = '', required, options = [], hint, changed, units}, form) {
  const id = `${form}-${name}`;
  const common = {id, name, required, value: value ?? '', onchange: changed && ((/** @type {any} */ event) => changed(event.target.value)),
    'aria-describedby': hint && `${id}-hint`};
  const said = hint && h('p', {class: 'hint', id: `${id}-hint`}, hint);
  if (type === 'check') return [h('label', {class: 'check'}, h('input', {...common, value: 'on', type: 'checkbox',
    checked: Boolean(value)}), label), said];
  const [unit, amount] = units?.split(value) ?? [];
  return [h('label', {for: id}, label),
    type === 'area' ? h('textarea', {...common, rows: 4})
      : type === 'select' ? h('select', {...common, value: value || options[0]?.[0]}, choices(options))
        : type === 'place' ? h('div', {class: 'row place'},
          h('select', {...common, value: unit,
            onchange: ({target}) => (target.nextElementSibling.hidden = target.value.startsWith('chapter'))},
            choices(units.amounts), units.chapters.length > 0 && h('optgroup', {label: say.startOf}, choices(units.chapters))),
          h('input', {name: `${name}-amount`, type: 'number', min: 0, step: 'any', 'aria-label': say.amount, value: amount,
            hidden: unit.startsWith('chapter')}))
          : h('input', {...common, type: type === 'when' ? 'datetime-local' : type, value: type === 'when' && value ? wall(value)
            : common.value, autocomplete: 'off'}), said];
}
