// @ts-check
// The reference: the contract as a page. Rows first; what a row holds is made when it is opened.
import {h, render} from '../shared/dom.js';
import {fill, fold, frame} from '../shared/frame.js';
import {text} from '../shared/text-docs.js';
import {Contract} from './contract.js';
import {operationView} from './operation.js';
import {blocks, inline} from './prose.js';
import {namedSchema} from './schema.js';

/** @typedef {{id: string, words: string, node: VNode, hidden: VNode, make: () => any}} Row */
/** @typedef {{id: string, title: string, description: string, rows: Row[]}} Section */

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const {origin} = location;
const answer = fetch('/openapi.json').then(response => (response.ok ? response.json() : Promise.reject(response)));
let failed = false;
/** @type {Contract | null} */
let contract = null;
/** @type {Section[]} */
let sections = [];
/** @type {Map<string, Row>} */
const rows = new Map();
let query = '';

/** @param {string} id
 * @param {any} summary @param {string} words @param {() => any} make @param {Record<string, any>} [props] @returns {Row} */
function row(id, summary, words, make, props = {}) {
  const node = fold({key: id, id, class: 'entry', ...props}, summary, make);
  const made = {id, words: words.toLowerCase(), node, make,
    hidden: {...node, props: {...node.props, hidden: true}}};
  rows.set(id, made);
  return made;
}

/** @param {Contract} from
 * @returns {Section[]} */
function sectionsOf(from) {
  const [start, ...parts] = String(from.document.info.description).split(/\n\n(?=\*\*[A-Z])/);
  return [
    {id: 'about', title: text.docs.about, description: start, rows: parts.map(part => {
      const [, title, rest] = /** @type {RegExpMatchArray} */ (part.match(/^\*\*(.+?)\.?\*\*\s*([^]*)$/));
      return row(`about-${title.replaceAll(' ', '-')}`, h('span', {class: 'summary'}, title), part, () => blocks(rest[0].toUpperCase() + rest.slice(1), origin));
    })},
    ...from.groups.map(({name, description, operations}) => ({id: `tag-${name}`, title: text.docs.group(name), description,
      rows: operations.map(operation => row(operation.id, [
        h('span', {class: 'method'}, operation.method), h('code', {class: 'path'}, operation.path.split(/(?<=\/)/).flatMap(part => [part, h('wbr', null)])),
        h('span', {class: 'summary'}, operation.summary)],
      operation.words, () => operationView(from, operation, origin), {'data-operation': operation.id}))})),
    {id: 'problems', title: text.docs.problems, description: text.docs.problemsHint, rows: from.problems.map(([path, meaning]) =>
      row(path.slice(1).replace('/', '-'), [h('code', {class: 'path'}, path), h('span', {class: 'summary'}, inline(meaning))], `${path} ${meaning}`,
        () => h('p', null, h('a', {href: path}, text.docs.problemPage))))},
    {id: 'schemas', title: text.docs.schemas, description: '', rows: Object.keys(from.schemas).sort().map(name =>
      row(`schema-${name}`, h('code', {class: 'path'}, name), `schema ${name}`, () => namedSchema(from, name, origin)))},
  ];
}

/** @param {Row} found */
const matches = found => query.split(/\s+/).every(word => found.words.includes(word));

function show() {
  let count = 0;
  const listed = sections.map(section => {
    const shown = section.rows.map(one => {
      const isShown = !query || matches(one);
      if (isShown) count++;
      return isShown ? one.node : one.hidden;
    });
    return {section, shown, isEmpty: Boolean(query) && shown.every(node => node.props.hidden)};
  });
  render(root, frame('/docs',
    h('div', {class: 'columns'},
      h('div', {class: 'side'},
        h('h1', {tabindex: -1}, text.docs.title),
        h('div', {role: 'search'},
          h('label', {for: 'search'}, text.docs.search),
          h('input', {id: 'search', type: 'search', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'keys', oninput: (/** @type {Event} */ event) => {
            query = /** @type {HTMLInputElement} */ (event.target).value.trim().toLowerCase();
            show();
          }}),
          h('p', {id: 'keys', class: 'hint'}, text.docs.keys)),
        h('p', {class: 'hint', role: 'status'}, contract && query ? text.docs.found(count) : ''),
        h('nav', {'aria-label': text.docs.contents, class: 'contents'}, listed.map(({section, isEmpty}) =>
          h('a', {key: section.id, href: `#${section.id}`, hidden: isEmpty}, section.title)))),
      h('div', {class: 'entries'},
        !contract && h('p', {class: 'soft', role: 'status'}, failed ? text.docs.noContract : text.common.loading),
        listed.map(({section, shown, isEmpty}) => h('section', {key: section.id, id: section.id, hidden: isEmpty, 'aria-labelledby': `${section.id}-title`},
          h('h2', {id: `${section.id}-title`, tabindex: -1}, section.title),
          !query && blocks(section.description, origin),
          h('div', {class: 'lines'}, shown)))))));
}

/** Opens what the address names. */
function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  const element = id && document.getElementById(id);
  if (!element) return;
  const named = rows.get(id);
  if (named && query && !matches(named)) {
    query = '';
    /** @type {HTMLInputElement} */ (document.getElementById('search')).value = '';
    show();
  }
  if (named && element instanceof HTMLDetailsElement) {
    fill(element, named.make);
    element.open = true;
  }
  element.scrollIntoView();
  /** @type {HTMLElement | null} */ (element.querySelector('summary, h2'))?.focus({preventScroll: true});
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const search = /** @type {HTMLInputElement | null} */ (document.getElementById('search'));
  if (event.key === '/' && document.activeElement !== search) {
    event.preventDefault();
    search?.select();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.entry:not([hidden]) > summary')]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = at >= 0 ? all[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? search : document.activeElement === search ? all[0] : null;
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
});
// Opening a row is something that a link can name.
document.addEventListener('toggle', event => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (details.open && rows.has(details.id) && location.hash.slice(1) !== details.id) history.replaceState(null, '', `#${details.id}`);
}, true);
addEventListener('hashchange', reveal);

show();
try {
  contract = new Contract(await answer);
  sections = sectionsOf(contract);
} catch {
  failed = true;
}
show();
reveal();
