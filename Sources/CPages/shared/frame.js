// The frame of the operators' and developers' pages, and code with a copy button.
import {h} from './dom.js';
import {head} from './parts.js';
import {common} from '../text/common.js';

/** The head of a page and its main part.
 * @param {'/inspect' | '/docs' | '/admin'} current @param {Child[]} children */
export const frame = (current, ...children) => [
  head(common.pages, href => href === current),
  h('main', {id: 'main', tabindex: -1}, ...children),
];

/** Copies the code, and confirms on the button. Selects it if there is no clipboard (plain HTTP).
 * @param {Event} event */
async function copy(event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const code = /** @type {HTMLElement} */ (button.parentElement?.querySelector('code'));
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = common.copied;
    setTimeout(() => { button.textContent = common.copy; }, 2000);
  } catch {
    getSelection()?.selectAllChildren(code);
  }
}

/** Code with a copy button.
 * @param {string} code @param {string} label */
export const copyable = (code, label) => h('div', {class: 'code'},
  h('pre', {tabindex: 0, role: 'group', 'aria-label': label}, h('code', null, code)),
  h('button', {class: 'quiet', type: 'button', 'aria-live': 'polite', onclick: copy}, common.copy));
