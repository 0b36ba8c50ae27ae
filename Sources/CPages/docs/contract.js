/**
 * What the page needs to know of an OpenAPI 3.1 document.
 * @typedef {Record<string, any>} Json
 * @typedef {{id: string, tag: string, method: string, path: string, summary: string, node: Json, parameters: Json[], words: string}} Operation
 * @typedef {{name: string, description: string, operations: Operation[]}} Group
 */
const methods = ['get', 'post', 'put', 'patch', 'delete'];

export class Contract {
  /** @param {Json} document */
  constructor(document) {
    this.document = document;
    /** @type {Map<string, Group>} */
    const groups = new Map();
    for (const {name, description = ''} of document.tags ?? []) groups.set(name, {name, description, operations: []});
    for (const [path, item] of Object.entries(document.paths)) {
      for (const method of methods) {
        if (!item[method]) continue;
        const operation = this.#operation(method, path, item[method], item.parameters ?? []);
        const group = groups.get(operation.tag) ?? {name: operation.tag, description: '', operations: []};
        group.operations.push(operation);
        groups.set(operation.tag, group);
      }
    }
    /** @type {Group[]} */
    this.groups = [...groups.values()].filter(({operations}) => operations.length);
    this.operations = this.groups.flatMap(({operations}) => operations);
    /** @type {Json} */
    this.schemas = document.components.schemas;
    /** @type {[string, string][]} */
    this.problems = Object.entries(this.schemas.ProblemType?.['x-enumDescriptions'] ?? {});
  }

  /** @param {string} method
   * @param {string} path @param {Json} node @param {Json[]} shared @returns {Operation} */
  #operation(method, path, node, shared) {
    const parameters = [...shared, ...(node.parameters ?? [])].map(parameter => this.resolved(parameter));
    const {operationId: id, summary = '', description = ''} = node;
    const words = [id, method, path, summary, description, ...parameters.map(({name}) => name)].join(' ').toLowerCase();
    return {id, tag: node.tags?.[0] ?? 'other', method: method.toUpperCase(), path, summary, node, parameters, words};
  }

  /** The object that a reference names, with what stands beside the reference.
   * @param {Json} node @returns {Json} */
  resolved(node) {
    let found = node;
    for (let depth = 0; found?.$ref && depth < 20; depth++) {
      const {$ref, ...beside} = found;
      const target = $ref.slice(2).split('/').reduce((/** @type {any} */ at, /** @type {string} */ key) =>
        at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
      found = {...target, ...beside};
    }
    return found ?? {};
  }

  /** The values of a media type's examples, or of a parameter's.
   * @param {Json} node @returns {{title: string, value: any}[]} */
  examples(node) {
    if (node.example !== undefined) return [{title: '', value: node.example}];
    return Object.values(node.examples ?? {}).map(example => this.resolved(example)).map(({summary = '', value}) => ({title: summary, value}));
  }

  /** A command line that calls the operation with its first example.
   * @param {Operation} operation @param {string} origin */
  curl({method, path, node, parameters}, origin) {
    const quoted = (/** @type {string} */ text) => `'${text.replaceAll('\'', '\'\\\'\'')}'`;
    const query = parameters.filter(({required, in: place}) => required && place === 'query')
      .map(parameter => `${parameter.name}=${encodeURIComponent(String(this.examples(parameter)[0]?.value ?? parameter.name.toUpperCase()))}`).join('&');
    const url = origin + path.replace(/\{(\w+)\}/g, (_, name) => name.replace(/Id$/, '').toUpperCase()) + (query && `?${query}`);
    const words = ['curl'];
    if (method !== 'GET') words.push('-X', method);
    if (!Array.isArray(node.security) || node.security.length) words.push('-H', '"Authorization: Bearer $T"');
    const [type, body] = Object.entries(this.resolved(node.requestBody ?? {}).content ?? {})[0] ?? [];
    if (type) words.push('-H', quoted(`Content-Type: ${type}`));
    const value = body && this.examples(body)[0]?.value;
    if (value !== undefined) words.push('-d', quoted(typeof value === 'string' ? value : JSON.stringify(value)));
    return [...words, /[?&]/.test(url) ? quoted(url) : url].join(' ');
  }
}
