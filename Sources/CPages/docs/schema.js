// @ts-check
// A JSON schema as a list of members; what is inside a member is folded, so that schemas that contain each other end.
import {h} from '../shared/dom.js';
import {fold} from '../shared/frame.js';
import {text} from '../shared/text-docs.js';
import {blocks, inline} from './prose.js';

/** @typedef {import('./contract.js').Contract} Contract
 * @typedef {Record<string, any>} Json */

/** @param {string} ref */
const nameOf = ref => ref.slice(ref.lastIndexOf('/') + 1);

/** The alternatives of a schema, without null.
 * @param {Json} schema @returns {Json[]} */
const alternatives = schema => (schema.anyOf ?? schema.oneOf ?? []).filter((/** @type {Json} */ one) => one.type !== 'null');

/** @param {Json} schema */
const isNullable = schema => [schema.type].flat().includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some((/** @type {Json} */ one) => one.type === 'null');

/** The type in words, as "list of Book, or null".
 * @param {Json} schema @returns {Child[]} */
function typeOf(schema) {
  const orNull = isNullable(schema) ? text.docs.orNull : '';
  if (schema.$ref) return [h('a', {href: `#schema-${nameOf(schema.$ref)}`}, nameOf(schema.$ref))];
  if (schema.const !== undefined) return [h('code', null, JSON.stringify(schema.const))];
  const many = alternatives(schema);
  if (many.length) return [many.map((one, at) => [at ? text.docs.or : '', ...typeOf(one)]), orNull];
  if (schema.allOf) return [schema.allOf.map((/** @type {Json} */ one, /** @type {number} */ at) => [at ? text.docs.and : '', ...typeOf(one)])];
  const types = [schema.type].flat().filter(type => type && type !== 'null').map(type => text.docs.types[type] ?? type);
  if (schema.type === 'array' || (schema.items && !types.length)) return [text.docs.listOf, ...typeOf(schema.items ?? {}), orNull];
  return [types.join(text.docs.or) || text.docs.anything, schema.format ? ` (${schema.format})` : '', orNull];
}

/** What a value must keep to, in words.
 * @param {Json} schema */
function limits(schema) {
  const {docs} = text;
  const range = (/** @type {any} */ least, /** @type {any} */ most, /** @type {string} */ unit) =>
    (least === undefined && most === undefined ? [] : [docs.range(least, most) + unit]);
  return [
    ...range(schema.minimum, schema.maximum, ''), ...range(schema.minLength, schema.maxLength, docs.characters),
    ...range(schema.minItems, schema.maxItems, docs.items), ...range(schema.minProperties, schema.maxProperties, docs.members),
    ...(schema.default === undefined ? [] : [docs.default(JSON.stringify(schema.default))]),
    ...(schema.pattern ? [docs.pattern(schema.pattern)] : []),
  ].join(', ');
}

/** Whether there is more to see in a schema than its type says.
 * @param {Contract} contract @param {Json} schema @returns {boolean} */
function hasInside(contract, schema) {
  const {properties, items, additionalProperties, allOf} = contract.resolved(schema);
  return Boolean(properties || allOf || typeof additionalProperties === 'object' || (items && hasInside(contract, items)) ||
    alternatives(contract.resolved(schema)).some(one => hasInside(contract, one)));
}

/** One member, parameter or alternative.
 * @param {Contract} contract @param {Child} name @param {Json} schema @param {{isRequired?: boolean, note?: string}} options */
export function member(contract, name, schema, options = {}) {
  const {isRequired, note} = options;
  const description = note ?? schema.description ?? '';
  const values = schema.enum ?? [];
  const rule = limits(schema);
  return h('li', null,
    h('div', {class: 'member'}, name, ' ', h('span', {class: 'type'}, typeOf(schema)), isRequired && h('span', {class: 'required'}, text.docs.required)),
    description && h('p', {class: 'note'}, inline(description.replaceAll('\n', ' '))),
    values.length > 0 && h('p', {class: 'note'}, text.docs.oneOf, values.map((/** @type {any} */ value, /** @type {number} */ at) => [at ? ', ' : '', h('code', null, JSON.stringify(value))])),
    rule && h('p', {class: 'note'}, rule),
    hasInside(contract, schema) && fold({}, text.docs.membersOf(schema.$ref ? nameOf(schema.$ref) : ''), () => schemaView(contract, schema)));
}

/** @param {Contract} contract
 * @param {Json} schema @returns {Child[]} */
export function schemaView(contract, schema) {
  const full = contract.resolved(schema);
  if (full.items) return schemaView(contract, full.items);
  const required = new Set(full.required ?? []);
  const members = Object.entries(full.properties ?? {}).map(([name, one]) =>
    member(contract, h('code', {class: 'name'}, name), one, {isRequired: required.has(name)}));
  const more = typeof full.additionalProperties === 'object' && member(contract, h('em', null, text.docs.anyName), full.additionalProperties);
  const several = alternatives(full);
  return [
    (members.length > 0 || more) && h('ul', {class: 'members plain'}, members, more),
    (full.allOf ?? []).map((/** @type {Json} */ one) => schemaView(contract, one)),
    several.length > 0 && (several.length === 1 ? schemaView(contract, several[0]) :
      h('ul', {class: 'members plain'}, several.map(one => member(contract, '', one)))),
    !members.length && !more && !several.length && !full.allOf && h('ul', {class: 'members plain'}, member(contract, '', full, {note: ''})),
  ];
}

/** A named schema with its description.
 * @param {Contract} contract @param {string} name @param {string} origin */
export const namedSchema = (contract, name, origin) => [blocks(contract.schemas[name].description ?? '', origin), schemaView(contract, contract.schemas[name])];
