// Nodes as plain values, and the patching of a document to match them.
//
// h('p', {class: 'x'}, 'text')    describes an element; render(root, nodes) makes root's children match.
// types.d.ts describes properties and children.

const SVG = 'http://www.w3.org/2000/svg';
/** The node that each element matches.
 * @type {WeakMap<Node, VNode>} */
const nodes = new WeakMap();
/** @type {(() => void)[]} */
let mounted = [];

/** @param {Child[]} children @param {(VNode | string)[]} into */
function flatten(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) flatten(child, into);
    else if (child === null || child === undefined || typeof child === 'boolean') into.push('');
    else into.push(typeof child === 'number' ? String(child) : child);
  }
  return into;
}

/** @param {string} tag @param {Props | null} [props] @param {Child[]} children @returns {VNode} */
export function h(tag, props, ...children) {
  return {tag, key: props?.key, props: props ?? {}, children: flatten(children, [])};
}

/** The focused element, also while it is disabled.
 * @type {any} */
let focused;
/** The last focused element outside of dialogs.
 * @type {any} */
let opener;
const CONTROLS = 'a[href], button, input, select, textarea, summary';

/** Makes the children of `root` match `children`. The focused element keeps the focus; if it goes away, the nearest one gets it.
 * @param {Element} root @param {Child[]} children */
export function render(root, ...children) {
  if (document.activeElement !== document.body) focused = document.activeElement;
  if (focused && !focused.closest('dialog')) opener = focused;
  const [path, back] = [pathOf(focused), pathOf(opener)];
  const wasDisabled = focused?.disabled;
  patchChildren(root, flatten(children, []));
  const calls = mounted;
  mounted = [];
  for (const call of calls) call();
  opener = nearest(back);
  const isLost = wasDisabled || !focused?.isConnected;
  focused = nearest(path) ?? (focused?.closest('dialog') && opener);
  if (document.activeElement !== document.body) return;
  if (isLost) focused?.focus({preventScroll: true});
  if (!focused?.disabled && !focused?.closest('dialog')) focused = null;
}

/** The element, its ancestors, and the neighbours of each.
 * @param {Element | null} element */
function pathOf(element) {
  const path = [];
  for (let at = element; at; at = at.parentElement) path.push({at, near: [at.nextElementSibling, at.previousElementSibling]});
  return path;
}

/** The first element of a path or, if it is gone, the same control of the next row, a control around it, or the section's heading. A new
 * screen sets its own focus.
 * @param {ReturnType<typeof pathOf>} path @returns {any} */
function nearest(path) {
  const first = path[0]?.at;
  const last = path.findIndex(({at}) => at.isConnected) - 1;
  if (last < 0) return first;
  const {at: gone, near} = path[last];
  if (gone.tagName === 'DIALOG') return;
  const index = [...gone.querySelectorAll(CONTROLS)].indexOf(first);
  const rows = near.filter(row => index >= 0 && row?.isConnected && row.tagName === gone.tagName);
  const around = path.slice(last + 1).map(({at}) => at).filter(at => at.parentElement?.closest('main, dialog'));
  for (const area of /** @type {Element[]} */ ([...rows, ...around])) {
    const isSection = area.matches('section, header, main > *');
    const all = [...area.querySelectorAll(isSection ? 'h1, h2, h3' : CONTROLS)];
    const found = /** @type {HTMLElement | undefined} */ (rows.includes(area) && !isSection && all[index] || all[0]);
    if (found && isSection) found.tabIndex = -1;
    if (found) return found;
  }
}

