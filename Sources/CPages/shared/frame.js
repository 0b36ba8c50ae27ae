// The frame of the pages for those who run the service or build on it, code that can be copied, and parts made when they are opened.
import {h, render} from './dom.js';
import {head} from './parts.js';
import {common} from '../text/common.js';

/** @param {'/inspect' | '/docs' | '/admin'} current @param {Child[]} children The head of a page and its main part. */
export const frame = (current, ...children) => [
  head(common.pages, href => href === current),
  h('main', {id: 'main', tabindex: -1}, ...children),
];

/** @param {Event} event Copies, and says so on the button. Without a clipboard (plain HTTP) it selects the text instead. */
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

/** @param {string} code @param {string} label Code with a button that copies it. */
export const copyable = (code, label) => h('div', {class: 'code'},
  h('pre', {tabindex: 0, role: 'group', 'aria-label': label}, h('code', null, code)),
  h('button', {class: 'quiet', type: 'button', 'aria-live': 'polite', onclick: copy}, common.copy));

/** A part that is made when it is first opened: a contract has thousands of them.
 * @param {Record<string, any>} props @param {Child} summary @param {() => any} make @returns {VNode} */
export function fold(props, summary, make) {
  return h('details', {
    ...props, ontoggle: (/** @type {Event} */ event) => {
      const details = /** @type {HTMLDetailsElement} */ (event.currentTarget);
      if (details.open) fill(details, make);
    },
  }, h('summary', null, summary), h('div', {class: 'inside'}));
}

/** @param {HTMLDetailsElement} details @param {() => any} make */
export function fill(details, make) {
  const inside = /** @type {Element} */ (details.lastElementChild);
  if (!inside.firstChild) render(inside, make());
}
