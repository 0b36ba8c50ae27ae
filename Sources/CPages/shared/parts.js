// @ts-check
// What several screens show: a ring of progress, a cover, what went wrong.
import {h} from './dom.js';
import {percent} from './format.js';
import {text} from './text-common.js';

/** A ring of progress. With a label it is an image for a screen reader; else it is decoration. It has no size but by CSS (.ring).
 * @param {number} share @param {{label?: string, kind?: string, number?: boolean}} [options] */
export function ring(share, options = {}) {
  const length = Math.max(0, Math.min(1, share)) * 100;
  return h('svg', {
    class: `ring ${options.kind ?? ''}`, viewBox: '0 0 36 36',
    ...(options.label ? {role: 'img', 'aria-label': options.label} : {'aria-hidden': 'true'}),
  },
    h('circle', {class: 'ring-track', cx: 18, cy: 18, r: 15.915}),
    h('circle', {class: 'ring-part', cx: 18, cy: 18, r: 15.915, pathLength: 100, 'stroke-dasharray': `${length} 100`, transform: 'rotate(-90 18 18)'}),
    options.number !== false && h('text', {class: 'ring-number', x: 18, y: 18}, percent(share)));
}

/** A book's cover: drawn from title and author, with the image above it where the reader's settings ask for images.
 * @param {{id: string, title: string, authors: string[], coverURL?: string | null}} book @param {boolean} withImage */
export function cover(book, withImage) {
  const src = `/v1/books/${book.id}/cover`;
  return h('div', {class: 'cover', 'aria-hidden': 'true', style: {'--hue': String(hash(book.title) % 360)}},
    h('span', {class: 'cover-title'}, book.title),
    h('span', {class: 'cover-author'}, book.authors.join(', ')),
    withImage && h('img', {
      key: book.coverURL ?? src, src, alt: '', loading: 'lazy', decoding: 'async',
      onerror: (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.target).classList.add('missing'),
    }));
}

/** @param {string} name */
function hash(name) {
  let value = 7;
  for (const c of name) value = (value * 31 + (c.codePointAt(0) ?? 0)) >>> 0;
  return value;
}

/** The nodes of values that have not changed since.
 * @type {WeakMap<object, Map<string, {of: any, node: import("./dom.js").VNode}>>} */
const kept = new WeakMap();

/** Returns the node made last time for the same value and the same `of` (whatever else it depends on).
 * @param {object} value @param {string} kind @param {any} of @param {() => import("./dom.js").VNode} make */
export function once(value, kind, of, make) {
  let nodes = kept.get(value);
  if (!nodes) kept.set(value, (nodes = new Map()));
  const known = nodes.get(kind);
  if (known && known.of === of) return known.node;
  const node = make();
  nodes.set(kind, {of, node});
  return node;
}

/** What went wrong, next to what caused it.
 * @param {string[] | null | undefined} sentences */
export const problem = sentences => h('div', {class: 'problem', role: 'alert', hidden: !sentences?.length}, (sentences ?? []).map(s => h('p', null, s)));

/** A button that does something once at a time; what is refused is in state.refused(key).
 * @param {any} state @param {string} key @param {string} label @param {() => Promise<any>} run @param {Record<string, any>} [props] */
export const button = (state, key, label, run, props) =>
  h('button', {type: 'button', disabled: state.busy(key), onclick: () => state.act(key, run), ...props}, label);

/** A control with its label, and a hint below it.
 * @param {string} id @param {string} label @param {import('./dom.js').VNode} control @param {string} [hint] */
export function field(id, label, control, hint) {
  Object.assign(control.props, {id, ...(hint && {'aria-describedby': `${id}-hint`})});
  return h('div', {class: 'field', key: id}, h('label', {for: id}, label), control, hint && h('p', {id: `${id}-hint`, class: 'hint'}, hint));
}

/** A form in a modal dialog, there as long as it is among the nodes. `run` gets the form's values, those that are empty as null.
 * @param {any} state @param {{id: string, title: string, close: () => void, label: string, kind?: string, run: (values: Record<string, any>) => Promise<any>,
 *   oninput?: (event: Event) => void}} as @param {import('./dom.js').Child[]} children */
export const dialog = (state, as, ...children) =>
  h('dialog', {key: as.id, id: as.id, 'aria-labelledby': `${as.id}-title`, onclose: as.close, ref: (/** @type {HTMLDialogElement} */ el) => el.showModal()},
    form(state, as.id, as.run, {oninput: as.oninput},
      h('h2', {id: `${as.id}-title`}, as.title), children, problem(state.refused(as.id)),
      h('div', {class: 'actions'},
        h('button', {type: 'button', onclick: (/** @type {any} */ event) => event.target.closest('dialog').close()}, text.common.cancel),
        h('button', {class: as.kind ?? 'primary', disabled: state.busy(as.id)}, as.label))));

/** @param {any} state @param {string} key @param {(values: Record<string, any>) => Promise<any>} run
 * @param {Record<string, any>} props @param {import('./dom.js').Child[]} children */
export const form = (state, key, run, props, ...children) =>
  h('form', {...props, onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value === '' ? null : value]));
    state.act(key, () => run(values));
  }}, children);

/** "Not here, or not yet", for what does not exist or may not be seen now. */
export const notHere = () => h('section', {class: 'empty', id: 'not-here'},
  h('h1', {tabindex: -1}, text.common.notHereTitle),
  h('p', null, text.common.notHereMore),
  h('p', null, h('a', {href: '/', class: 'button'}, text.common.backHome)));
