// A checkbox in a form.
import {h} from '../shared/dom.js';

/** A checkbox, and a hint below it.
 * @param {string} id @param {string} label @param {Props} props @param {string} [hint] */
export const check = (id, label, props, hint) => h('div', {class: 'field', key: id},
  h('label', {class: 'check'}, h('input', {type: 'checkbox', id, ...props, 'aria-describedby': hint && `${id}-hint`}), label),
  hint && h('p', {class: 'hint under-check', id: `${id}-hint`}, hint));
