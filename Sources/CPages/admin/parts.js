// Rows, buttons and forms of the operator's page.
import {h} from '../shared/dom.js';
import {copyable} from '../shared/frame.js';
import {dialog, field, form, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {acts, guarded, set, state} from './data.js';

const locales = [...navigator.languages.filter(name => name.startsWith(common.language)), common.language];
const format = new Intl.DateTimeFormat(locales, {dateStyle: 'medium', timeStyle: 'short'});
/** @param {string} at */
export const time = at => h('time', {datetime: at}, format.format(new Date(at)));

/** A button for a write.
 * @param {string} key @param {string} label @param {() => any} run @param {string} [of] */
export const button = (key, label, run, of) => h('button', {class: 'quiet', type: 'button', disabled: acts.busy(key), 'aria-label': of ? `${label}: ${of}` : null,
  onclick: () => guarded(() => acts.act(key, async () => run()))}, label);

/** @param {string} key @param {Child} title @param {Child[]} details @param {Child[]} buttons */
export const row = (key, title, details, ...buttons) => h('li', {key},
  h('div', {class: 'what'}, h('strong', null, title), details.filter(Boolean).map(detail => h('span', {class: 'soft small'}, detail))),
  h('div', {class: 'buttons'}, buttons), problem(acts.refused(key)));

/** @param {string} label */
export const search = label => field('query', label,
  h('input', {type: 'search', autocomplete: 'off', value: state.query, oninput: event => set({query: event.target.value})}));

/** A one-line form that creates something.
 * @param {string} key @param {string} label @param {(said: any) => Promise<any>} run @param {Child[]} fields */
export const maker = (key, label, run, ...fields) => form(acts, key, said => guarded(async () => {
  await run(said);
  /** @type {any} */ (document.querySelector('.maker'))?.reset();
}), {class: 'row maker'}, fields, h('button', {disabled: acts.busy(key)}, label), problem(acts.refused(key)));

/** A secret that is shown once, until the tab changes. */
export const shownOnce = () => state.made && h('div', {class: 'once', role: 'status'},
  h('p', null, state.made.lead), copyable(state.made.secret, state.made.lead));

/** The open dialog, if any. */
export const question = () => state.dialog && dialog(acts, {...state.dialog, id: 'dialog'},
  state.dialog.lead && h('p', null, state.dialog.lead),
  state.dialog.fields?.map(({name, label, type = 'text'}) => field(`dialog-${name}`, label, h('input',
    {name, type, autocomplete: type === 'password' ? 'current-password' : name === 'name' ? 'username' : 'off'}))));
