// Half-written texts of forms, which the tab keeps until they are sent, and the id under which they are sent. So nothing is lost on
// the way, and a write whose response was lost can be repeated.
import {newID} from './state.js';

/** @param {State} state @param {string} form */
const keyOf = (state, form) => `draft ${state.me?.id} ${location.pathname} ${form}`;

/** @param {State} state @param {string} form @returns {Draft} */
export function draftOf(state, form) {
  const kept = sessionStorage.getItem(keyOf(state, form));
  return kept ? JSON.parse(kept) : {id: newID(), texts: {}};
}

/** @param {string} key @param {Draft} draft */
function keep(key, draft) {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A full storage keeps no draft, but does not prevent sending.
  }
}

/** Keeps what is typed into a multiline field, and what is chosen.
 * @param {State} state @param {string} form @returns {(event: any) => void} */
export const keeping = (state, form) => ({target}) => {
  if (target.tagName === 'INPUT') return;
  const draft = draftOf(state, form);
  keep(keyOf(state, form), {...draft, texts: {...draft.texts, [target.name]: target.value}});
};

/** Sends a form's values under the draft's id, and forgets the draft.
 * @param {State} state @param {string} form @param {(id: string) => Promise<any>} send */
export async function sent(state, form, send) {
  const draft = draftOf(state, form);
  // Sending may open another address.
  const key = keyOf(state, form);
  keep(key, draft);
  try {
    await send(draft.id);
  } catch (/** @type {any} */ error) {
    // Something else was created under this id.
    if (error.status === 410 || error.status === 412) keep(key, {...draftOf(state, form), id: newID()});
    throw error;
  }
  sessionStorage.removeItem(key);
}
