// @ts-check
// Rows, buttons and forms of the operator's page.
import {h} from '../shared/dom.js';
import {copyable} from '../shared/frame.js';
import {common} from '../text/common.js';
import {acts, guarded, set, state} from './data.js';

const locales = [...navigator.languages.filter(name => name.startsWith(common.language)), common.language];
const format = new Intl.DateTimeFormat(locales, {dateStyle: 'medium', timeStyle: 'short'});
/** @param {string} at */
export const time = at => h('time', {datetime: at}, format.format(new Date(at)));

/** @param {string} key */
export const problem = key => h('div', {class: 'problem', role: 'alert', hidden: !acts.refused(key)}, acts.refused(key)?.message ?? '');

/** @param {string} key @param {string} label @param {() => any} run @param {string} [of] A button that changes something. */
export const button = (key, label, run, of) => h('button', {class: 'quiet', type: 'button', disabled: acts.busy(key), 'aria-label': of ? `${label}: ${of}` : null,
  onclick: () => guarded(() => acts.run(key, async () => run()))}, label);

/** @param {string} key @param {Child} title @param {Child[]} details @param {Child[]} buttons */
export const row = (key, title, details, ...buttons) => h('li', {key},
  h('div', {class: 'what'}, h('strong', null, title), details.filter(Boolean).map(detail => h('span', {class: 'soft small'}, detail))),
  h('div', {class: 'buttons'}, buttons), problem(key));

/** @param {Child[]} rows @param {string} none */
export const listOf = (rows, none) => (rows.length ? h('ul', {class: 'plain lines'}, rows) : h('p', {class: 'soft'}, none));

/** @param {string} label */
export const search = label => h('div', {class: 'field'}, h('label', {for: 'query'}, label),
  h('input', {id: 'query', type: 'search', autocomplete: 'off', value: state.query, oninput: event => set({query: event.target.value})}));

/** A form of one line that makes something.
 * @param {string} key @param {string} label @param {(said: any) => Promise<any>} run @param {Child[]} fields */
export const maker = (key, label, run, ...fields) => h('form', {class: 'row maker', onsubmit: event => {
  event.preventDefault();
  const form = event.currentTarget;
  const said = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  guarded(() => acts.run(key, () => run(said).then(() => form.reset())));
}}, ...fields, h('button', {disabled: acts.busy(key)}, label), problem(key));

/** @param {string} name @param {string} label @param {Record<string, any>} [props] */
export const input = (name, label, props) => h('div', {class: 'field'}, h('label', {for: `make-${name}`}, label), h('input', {id: `make-${name}`, name, autocomplete: 'off', ...props}));
/** @param {string} name @param {string} label @param {Record<string, string>} options @param {string} [chosen] */
export const choice = (name, label, options, chosen) => h('div', {class: 'field'}, h('label', {for: `make-${name}`}, label),
  h('select', {id: `make-${name}`, name, ...(chosen && {value: chosen})}, Object.entries(options).map(([value, said]) => h('option', {value}, said))));

/** A secret that is shown once: the state forgets it with the tab. */
export const shownOnce = () => state.made && h('div', {class: 'once', role: 'status'},
  h('p', null, state.made.lead), copyable(state.made.secret, state.made.lead));

/** The dialog that is open, if one is. */
export const dialog = () => state.dialog && h('dialog', {key: state.dialog.title, 'aria-labelledby': 'dialog-title',
  ref: element => element.showModal(), onclose: () => state.dialog?.cancelled?.()},
  h('form', {onsubmit: event => {
    event.preventDefault();
    const said = /** @type {any} */ (Object.fromEntries(new FormData(event.currentTarget)));
    acts.run('dialog', () => state.dialog?.run(said) ?? Promise.resolve());
  }},
    h('h2', {id: 'dialog-title'}, state.dialog.title),
    state.dialog.lead && h('p', null, state.dialog.lead),
    state.dialog.fields?.map(({name, label, type = 'text'}) => h('div', {class: 'field'}, h('label', {for: `dialog-${name}`}, label),
      h('input', {id: `dialog-${name}`, name, type, autocomplete: type === 'password' ? 'current-password' : name === 'name' ? 'username' : 'off'}))),
    problem('dialog'),
    h('div', {class: 'actions'},
      h('button', {type: 'button', onclick: () => state.dialog?.cancelled?.()}, common.cancel),
      h('button', {class: 'primary', disabled: acts.busy('dialog')}, state.dialog.label))));
