// The operator's page's data and watches, and writes that need a recent sign-in.
import {Acts} from '../shared/acts.js';
import {Refusal, request} from '../shared/api.js';
import {common} from '../text/common.js';
import {admin} from '../text/admin.js';

/** The maximum age of a sign-in that allows writes. */
const FRESH = 15 * 60_000;
/** Lists that can be watched, by name. */
const lists = {readers: '/v1/readers', links: '/v1/links', tokens: '/v1/tokens', reports: '/v1/reports'};

/** @type {AdminState} */
export const state = {me: null, session: null, isNotHere: false, tab: 'readers', query: '', dialog: null, isOffline: false,
  readers: [], links: [], tokens: [], reports: [], books: null, duplicates: null, loaded: {}};

/** @type {() => void} */
let changed = () => {};
export const onChange = (/** @type {() => void} */ act) => (changed = act);
/** @param {Record<string, any>} [values] */
export function set(values) {
  Object.assign(state, values);
  changed();
}
export const acts = new Acts(set);

/** Reads all pages of a list, up to some thousands of items.
 * @param {string} url */
export async function all(url) {
  const items = [];
  for (let cursor = '', pages = 0; cursor !== null && pages < 50; pages++) {
    const page = await request('GET', `${url}${url.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    cursor = page.next;
  }
  return items;
}

/** @type {Set<string>} */
const stale = new Set();
/** Reads lists again, once for many events.
 * @param {string[]} names */
function refresh(names) {
  if (!stale.size) setTimeout(async () => {
    const due = /** @type {(keyof typeof lists)[]} */ ([...stale]);
    stale.clear();
    for (const name of due) set({[name]: await all(lists[name]).catch(() => state[name]), loaded: {...state.loaded, [name]: true}});
  }, 150);
  for (const name of names) stale.add(name);
}

/** @type {EventSource | null} */
let source = null;
/** Follows the lists over one stream. */
export async function follow() {
  source?.close();
  const made = await request('POST', '/v1/streams', {watch: lists, lease: 120}).catch(() => null);
  if (!made) return void setTimeout(follow, 3000);
  const opened = (source = new EventSource(made.url));
  for (const name of ['snapshot', 'change']) {
    opened.addEventListener(name, ({data}) => {
      const said = JSON.parse(data);
      refresh(said.for?.map((/** @type {any} */ target) => target.name) ?? [said.name]);
    });
  }
  opened.onopen = () => set({isOffline: false});
  opened.onerror = () => {
    set({isOffline: true});
    if (opened.readyState === EventSource.CLOSED && opened === source) setTimeout(follow, 3000);
  };
}

/** @param {string} name @param {string} text */
export const none = (name, text) => (state.loaded[name] ? text : common.loading);

/** @param {AdminDialog} dialog @returns {Promise<boolean>} Whether it ran. */
export const ask = dialog => new Promise(resolve => set({dialog: {
  ...dialog,
  run: (/** @type {any} */ said) => dialog.run(said).then(() => set({dialog: null})).then(() => resolve(true)),
  close: () => {
    set({dialog: null});
    resolve(false);
  },
}}));

/** Runs a write, after a new sign-in if the last one is too old.
 * @param {() => any} run */
export async function guarded(run) {
  const isFresh = Date.now() - Date.parse(state.session.createdAt) < FRESH || await ask({
    title: admin.again, lead: admin.againLead, label: admin.signIn,
    fields: [{name: 'name', label: admin.name}, {name: 'password', label: admin.password, type: 'password'}],
    run: async said => {
      const made = await request('POST', '/v1/sessions', {...said, device: state.session.name, cookie: true});
      if (made.reader !== state.me.id) return new Promise(() => location.assign('/sign-in'));
      set({session: made});
      follow();
    },
  });
  if (isFresh) await run();
}

/** Checks that the viewer is an administrator. */
export async function begin() {
  try {
    const me = await request('GET', '/v1/me');
    if (me.role !== 'administrator') return set({isNotHere: true});
    const {items} = await request('GET', '/v1/tokens?sessions=true&limit=100');
    set({me, session: items.find((/** @type {any} */ session) => session.isCurrent)});
    follow();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    set({isOffline: error.status === 0, isNotHere: error.status !== 0 && error.status !== 401});
    if (error.status === 0) setTimeout(begin, 3000);
  }
}
