// The page on which people sign in, join by a link, and choose a new password.
import {h, render} from '../shared/dom.js';
import {Refusal, request} from '../shared/api.js';
import {common} from '../text/common.js';
import {joining} from '../text/joining.js';
import {joiningView, resetting, signingIn} from './forms.js';
import {beingHere, list} from './here.js';
import {device, link, next, onChange, show, state, takeNext} from './page.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {EventSource | null} */
let watching = null;

const circle = {cx: 18, cy: 18, r: 15.9};
onChange(() => {
  const {view} = state;
  render(root,
    h('header', {class: 'house'},
      h('svg', {class: 'mark', viewBox: '0 0 36 36', 'aria-hidden': 'true'}, h('circle', circle),
        h('circle', {...circle, class: 'part', pathLength: 100, 'stroke-dasharray': '67 100', transform: 'rotate(-90 18 18)'})),
      h('a', {class: 'brand', href: '/'}, common.product)),
    h('main', {id: 'main', tabindex: -1, 'aria-busy': view === null},
      h('p', {id: 'say', role: 'status'}, state.said),
      h('p', {class: 'problem', role: 'alert', hidden: !state.failed}, state.failed),
      state.failed && h('button', {type: 'button', onclick: () => begin()}, common.retry),
      view === 'signing-in' && signingIn(), view === 'joining' && joiningView(),
      view === 'resetting' && resetting(), view === 'being-here' && beingHere(begin)));
});

/** Returns the signed-in reader, or null. */
const whoIsHere = () => (state.ways.reader === null ? null : request('GET', '/v1/me').catch(error => {
  if (!(error instanceof Refusal) || error.status !== 401) throw error;
  return null;
}));

/** Signs in by a link. A used link does not end an existing session.
 * @param {string} secret @returns {Promise<boolean>} Whether a reader is signed in. */
async function signInBy(secret) {
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await request('POST', '/v1/sessions', {link: secret, device: device(), cookie: true});
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (await whoIsHere()) return true;
    state.said = error.fields['/link'] ? joining.linkNotValid : error.sentences.join(' ');
    return false;
  }
}

/** Shows the sign-in form, instead of a form that cannot be sent, for a link that is not valid.
 * @param {unknown} error */
function notValid(error) {
  if (error instanceof Refusal && error.fields['/link']) {
    state.said = joining.linkNotValid;
    state.view = 'signing-in';
  }
  return null;
}

/** Watches the reader, so that the page shows a new name, and the end of the session. */
function watch() {
  const source = (watching = new EventSource('/v1/me'));
  for (const name of ['snapshot', 'updated']) {
    source.addEventListener(name, ({data}) => {
      const said = JSON.parse(data);
      state.me = {...state.me, ...said.value ?? said};
      document.documentElement.dataset.watched = name;
      show();
    });
  }
  source.onerror = () => source.readyState === EventSource.CLOSED && source === watching && begin();
}

/** Reads the state and shows it.
 * @param {string} [said] */
async function begin(said = state.said) {
  watching?.close();
  watching = null;
  document.documentElement.dataset.watched = 'closed';
  Object.assign(state, {said, failed: ''});
  try {
    state.ways = await request('GET', '/v1/sign-in');
    const secret = link();
    if (secret.startsWith('signin_') && await signInBy(secret)) return location.replace(next() || '/');
    const isReset = secret.startsWith('reset_');
    const isJoining = secret.startsWith('invitation_') || location.hash === '#join' && state.ways.registration === 'open';
    state.me = isReset ? null : await whoIsHere();
    const to = takeNext() || next();
    if (state.me && to) return location.replace(to);
    state.view = state.me ? 'being-here' : isReset ? 'resetting' : isJoining ? 'joining' : 'signing-in';
    state.preview = secret && !state.me && (isReset || isJoining) ?
      await request('POST', '/v1/links/preview', {link: secret}).catch(notValid) : null;
    if (state.me) await list();
    if (state.me) watch();
    document.title = common.pageTitle(joining.titles[state.view]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    state.failed = error.sentences.join(' ');
  }
  show();
  /** @type {HTMLElement | null} */ (document.querySelector('#main section input:not([hidden])'))?.focus();
}

addEventListener('hashchange', () => location.reload());
begin();
