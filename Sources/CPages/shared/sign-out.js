// Signing out, and what the tab then forgets.
import {request} from './api.js';

/** Ends this session, or all of them with `?all=true`.
 * @param {string} [query] */
export async function signOut(query = '') {
  await request('DELETE', `/v1/sessions${query}`);
  forgetDrafts();
}

/** Removes half-written texts: the next person at this browser could read them. */
export function forgetDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('draft ')) sessionStorage.removeItem(key);
}
