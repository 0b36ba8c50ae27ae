// What the parts of the sign-in page share: its state, its writes, and where to go afterwards.
import {Acts} from '../shared/acts.js';
import {joining} from '../text/joining.js';

/** view: 'signing-in', 'joining', 'resetting' or 'being-here'; ways: how one signs in, as the service has it; said: what was done.
 * @type {Json & {preview: Preview | null}} */
export const state = {view: null, ways: {}, preview: null, me: null, identities: [], said: '', failed: ''};

/** @type {() => void} */
let changed = () => {};
/** @param {() => void} act */
export const onChange = act => void (changed = act);
export const show = () => changed();
export const acts = new Acts(show);

// The secret of a link stands behind the #, which no server is sent: #invitation_… lets somebody in, #reset_… lets somebody choose another
// password, #signin_… signs somebody in. #join is for a newcomer without a link. &name=… is what an invitation calls the newcomer.
export const link = () => (location.hash === '#join' ? '' : location.hash.slice(1).split('&')[0]);
export const suggestedName = () => new URLSearchParams(location.hash.slice(1)).get('name') ?? '';

/** Whether others on the way can read what this page sends. */
export const isPlain = location.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** The path in `?next=`, if it is one of this origin's own; else "/".
 * @param {string} search */
function returnAddress(search) {
  const to = new URLSearchParams(search).get('next') ?? '/';
  try {
    // As the browser would read it: it drops tabs and line ends, and takes a backslash for a slash.
    const url = new URL(to, location.origin);
    const isOwn = to.startsWith('/') && url.origin === location.origin && !url.pathname.startsWith('//');
    return isOwn && !url.pathname.startsWith('/sign-in') ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}

/** Where to go after signing in; "" where nothing was asked for. */
export const next = () => (new URLSearchParams(location.search).has('next') ? returnAddress(location.search) : '');

const KEY = 'lectern-next';
/** An identity provider sends people back without the address that they asked for. */
export const keepNext = () => sessionStorage.setItem(KEY, state.preview?.club ? `/clubs/${state.preview.club.id}` : next() || '/');
export function takeNext() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept && returnAddress(`?next=${encodeURIComponent(kept)}`);
}

/** What the browser is called in the list of devices, unless its reader says otherwise. */
export function device() {
  const find = (/** @type {string[]} */ ...marks) => marks.find(mark => navigator.userAgent.includes(mark));
  const browser = find('Firefox', 'Edg/', 'OPR/', 'Chrome', 'Safari')?.replace('Edg/', 'Edge').replace('OPR/', 'Opera');
  return joining.browserOn(browser, find('Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'));
}
