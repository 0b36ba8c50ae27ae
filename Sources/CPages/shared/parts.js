// Building blocks of all pages: the head, lists, forms, refusals.
import {h} from './dom.js';
import {common} from '../text/common.js';

/** The head of a page, with the links to its parts.
 * @param {string[][]} links @param {(href: string) => boolean} isHere */
export const head = (links, isHere) => [
  h('a', {class: 'skip', href: '#main', onclick: event => {
    // The hash may be a section.
    event.preventDefault();
    document.getElementById('main')?.focus();
  }}, common.skip),
  h('header', {class: 'top'},
    h('a', {class: 'brand', href: '/'}, common.product),
    h('nav', {'aria-label': common.navigation}, links.map(([href, label]) =>
      h('a', {key: href, href, 'aria-current': isHere(href) ? 'page' : null}, label))))];

/** @param {Child} words */
export const soft = words => h('p', {class: 'soft'}, words);

/** A list with hairlines; `empty` is its text if empty.
 * @param {Child[]} rows @param {string | false} [empty] @param {Props} [props] */
export const lines = (rows, empty, props) => (rows.length ? h('ul', {class: 'plain lines', ...props}, rows)
  : empty && h('p', {class: 'soft'}, empty));

/** A refusal, next to its cause.
 * @param {{sentences: string[]} | null} refused */
export const problem = refused => h('div', {class: 'problem', role: 'alert', hidden: !refused},
  refused?.sentences.map(sentence => h('p', null, sentence)));

/** A button whose action runs once at a time; its refusal is in state.refused(key).
 * @param {Acts} state @param {string} key @param {string} label @param {() => Promise<any>} run @param {Props} [props] */
export const button = (state, key, label, run, props) =>
  h('button', {type: 'button', disabled: state.busy(key), onclick: () => state.act(key, run), ...props}, label);

/** A choice of values with their labels.
 * @param {Props} props @param {string[][]} options */
export const select = (props, options) =>
  h('select', props, options.map(([value, label]) => h('option', {key: value, value, selected: value === props.value}, label)));

/** A control with its label, and a hint below it.
 * @param {string} id @param {string} label @param {VNode} control @param {string} [hint] */
export function field(id, label, control, hint) {
  Object.assign(control.props, {id, ...(hint && {'aria-describedby': `${id}-hint`})});
  return h('div', {class: 'field', key: id}, h('label', {for: id}, label), control,
    hint && h('p', {id: `${id}-hint`, class: 'hint'}, hint));
}

/** Returns whether a required field has no visible character, and says so there.
 * @param {any} form */
export function isBlank(form) {
  const blank = [...form.elements].find(one => one.required && one.type !== 'password' && !/[^\s\p{DI}\p{Cf}\u2800]/u.test(one.value));
  return blank && !((blank.value = ''), blank.reportValidity());
}

/** A form; `run` gets its values, null if empty.
 * @param {Acts} state @param {string} key @param {(values: any) => Promise<any>} run @param {Props} props @param {Child[]} children */
export const form = (state, key, run, props, ...children) => h('form', {...props, onsubmit: async event => {
  event.preventDefault();
  if (isBlank(event.target)) return;
  const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value === '' ? null : value]));
  const {target} = event;
  if (!await state.act(key, () => run(values))) requestAnimationFrame(() => target.querySelector('[aria-invalid=true]')?.focus());
}}, state.placed(key, children));

/** A form in a modal dialog, which is open while it is among the nodes.
 * @param {Acts} state @param {DialogOf} of @param {Child[]} children */
export const dialog = (state, {id, title, label, kind, close, run}, ...children) =>
  h('dialog', {key: id, id, 'aria-labelledby': `${id}-title`, onclose: () => (state.forgive(id), close()), ref: el => el.showModal()},
    form(state, id, run, {}, h('h2', {id: `${id}-title`}, title), children, problem(state.refused(id)), h('div', {class: 'actions'},
      h('button', {type: 'button', onclick: event => event.target.closest('dialog').close()}, common.cancel),
      h('button', {class: kind ?? 'primary', disabled: state.busy(id)}, label))));

/** "Not here, or not yet", for a resource that is missing or locked now. */
export const notHere = () => h('section', {class: 'empty', id: 'not-here'},
  h('h1', {tabindex: -1}, common.notHereTitle),
  h('p', null, common.notHereMore),
  h('p', null, h('a', {href: '/', class: 'button'}, common.backHome)));