/** @param {Element} parent @param {(VNode | string)[]} children */
function patchChildren(parent, children) {
  /** @type {Map<any, Element> | undefined} */
  let present;
  /** @type {Set<any> | undefined} */
  let wanted;
  let cursor = parent.firstChild;
  const isUnwanted = (/** @type {ChildNode} */ node) => {
    const key = nodes.get(node)?.key;
    if (key === undefined) return false;
    wanted ??= new Set(children.map(child => (typeof child === 'string' ? undefined : child.key)));
    return !wanted.has(key);
  };
  for (const child of children) {
    while (cursor && !matches(cursor, child) && isUnwanted(cursor)) cursor = remove(cursor);
    if (!cursor || !matches(cursor, child)) {
      const key = typeof child === 'string' ? undefined : child.key;
      let found = null;
      if (key !== undefined) {
        present ??= keyed(parent);
        found = present.get(key) ?? null;
        if (found && (found.parentNode !== parent || !matches(found, child))) found = null;
        if (found && cursor && found === cursor.nextSibling) {
          // This element moves away, so that the next ones can stay.
          parent.append(cursor);
          cursor = found;
        }
      } else if (cursor && nodes.get(cursor)?.key === undefined) {
        cursor = remove(cursor);
      }
      if (found !== cursor || !found) cursor = parent.insertBefore(found ?? create(child, parent), cursor);
    }
    if (typeof child === 'string') {
      const text = /** @type {Text} */ (cursor);
      if (text.data !== child) text.data = child;
    } else {
      patch(/** @type {Element} */ (cursor), child);
    }
    cursor = /** @type {ChildNode} */ (cursor).nextSibling;
  }
  while (cursor) cursor = remove(cursor);
}

/** @param {Element} parent */
function keyed(parent) {
  const map = new Map();
  for (const child of parent.children) {
    const key = nodes.get(child)?.key;
    if (key !== undefined) map.set(key, child);
  }
  return map;
}

/** @param {Node} node @param {VNode | string} child */
function matches(node, child) {
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
  const old = nodes.get(node);
  return old !== undefined && old.tag === child.tag && old.key === child.key;
}

/** @param {ChildNode} node */
function remove(node) {
  const next = node.nextSibling;
  if (node instanceof HTMLDialogElement && node.open) {
    node.onclose = null;
    node.close();
  }
  node.remove();
  return next;
}

/** @param {VNode | string} child @param {Element} parent @returns {ChildNode} */
function create(child, parent) {
  if (typeof child === 'string') return document.createTextNode(child);
  const inSVG = child.tag === 'svg' || (parent.namespaceURI === SVG && parent.tagName !== 'foreignObject');
  const element = inSVG ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  nodes.set(element, {tag: child.tag, key: child.key, props: {}, children: []});
  if (child.props.ref) mounted.push(() => child.props.ref(element));
  return element;
}

/** @param {Element} element @param {VNode} next */
function patch(element, next) {
  const old = /** @type {VNode} */ (nodes.get(element));
  if (old === next) return;
  nodes.set(element, next);
  for (const name in old.props) if (!(name in next.props)) set(element, name, null, old.props[name]);
  for (const name in next.props) if (name !== 'value' && next.props[name] !== old.props[name]) set(element, name, next.props[name],
    old.props[name]);
  patchChildren(element, next.children);
  // A select's value needs its options.
  if ('value' in next.props && next.props.value !== old.props.value) set(element, 'value', next.props.value, old.props.value);
}

/** @param {any} element @param {string} name @param {any} value @param {any} old */
function set(element, name, value, old) {
  if (name === 'key' || name === 'ref') return;
  if (name.startsWith('on')) {
    // Returning false would prevent the default action.
    element[name] = value ? (/** @type {Event} */ event) => void value(event) : null;
  } else if (name === 'style') {
    for (const property in old ?? {}) if (!(property in (value ?? {}))) element.style.removeProperty(property);
    for (const property in value ?? {}) if (value[property] !== old?.[property]) element.style.setProperty(property, value[property]);
  } else if ((name === 'value' && 'value' in element && element.tagName !== 'LI') || name === 'checked') {
    // A stored value that changes does not replace what somebody is typing.
    if (name === 'value' && element.matches(':focus:is(input, textarea)') && element.value !== String(old ?? '')) return;
    if (element[name] !== (value ?? '')) element[name] = value ?? '';
  } else if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
}
