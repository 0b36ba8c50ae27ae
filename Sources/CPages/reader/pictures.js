// Rings and covers, and nodes that are reused while their value is equal.
import {h} from '../shared/dom.js';
import {percent} from '../shared/format.js';

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

/** A number that stands for a text.
 * @param {string} text */
function sum(text) {
  let sum = 7;
  for (const c of text) sum = (sum * 31 + (c.codePointAt(0) ?? 0)) % 360_000_000;
  return sum;
}

/** A book's cover: title and author, with the image above if the reader's settings allow images.
 * @param {{id: string, title: string, authors: string[], coverURL?: string | null, coverDigest?: string}} book @param {State} state */
export function cover(book, state) {
  // Each image has its own address, so that browsers do not show a cached one. Without an image the server draws the texts.
  const version = book.coverDigest ?? sum([book.coverURL, book.title, ...book.authors].join('\n'));
  // The longest word of the title fits the width.
  const longest = Math.max(8, ...book.title.split(/[\s-]+/).map(word => word.length));
  return h('div', {class: 'cover', 'aria-hidden': 'true', style: {'--hue': String(sum(book.title) % 360), '--longest': String(longest)}},
    h('span', {class: 'cover-title'}, book.title),
    h('span', {class: 'cover-author'}, book.authors.join(', ')),
    state.settings?.updateArtwork && h('img', {
      key: version, src: `/v1/books/${book.id}/cover?v=${version}`, alt: '', loading: 'lazy', decoding: 'async',
      onerror: event => event.target.classList.add('missing'),
    }));
}

/** A book in a list: its cover, title, a line below, and actions.
 * @param {any} book @param {State} state @param {Child} below @param {Child[]} actions */
export const bookRow = (book, state, below, ...actions) => h('li', {key: book.id, class: 'book-row'}, cover(book, state),
  h('div', {class: 'grow'}, h('h2', {class: 'h3'}, h('a', {class: 'plain', href: `/books/${book.id}`}, book.title)),
    h('p', {class: 'soft small'}, below)),
  h('div', {class: 'row'}, actions));

/** The head of a screen about a book: cover, title, some lines, and actions.
 * @param {any} book @param {State} state @param {Child} title @param {Child[]} lines @param {Child} picture @param {Child[]} actions */
export const hero = (book, state, title, lines, picture, ...actions) => h('div', {class: 'hero'}, cover(book, state),
  h('div', {class: 'grow'}, h('h1', {tabindex: -1}, title), lines), picture, h('div', {class: 'hero-actions'}, actions));

/** The nodes of unchanged values.
 * @type {WeakMap<object, Map<string, {of: any, node: VNode}>>} */
const kept = new WeakMap();

/** Returns the last node for the same value and `of` (its other dependencies).
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
