// Addresses: the screen of a path, and links that change it without loading a page.

/** Finds the first pattern of a path, as '/clubs/:club'.
 * @template T @param {[string, T][]} table @param {string} path */
export function find(table, path) {
  for (const [pattern, target] of table) {
    const found = path.match(new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`));
    if (found) return {pattern, params: {...found.groups}, target};
  }
  return null;
}

/** Calls `changed(isNew)` when the address changes; `isNew` unless the reader goes back or forward.
 * @param {(isNew: boolean) => void} changed */
export function startRouter(changed) {
  // Reading scrollY forces a layout, which is too slow while a long page unloads.
  let top = 0;
  addEventListener('scroll', () => (top = scrollY), {passive: true});
  const keep = () => history.replaceState({...history.state, top}, '');
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => changed(false));
  addEventListener('pagehide', keep);
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.dataset.load !== undefined) return;
    if (/^\/(v1|pages|sign-in|inspect|docs|admin|openapi)/.test(link.pathname)) return;
    event.preventDefault();
    if (link.hash && link.pathname === location.pathname) return void document.getElementById(link.hash.slice(1))?.focus();
    go(link.pathname + link.search + link.hash);
  });

  /** @param {string} address @param {{replace?: boolean}} [options] */
  function go(address, options = {}) {
    if (options.replace) history.replaceState(history.state, '', address);
    else {
      keep();
      history.pushState(null, '', address);
    }
    changed(!options.replace);
  }
  return go;
}
