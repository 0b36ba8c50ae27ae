// A part of a screen.
import {h} from '../shared/dom.js';

/** A section with its heading.
 * @param {string} id @param {string} title @param {Child[]} nodes */
export const section = (id, title, ...nodes) => h('section', {key: id, id, 'aria-labelledby': `${id}-title`},
  h('h2', {id: `${id}-title`}, title), nodes);
