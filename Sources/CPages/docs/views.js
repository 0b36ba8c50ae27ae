// Views of the contract's parts. A part's content is created when it opens, because schemas can contain each other.
import {h} from '../shared/dom.js';
import {fold} from '../shared/fold.js';
import {copyable} from '../shared/frame.js';
import {docs} from '../text/docs.js';

/** @typedef {import('./contract.js').Contract} Contract */

/** @param {string} line Prose with `code`, **strong** and *emphasis*. @returns {Child[]} */
export const inline = line => line.replaceAll('\n', ' ').split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).filter(Boolean).map(part =>
  (/^`.+`$/.test(part) ? h('code', null, part.slice(1, -1)) : /^\*\*.+\*\*$/.test(part) ? h('strong', null, part.slice(2, -2)) :
    /^\*.+\*$/.test(part) ? h('em', null, part.slice(1, -1)) : part));

/** @param {string} prose The little Markdown that the contract uses: paragraphs, lists, indented code. @returns {Child[]} */
export const blocks = prose => prose.split(/\n\n+/).filter(block => block.trim()).map(block =>
  (/^ {4}/.test(block) ? copyable(block.replace(/^ {4}/gm, '').replaceAll('$L', location.origin), docs.commandLine) :
    /^\* /.test(block) ? h('ul', null, block.slice(2).split(/\n\* /).map(item => h('li', null, inline(item)))) :
      h('p', null, inline(block))));

const nameOf = (/** @type {string} */ ref) => ref.slice(ref.lastIndexOf('/') + 1);
const list = (/** @type {Child[]} */ ...members) => h('ul', {class: 'members plain'}, members);
const codes = (/** @type {any[]} */ values) => values.map((value, at) => [at ? ', ' : '', h('code', null, value)]);

/** @param {Json} schema @returns {Json[]} Its alternatives, without null. */
const alternatives = schema => (schema.anyOf ?? schema.oneOf ?? []).filter((/** @type {Json} */ one) => one.type !== 'null');

/** @param {Json} schema @returns {Child[]} Its type in words, as "list of Book, or null". */
function typeOf(schema) {
  const types = [schema.type].flat();
  const orNull = [...types, ...(schema.anyOf ?? schema.oneOf ?? []).map((/** @type {Json} */ one) => one.type)].includes('null') ?
    docs.orNull : '';
  if (schema.$ref) return [h('a', {href: `#schema-${nameOf(schema.$ref)}`}, nameOf(schema.$ref))];
  if (schema.const !== undefined) return [h('code', null, JSON.stringify(schema.const))];
  const many = schema.allOf ?? alternatives(schema);
  const between = schema.allOf ? docs.and : docs.or;
  if (many.length) return [many.map((/** @type {Json} */ one, /** @type {number} */ at) => [at ? between : '', typeOf(one)]), orNull];
  if (schema.items) return [docs.listOf, typeOf(schema.items), orNull];
  const names = types.filter(type => type && type !== 'null').map(type => docs.types[type] ?? type);
  return [names.join(docs.or) || docs.anything, schema.format ? ` (${schema.format})` : '', orNull];
}

/** @param {Json} schema @returns {string} The limits of a value. */
const limits = schema => [
  docs.range(schema.minimum, schema.maximum, ''), docs.range(schema.minLength, schema.maxLength, docs.characters),
  docs.range(schema.minItems, schema.maxItems, docs.items), docs.range(schema.minProperties, schema.maxProperties, docs.members),
  schema.default === undefined ? '' : docs.default(JSON.stringify(schema.default)), schema.pattern ? docs.pattern(schema.pattern) : '',
].filter(Boolean).join(', ');

/** @param {Contract} contract @param {Json} schema @returns {boolean} Whether it contains more than its type says. */
function hasInside(contract, schema) {
  const full = contract.resolved(schema);
  return Boolean(full.properties || full.allOf || typeof full.additionalProperties === 'object') ||
    [...alternatives(full), ...(full.items ? [full.items] : [])].some(one => hasInside(contract, one));
}

