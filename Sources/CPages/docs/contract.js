// An OpenAPI 3.1 document, as the page reads it.

export class Contract {
  /** @param {Json} document */
  constructor(document) {
    this.document = document;
    /** @type {Json} */
    this.schemas = document.components.schemas;
    /** @type {[string, string][]} */
    this.problems = Object.entries(this.schemas.ProblemType?.['x-enumDescriptions'] ?? {});
    /** @type {OperationGroup[]} */
    this.groups = document.tags.map((/** @type {Json} */ {name, description = ''}) => ({name, description, operations: []}));
    for (const [path, item] of Object.entries(/** @type {Json} */ (document.paths))) {
      for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
        if (!item[method]) continue;
        const operation = this.#operation(method, path, item[method], item.parameters ?? []);
        this.groups.find(({name}) => name === operation.tag)?.operations.push(operation) ??
          this.groups.push({name: operation.tag, description: '', operations: [operation]});
      }
    }
  }

  /** @param {string} method @param {string} path @param {Json} node @param {Json[]} shared @returns {Operation} */
  #operation(method, path, node, shared) {
    const parameters = [...shared, ...(node.parameters ?? [])].map(parameter => this.resolved(parameter));
    const {operationId: id, summary = '', description = ''} = node;
    const words = [id, method, path, summary, description, ...parameters.map(({name}) => name)].join(' ');
    return {id, tag: node.tags?.[0] ?? 'other', method: method.toUpperCase(), path, summary, node, parameters, words};
  }

  /** @param {Json} node @returns {Json} The target of a reference, with the members beside it. */
  resolved(node) {
    if (!node.$ref) return node;
    const {$ref, ...beside} = node;
    const target = $ref.slice(2).split('/').reduce((/** @type {any} */ at, /** @type {string} */ key) => at[key.replaceAll('~1', '/')],
      this.document);
    return {...this.resolved(target), ...beside};
  }

  /** @param {Json} node A media type or a parameter. @returns {{title: string, value: any}[]} */
  examples(node) {
    if (node.example !== undefined) return [{title: '', value: node.example}];
    const all = Object.values(node.examples ?? {}).map(example => this.resolved(example));
    return all.map(({summary = '', value}) => ({title: summary, value}));
  }

  /** @param {Operation} operation @param {string} origin @returns {string} A command line that calls it with its first example. */
  curl({method, path, node, parameters}, origin) {
    const quoted = (/** @type {string} */ text) => `'${text.replaceAll('\'', '\'\\\'\'')}'`;
    const query = parameters.filter(({required, in: place}) => required && place === 'query').map(parameter =>
      `${parameter.name}=${encodeURIComponent(this.examples(parameter)[0]?.value ?? 'VALUE')}`).join('&');
    const url = origin + path.replace(/\{(\w+)\}/g, (_, name) => name.replace(/Id$/, '').toUpperCase()) + (query && `?${query}`);
    const [type, body] = Object.entries(this.resolved(node.requestBody ?? {}).content ?? {})[0] ?? [];
    const value = body && this.examples(body)[0]?.value;
    return ['curl', method !== 'GET' && `-X ${method}`, node.security?.length !== 0 && '-H "Authorization: Bearer $T"',
      type && `-H ${quoted(`Content-Type: ${type}`)}`, value !== undefined &&
        `-d ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`,
      query ? quoted(url) : url].filter(Boolean).join(' ');
  }
}
