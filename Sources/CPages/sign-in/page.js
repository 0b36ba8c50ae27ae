// The sign-in page's shared state, its writes, and the next address.
import {Acts} from '../shared/acts.js';
import {joining} from '../text/joining.js';

/** view: 'signing-in', 'joining', 'resetting' or 'being-here'; ways: the server's ways to sign in; said: the last result, also of the
 * page before.
 * @type {Json & {preview: Preview | null}} */
export const state = {view: null, ways: {}, preview: null, me: null, identities: [],
  said: location.search === '?deleted' ? joining.isDeleted : '', failed: ''};

/** @type {() => void} */
let changed = () => {};
/** @param {() => void} act */
export const onChange = act => void (changed = act);
export const show = () => changed();
export const acts = new Acts(show);

// A link's secret is after the #, which no server gets: #invitation_… creates an account, #reset_… changes a password,
// #signin_… signs in. #join is for a new reader without a link. &name=… is an invitation's name for the new reader.
export const link = () => (location.hash === '#join' ? '' : location.hash.slice(1).split('&')[0]);
export const suggestedName = () => new URLSearchParams(location.hash.slice(1)).get('name') ?? '';

/** Whether the network can read this page's requests. */
export const isPlain = location.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** The path in `?next=`, if it is one of this origin's own; else "/".
 * @param {string} search */
function returnAddress(search) {
  const to = new URLSearchParams(search).get('next') ?? '/';
  try {
    // Parses like the browser, which drops tabs and line ends, and reads a backslash as a slash.
    const url = new URL(to, location.origin);
    const isOwn = to.startsWith('/') && url.origin === location.origin && !url.pathname.startsWith('//');
    return isOwn && !url.pathname.startsWith('/sign-in') ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}

/** The address after sign-in; "" if none was requested. */
export const next = () => (new URLSearchParams(location.search).has('next') ? returnAddress(location.search) : '');

const KEY = 'lectern-next';
/** Stores the next address, which an identity provider does not return. */
export const keepNext = () => sessionStorage.setItem(KEY, state.preview?.club ? `/clubs/${state.preview.club.id}` : next() || '/');
export function takeNext() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept && returnAddress(`?next=${encodeURIComponent(kept)}`);
}

/** The browser's default name in the list of devices. */
export function device() {
  const find = (/** @type {string[]} */ ...marks) => marks.find(mark => navigator.userAgent.includes(mark));
  const browser = find('Firefox', 'Edg/', 'OPR/', 'Chrome', 'Safari')?.replace('Edg/', 'Edge').replace('OPR/', 'Opera');
  return joining.browserOn(browser, find('Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'));
}
