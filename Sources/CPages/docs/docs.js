// The reference: the contract as a page. A row's content is created when the row opens.
import {h, render} from '../shared/dom.js';
import {fill, fold} from '../shared/fold.js';
import {frame} from '../shared/frame.js';
import {common} from '../text/common.js';
import {docs} from '../text/docs.js';
import {Contract} from './contract.js';
import {blocks, inline, operationView, schemaView} from './views.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const answer = fetch('/openapi.json').then(response => (response.ok ? response.json() : Promise.reject(response)));
/** @type {Map<string, DocRow>} */
const rows = new Map();
/** @type {DocSection[]} */
let sections = [];
let status = common.loading;
let query = '';

/** @param {string} id @param {any} summary @param {string} words @param {() => any} make
 * @param {Record<string, any>} [props] @returns {DocRow} */
function row(id, summary, words, make, props = {}) {
  const node = fold({key: id, id, class: 'entry', ...props}, summary, make);
  const made = {words: words.toLowerCase(), node, hidden: {...node, props: {...node.props, hidden: true}}, make};
  rows.set(id, made);
  return made;
}
const code = (/** @type {string} */ path) => h('code', {class: 'path'}, path.split(/(?<=\/)/).flatMap(part => [part, h('wbr', null)]));
const summed = (/** @type {any} */ said) => h('span', {class: 'summary'}, said);

/** @param {Contract} contract @returns {DocSection[]} */
function sectionsOf(contract) {
  const [start, ...parts] = String(contract.document.info.description).split(/\n\n(?=\*\*[A-Z])/);
  return [
    {id: 'about', title: docs.about, description: start, rows: parts.map(part => {
      const [, title, rest] = /** @type {RegExpMatchArray} */ (part.match(/^\*\*(.+?)\.?\*\*\s*([^]*)$/));
      return row(`about-${title.replaceAll(' ', '-')}`, summed(title), part, () => blocks(rest[0].toUpperCase() + rest.slice(1)));
    })},
    ...contract.groups.map(({name, description, operations}) => ({id: `tag-${name}`, title: docs.group(name), description,
      rows: operations.map(one =>
      row(one.id, [h('span', {class: 'method'}, one.method), code(one.path), summed(one.summary)], one.words,
        () => operationView(contract, one), {'data-operation': one.id}))})),
    {id: 'problems', title: docs.problems, description: docs.problemsHint, rows: contract.problems.map(([path, meaning]) => row(
      path.slice(1).replace('/', '-'), [code(path), summed(inline(meaning))], path + meaning,
        () => h('p', null, h('a', {href: path}, docs.problemPage))))},
    {id: 'schemas', title: docs.schemas, description: '', rows: Object.keys(contract.schemas).sort().map(name => row(
      `schema-${name}`, code(name), `schema ${name}`,
      () => [blocks(contract.schemas[name].description ?? ''), schemaView(contract, contract.schemas[name])]))},
  ];
}

/** @param {DocRow} found */
const matches = found => query.split(/\s+/).every(word => found.words.includes(word));

/** @param {any} event */
function find(event) {
  query = event.target.value.trim().toLowerCase();
  show();
}

function show() {
  const listed = sections.map(section =>
    ({...section, shown: section.rows.map(one => (matches(one) ? one.node : one.hidden)), isEmpty: !section.rows.some(matches)}));
  const count = [...rows.values()].filter(matches).length;
  render(root, frame('/docs', h('div', {class: 'columns'},
    h('div', {class: 'side'},
      h('h1', {tabindex: -1}, docs.title),
      h('div', {role: 'search'},
        h('label', {for: 'search'}, docs.search),
        h('input', {id: 'search', type: 'search', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'keys', oninput: find}),
        h('p', {id: 'keys', class: 'hint'}, docs.keys)),
      h('p', {class: 'hint', role: 'status'}, query && rows.size ? docs.found(count) : ''),
      h('nav', {'aria-label': docs.contents, class: 'contents'}, listed.map(({id, title, isEmpty}) =>
        h('a', {key: id, href: `#${id}`, hidden: isEmpty}, title)))),
    h('div', {class: 'entries'},
      status && h('p', {class: 'soft', role: 'status'}, status),
      listed.map(({id, title, description, shown, isEmpty}) => h('section',
        {key: id, id, hidden: isEmpty, 'aria-labelledby': `${id}-title`},
        h('h2', {id: `${id}-title`, tabindex: -1}, title), !query && blocks(description), h('div', {class: 'lines'}, shown)))))));
}

/** Opens the address's row. */
function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  const named = rows.get(id);
  if (named && !matches(named)) {
    query = /** @type {HTMLInputElement} */ (document.getElementById('search')).value = '';
    show();
  }
  const element = id && document.getElementById(id);
  if (!element) return;
  if (named && element instanceof HTMLDetailsElement) {
    fill(element, named.make);
    element.open = true;
  }
  element.scrollIntoView();
  /** @type {HTMLElement | null} */ (element.querySelector('summary, h2'))?.focus({preventScroll: true});
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const search = /** @type {HTMLInputElement} */ (document.getElementById('search'));
  const active = /** @type {HTMLElement} */ (document.activeElement);
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.entry:not([hidden]) > summary')]);
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const next = event.key === '/' && active !== search ? search : step && active === search ? all[0] :
    step && all.includes(active) ? all[all.indexOf(active) + step] ?? search : null;
  if (!next) return;
  event.preventDefault();
  next.focus();
});
// Puts an open row into the address, for links.
document.addEventListener('toggle', event => {
  const {open, id} = /** @type {HTMLDetailsElement} */ (event.target);
  if (open && rows.has(id) && location.hash.slice(1) !== id) history.replaceState(null, '', `#${id}`);
}, true);
addEventListener('hashchange', reveal);

show();
try {
  sections = sectionsOf(new Contract(await answer));
  status = '';
} catch {
  status = docs.noContract;
}
show();
reveal();
