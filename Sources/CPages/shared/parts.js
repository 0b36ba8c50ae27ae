// @ts-check
// What several screens show: rings, covers, forms, what went wrong.
import {h} from './dom.js';
import {percent} from './format.js';
import {common} from '../text/common.js';

/** A ring of progress. With a label it is an image for a screen reader, else decoration.
 * @param {number} share @param {{label?: string, kind?: string, number?: boolean}} [options] */
export function ring(share, options = {}) {
  const circle = {cx: 18, cy: 18, r: 15.915};
  return h('svg', {
    class: `ring ${options.kind ?? ''}`, viewBox: '0 0 36 36',
    ...(options.label ? {role: 'img', 'aria-label': options.label} : {'aria-hidden': 'true'}),
  },
    h('circle', {class: 'ring-track', ...circle}),
    h('circle', {class: 'ring-part', ...circle, pathLength: 100, 'stroke-dasharray': `${Math.max(0, Math.min(1, share)) * 100} 100`,
      transform: 'rotate(-90 18 18)'}),
    options.number !== false && h('text', {class: 'ring-number', x: 18, y: 18}, percent(share)));
}

/** A book's cover: set from title and author, with the image above it where the reader's settings ask for images.
 * @param {{id: string, title: string, authors: string[], coverURL?: string | null}} book @param {boolean} withImage */
export function cover(book, withImage) {
  let hue = 7;
  for (const c of book.title) hue = (hue * 31 + (c.codePointAt(0) ?? 0)) % 360_000;
  // The longest word of the title fits the width.
  const longest = Math.max(8, ...book.title.split(/[\s-]+/).map(word => word.length));
  return h('div', {class: 'cover', 'aria-hidden': 'true', style: {'--hue': String(hue % 360), '--longest': String(longest)}},
    h('span', {class: 'cover-title'}, book.title),
    h('span', {class: 'cover-author'}, book.authors.join(', ')),
    withImage && h('img', {
      key: book.coverURL ?? '', src: `/v1/books/${book.id}/cover`, alt: '', loading: 'lazy', decoding: 'async',
        onerror: event => event.target.classList.add('missing'),
    }));
}

/** The nodes of values that have not changed since.
 * @type {WeakMap<object, Map<string, {of: any, node: VNode}>>} */
const kept = new WeakMap();

/** The node made last time for the same value and the same `of` (whatever else it depends on).
 * @param {object} value @param {string} kind @param {any} of @param {() => VNode} make */
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
export const problem = sentences => h('div', {class: 'problem', role: 'alert', hidden: !sentences?.length},
  (sentences ?? []).map(s => h('p', null, s)));

/** A button that does something once at a time; what is refused is in state.refused(key).
 * @param {Acting} state @param {string} key @param {string} label @param {() => Promise<any>} run @param {Props} [props] */
export const button = (state, key, label, run, props) =>
  h('button', {type: 'button', disabled: state.busy(key), onclick: () => state.act(key, run), ...props}, label);

/** A control with its label, and a hint below it.
 * @param {string} id @param {string} label @param {VNode} control @param {string} [hint] */
export function field(id, label, control, hint) {
  Object.assign(control.props, {id, ...(hint && {'aria-describedby': `${id}-hint`})});
  return h('div', {class: 'field', key: id}, h('label', {for: id}, label), control,
    hint && h('p', {id: `${id}-hint`, class: 'hint'}, hint));
}

/** A form; `run` gets its values, those that are empty as null.
 * @param {Acting} state @param {string} key @param {(values: any) => Promise<any>} run @param {Props} props @param {Child[]} children */
export const form = (state, key, run, props, ...children) => h('form', {...props, onsubmit: event => {
  event.preventDefault();
  const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value === '' ? null : value]));
  state.act(key, () => run(values));
}}, children);

/** A form in a modal dialog, which is open as long as it is among the nodes.
 * @param {Acting} state @param {DialogOf} of @param {Child[]} children */
export const dialog = (state, {id, title, label, kind, close, run}, ...children) =>
  h('dialog', {key: id, id, 'aria-labelledby': `${id}-title`, onclose: close, ref: el => el.showModal()},
    form(state, id, run, {}, h('h2', {id: `${id}-title`}, title), children, problem(state.refused(id)), h('div', {class: 'actions'},
      h('button', {type: 'button', onclick: event => event.target.closest('dialog').close()}, common.cancel),
      h('button', {class: kind ?? 'primary', disabled: state.busy(id)}, label))));

/** A section with its heading.
 * @param {string} id @param {string} title @param {Child[]} nodes */
export const section = (id, title, ...nodes) => h('section', {key: id, id, 'aria-labelledby': `${id}-title`},
  h('h2', {id: `${id}-title`}, title), nodes);

/** "Not here, or not yet", for what does not exist or may not be seen now. */
export const notHere = () => h('section', {class: 'empty', id: 'not-here'},
  h('h1', {tabindex: -1}, common.notHereTitle),
  h('p', null, common.notHereMore),
  h('p', null, h('a', {href: '/', class: 'button'}, common.backHome)));
