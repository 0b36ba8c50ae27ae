// @ts-check
// The little Markdown that the contract uses: paragraphs, lists, indented code, and `code`, **strong**, *emphasis* within them.
import {h} from '../shared/dom.js';
import {copyable} from '../shared/frame.js';
import {text} from '../shared/text-docs.js';


/** @param {string} line
 * @returns {(VNode | string)[]} */
export function inline(line) {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).filter(Boolean).map(part => {
    if (/^`.+`$/.test(part)) return h('code', null, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return h('strong', null, part.slice(2, -2));
    return /^\*.+\*$/.test(part) ? h('em', null, part.slice(1, -1)) : part;
  });
}

/** @param {string} prose
 * @param {string} origin What `$L` stands for. @returns {VNode[]} */
export function blocks(prose, origin) {
  return prose.split(/\n\n+/).filter(block => block.trim()).map(block => {
    if (/^ {4}/.test(block)) {
      return copyable(block.replace(/^ {4}/gm, '').replaceAll('$L', origin), text.docs.commandLine);
    }
    if (/^\* /.test(block)) {
      return h('ul', null, block.slice(2).split(/\n\* /).map(item => h('li', null, inline(item.replace(/\n */g, ' ')))));
    }
    return h('p', null, inline(block.replaceAll('\n', ' ')));
  });
}
