// @ts-check
// An operation in full: its description, command line, parameters, body and responses.
import {h} from '../shared/dom.js';
import {copyable, fold} from '../shared/frame.js';
import {text} from '../shared/text-docs.js';
import {blocks, inline} from './prose.js';
import {member, schemaView} from './schema.js';

/** @typedef {import('./contract.js').Contract} Contract
 * @typedef {Record<string, any>} Json */

/** @param {Contract} contract
 * @param {Json} content @param {string} origin */
function bodies(contract, content, origin) {
  return Object.entries(content ?? {}).map(([type, media]) => h('div', {class: 'media'},
    h('p', {class: 'note'}, h('code', null, type)),
    media.schema && schemaView(contract, media.schema),
    contract.examples(media).map(({title, value}) => fold({}, title ? text.docs.exampleOf(title) : text.docs.example, () =>
      copyable(typeof value === 'string' ? value : JSON.stringify(value, null, 2), text.docs.example)))));
}

/** @param {Contract} contract
 * @param {import('./contract.js').Operation} operation @param {string} origin */
export function operationView(contract, operation, origin) {
  const {node, parameters} = operation;
  const description = node.description ?? '';
  const body = contract.resolved(node.requestBody ?? {});
  const isOpen = Array.isArray(node.security) && !node.security.length;
  const heading = (/** @type {string} */ label) => h('h4', null, label);
  return [
    blocks(description, origin),
    !/^ {4}.*curl/m.test(description) && copyable(contract.curl(operation, origin), text.docs.commandLine),
    h('p', {class: 'note'}, isOpen ? text.docs.noToken : text.docs.withToken, ' ', h('a', {href: `#${operation.id}`}, text.docs.linkTo)),
    parameters.length > 0 && [heading(text.docs.parameters), h('ul', {class: 'members plain'}, parameters.map(parameter =>
      member(contract, [h('code', {class: 'name'}, parameter.name), ' ', h('span', {class: 'type'}, text.docs.places[parameter.in], ' ·')],
        {...parameter.schema, ...(parameter.schema?.$ref && contract.resolved(parameter.schema))},
        {isRequired: parameter.required, note: parameter.description})))],
    body.content && [heading(text.docs.body), bodies(contract, body.content, origin)],
    heading(text.docs.responses),
    Object.entries(node.responses).map(([status, response]) => {
      const answer = contract.resolved(response);
      const said = answer.description ?? '';
      const fields = Object.keys(answer.headers ?? {});
      const [first, ...rest] = said.split(/\n\n/);
      return fold({class: 'response'}, [h('code', {class: 'name'}, status), ' ', inline(first.replaceAll('\n', ' '))], () => [
        blocks(rest.join('\n\n'), origin),
        fields.length > 0 && h('p', {class: 'note'}, text.docs.headers, fields.map((name, at) => [at ? ', ' : '', h('code', null, name)])),
        bodies(contract, answer.content, origin),
        !answer.content && h('p', {class: 'note'}, text.docs.noBody)]);
    }),
  ];
}
