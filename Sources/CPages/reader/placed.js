// Refusals at the fields of a form.
import {h} from '../shared/dom.js';

/** Shows a refusal's sentences at the fields that they are about, by the names of the controls.
 * @param {import('../shared/api.js').Refusal | null} refusal @param {any[]} nodes @returns {any[]} The nodes. */
export function placed(refusal, nodes) {
  const fields = Object.entries(refusal?.fields ?? {});
  const all = fields.length ? nodes.flat(9).filter(Boolean) : [];
  for (const node of all) if (node.children) all.push(...node.children);
  for (const [pointer, sentence] of fields) {
    const [, name, part] = pointer.split('/');
    const field = all.find(node => node.props?.class === 'field' && node.children.some((/** @type {any} */ one) =>
      one.props?.name === name));
    if (!field) continue;
    for (const node of all) if (node.props?.class === 'problem') {
      node.children = node.children.filter((/** @type {any} */ one) => one.children?.[0] !== sentence);
      node.props.hidden = !node.children.length;
    }
    const id = `${field.key}-refused`;
    // A position has its amount beside its unit.
    const amount = part !== 'chapter' && all.find(node => node.props?.name === `${name}-amount`);
    const {props} = amount || field.children.find((/** @type {any} */ one) => one.props?.name);
    Object.assign(props, {'aria-invalid': true, 'aria-describedby': `${id} ${props['aria-describedby'] ?? ''}`});
    field.children.push(h('p', {class: 'problem', id, role: 'alert'}, sentence));
  }
  return nodes;
}
