// The reader's page: the shell around the screens. types.d.ts describes a screen.
import {h, render} from '../shared/dom.js';
import {onSessionEnd, signInAddress} from '../shared/api.js';
import {Stream} from '../shared/stream.js';
import {find, startRouter} from '../shared/router.js';
import {useZone} from '../shared/format.js';
import {dialog, head, notHere, soft} from '../shared/parts.js';
import {common} from '../text/common.js';
import {screens} from './screens.js';
import {State} from './state.js';

const always = {me: '/v1/me', settings: '/v1/settings', cards: '/v1/cards'};
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

const stream = new Stream(show);
const state = new State(stream);
/** @type {Route} */
let route = readRoute();
/** @type {ReaderScreen | null | undefined} */
let screen;
let isNew = false;
/** The scroll position of a screen that waits for values.
 * @type {number | null} */
let top = null;
let wasOffline = false;
/** A Boolean value indicating whether the file of the address's screen could not be loaded. */
let hasFailed = false;

function readRoute() {
  const found = find(screens, location.pathname);
  return {path: location.pathname, pattern: found?.pattern ?? '', params: found?.params ?? {}, query: new URLSearchParams(location.search)};
}

/** Opens the address's screen. The former one stays until the file has loaded.
 * @param {number} [scroll] The scroll position; NaN at the start. */
async function open(scroll = NaN) {
  const next = readRoute();
  const load = find(screens, next.path)?.target;
  /** @type {ReaderScreen | null} */
  let found = null;
  let isFailure = false;
  try {
    if (load) found = (await load()).screen;
  } catch {
    isFailure = true;
  }
  if (next.path !== location.pathname || next.query.toString() !== readRoute().query.toString()) return;
  const isOther = screen === undefined || next.path !== route.path;
  route = next;
  screen = found;
  hasFailed = isFailure;
  state.question = null;
  if (isOther) {
    isNew = !isNaN(scroll);
    top = scroll > 0 ? scroll : null;
    state.ui = {};
    state.shown.clear();
    state.forgive();
  }
  show();
}

function show() {
  if (state.settings) useZone(state.settings.timeZone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : state.settings.timeZone);
  const names = screen ? screen.names(route, state) : {};
  stream.watch({...always, ...names});
  state.isIncomplete = hasFailed;
  const main = screen === undefined ? null : screen ? screen.view(route, state) : hasFailed ? soft(common.noAnswer) : notHere();
  document.title = common.pageTitle(screen ? screen.title(route, state) : screen === null && !hasFailed ? common.notHereTitle : '');
  const question = state.question;
  const isOffline = stream.state === 'offline';
  if (wasOffline && stream.state === 'live') {
    // A browser does not load a file again after a failure.
    if (state.isIncomplete) location.reload();
    state.said = common.online;
  }
  wasOffline = isOffline || (wasOffline && stream.state !== 'live');
  render(root,
    head(common.screens, isIn),
    h('div', {id: 'offline', class: 'notice', role: 'status'}, isOffline && h('p', null, common.offline)),
    h('main', {id: 'main', tabindex: -1}, h('div', {key: route.path}, main)),
    question && dialog(state, {
      id: 'question', title: question.title, label: question.label, kind: 'danger', close: () => state.confirm(null),
      run: async values => (await question.run(values), state.confirm(null)),
    }, question.text && h('p', null, question.text), question.more?.()),
    h('div', {id: 'toast', class: 'toast', role: 'status', hidden: !state.toasted}, state.toasted && [
      h('span', {key: 'text'}, state.toasted.text),
      state.toasted.action && h('button', {key: 'act', class: 'quiet', onclick: actOfToast}, state.toasted.action.label),
      h('button', {key: 'close', class: 'quiet', 'aria-label': common.close, onclick: () => state.untoast()}, '×')]),
    h('div', {id: 'said', class: 'unseen', 'aria-live': 'polite'}, state.said));
  settle();
}

/** Does what a toast offers. Its button goes away, so the heading gets the focus. */
function actOfToast() {
  /** @type {HTMLElement | null} */ (document.querySelector('h1'))?.focus();
  state.toasted?.action?.run();
}

/** @param {string} href @returns {boolean} */
function isIn(href) {
  const first = `/${route.path.split('/')[1]}`;
  if (href === '/clubs') return first === '/clubs' || first === '/notes' || first === '/meetings';
  if (href === '/me') return first === '/me' || first === '/settings';
  return !isIn('/clubs') && !isIn('/me');
}

/** Focuses the heading after the address changed, and restores the scroll position. */
function settle() {
  if (screen === undefined) return;
  const heading = isNew && /** @type {HTMLElement | null} */ (root.querySelector('main h1'));
  if (heading) {
    isNew = false;
    if (!document.activeElement?.closest('main > div, dialog')) heading.focus({preventScroll: true});
    scrollTo(0, top ?? 0);
  }
  if (!isNew && top !== null && document.documentElement.scrollHeight >= top + innerHeight) {
    scrollTo(0, top);
    top = null;
  }
}

onSessionEnd(() => location.replace(signInAddress(location.pathname + location.search)));
state.go = startRouter(isLink => open(isLink ? 0 : history.state?.top ?? 0));
stream.onChange = (/** @type {any} */ change, /** @type {string[]} */ names) => screen?.arrived?.(change, names, state);
open();
