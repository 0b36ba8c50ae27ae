// @ts-check
// What the parts of the sign-in page share: its state, its writes, and where to go afterwards.
import {Acts} from '../shared/acts.js';
import {returnAddress} from '../shared/api.js';

/** @typedef {'signing-in' | 'joining' | 'resetting' | 'being-here'} View
 * @typedef {{club: {id: string, name: string, description: string | null} | null, maker: {name: string} | null, reader: {name: string} | null}} Preview */

export const state = {
  /** @type {View | null} */
  view: null,
  /** The ways to sign in, as the service has them.
   * @type {any} */
  ways: {},
  /** What the link says before it is used.
   * @type {Preview | null} */
  preview: null,
  /** @type {any} */
  me: null,
  /** @type {any[]} */
  sessions: [],
  /** The session that asks. */
  current: '',
  /** @type {any[]} */
  identities: [],
  /** Said after something was done. */
  said: '',
  /** Why there is nothing to show. */
  failed: '',
};

/** @type {() => void} */
let changed = () => {};
/** @param {() => void} act */
export function onChange(act) {
  changed = act;
}
export const show = () => changed();
export const acts = new Acts(show);

// The secret of a link stands behind the #, which no server is sent: #invitation_… lets somebody in, #reset_… lets somebody choose another
// password. #join is for a newcomer without a link.
export const link = () => (location.hash === '#join' ? '' : location.hash.slice(1));

/** Whether others on the way can read what this page sends. */
export const isPlain = location.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

const KEY = 'lectern-next';
/** Where to go after signing in; "" to stay. An identity provider sends people back without it. */
export function next() {
  return new URLSearchParams(location.search).has('next') ? returnAddress(location.search) : '';
}
export function keepNext() {
  sessionStorage.setItem(KEY, state.preview?.club ? `/clubs/${state.preview.club.id}` : next() || '/');
}
export function takeNext() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept && returnAddress(`?next=${encodeURIComponent(kept)}`);
}

/** What the browser is called in the list of devices, unless its reader says otherwise. */
export function device() {
  const agent = navigator.userAgent;
  const browser = [['Firefox/', 'Firefox'], ['Edg/', 'Edge'], ['OPR/', 'Opera'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']].find(([mark]) => agent.includes(mark));
  const system = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Windows', 'Windows'], ['Mac OS', 'Mac'], ['Linux', 'Linux']]
    .find(([mark]) => agent.includes(mark));
  return [browser?.[1], system?.[1]];
}
