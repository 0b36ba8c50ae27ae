// Parts of a page that are created when they first open: a contract has thousands.
import {h, render} from './dom.js';

/** @param {Record<string, any>} props @param {Child} summary @param {() => any} make @returns {VNode} */
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