/** @param {Contract} contract @param {Child} name @param {Json} schema @param {boolean} isRequired @param {string} [note] */
const member = (contract, name, schema, isRequired, note = schema.description ?? '') => h('li', null,
  h('div', {class: 'member'}, name, ' ', h('span', {class: 'type'}, typeOf(schema)),
    isRequired && h('span', {class: 'required'}, docs.required)),
  note && h('p', {class: 'note'}, inline(note)),
  schema.enum && h('p', {class: 'note'}, docs.oneOf, codes(schema.enum.map((/** @type {any} */ value) => JSON.stringify(value)))),
  limits(schema) && h('p', {class: 'note'}, limits(schema)),
  hasInside(contract, schema) && fold({}, docs.membersOf(schema.$ref ? nameOf(schema.$ref) : ''), () => schemaView(contract, schema)));

/** @param {Contract} contract @param {Json} schema @returns {Child[]} */
export function schemaView(contract, schema) {
  const full = contract.resolved(schema);
  if (full.items) return schemaView(contract, full.items);
  const several = alternatives(full);
  const members = Object.entries(full.properties ?? {}).map(([name, one]) =>
    member(contract, h('code', {class: 'name'}, name), one, full.required?.includes(name)));
  const more = full.additionalProperties;
  if (typeof more === 'object') members.push(member(contract, h('em', null, docs.anyName), more, false));
  if (several.length > 1) members.push(...several.map(one => member(contract, '', one, false)));
  if (!members.length && !several.length && !full.allOf) members.push(member(contract, '', full, false, ''));
  const parts = [...(full.allOf ?? []), ...(several.length === 1 ? several : [])];
  return [members.length > 0 && list(...members), parts.map(one => schemaView(contract, one))];
}

/** @param {Contract} contract @param {Json} [content] */
const bodies = (contract, content = {}) => Object.entries(content).map(([type, media]) => h('div', {class: 'media'},
  h('p', {class: 'note'}, h('code', null, type)), media.schema && schemaView(contract, media.schema),
  contract.examples(media).map(({title, value}) => fold({}, docs.exampleOf(title), () =>
    copyable(typeof value === 'string' ? value : JSON.stringify(value, null, 2), docs.exampleOf(title))))));

/** @param {Contract} contract @param {string} status @param {Json} answer */
function response(contract, status, answer) {
  const [first, ...rest] = (answer.description ?? '').split(/\n\n/);
  const fields = Object.keys(answer.headers ?? {});
  return fold({class: 'response'}, [h('code', {class: 'name'}, status), ' ', inline(first)], () => [
    blocks(rest.join('\n\n')), fields.length > 0 && h('p', {class: 'note'}, docs.headers, codes(fields)),
    answer.content ? bodies(contract, answer.content) : h('p', {class: 'note'}, docs.noBody)]);
}

/** @param {Contract} contract @param {Operation} operation */
export function operationView(contract, operation) {
  const {node, parameters, id} = operation;
  const {content} = contract.resolved(node.requestBody ?? {});
  return [
    blocks(node.description ?? ''),
    !/^ {4}.*curl/m.test(node.description) && copyable(contract.curl(operation, location.origin), docs.commandLine),
    h('p', {class: 'note'}, node.security ? docs.noToken : docs.withToken, ' ', h('a', {href: `#${id}`}, docs.linkTo)),
    parameters.length > 0 && [h('h3', null, docs.parameters), list(...parameters.map(({name, in: place, schema, required, description}) =>
      member(contract, [h('code', {class: 'name'}, name), ' ', h('span', {class: 'type'}, docs.places[place], ' ·')],
        {...contract.resolved(schema), ...schema}, required, description)))],
    content && [h('h3', null, docs.body), bodies(contract, content)],
    h('h3', null, docs.responses),
    Object.entries(node.responses).map(([status, answer]) => response(contract, status, contract.resolved(answer))),
  ];
}
