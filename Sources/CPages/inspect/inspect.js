// @ts-check
// The inspector: an event stream as it comes.
import {h, render} from '../shared/dom.js';
import {request, signInAddress} from '../shared/api.js';
import {copyable, frame} from '../shared/frame.js';
import {text} from '../shared/text-inspect.js';
import {Connection} from './connection.js';
import {KEPT, passes, Ring, rowView} from './rows.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const asked = new URLSearchParams(location.search);
const state = {
  url: asked.get('url') ?? '/v1/changes', start: asked.has('after') ? (asked.get('after') ? 'after' : 'oldest') : 'now', after: asked.get('after') ?? '',
  isBadURL: false, isRaw: false, words: '', name: '',
  /** The number of the last event that is shown while paused.
   * @type {number | null} */
  pausedAt: null,
  /** The server's newest change; null until it is known.
   * @type {number | null} */
  head: null,
};
const ring = new Ring();
/** @type {Set<string>} */
const names = new Set();
let timer = 0;

/** Shows what is there now, a few times a second at most. */
function later() {
  timer ||= setTimeout(() => {
    timer = 0;
    show();
  }, 150);
}

const connection = new Connection(event => {
  names.add(event.name);
  if (passes({...event, number: 0, at: 0}, state.words, state.name)) ring.add(event);
  later();
}, later, later);

/** The path to watch, of this server only; null where it is none. */
function target() {
  try {
    const url = new URL(state.url.trim(), location.origin);
    if (url.origin !== location.origin || !url.pathname.startsWith('/v1/')) return null;
    if (state.start !== 'now') url.searchParams.set('after', state.start === 'after' ? state.after.trim() : '');
    return url.pathname + url.search;
  } catch {
    return null;
  }
}

/** @param {Event} [event] */
function start(event) {
  event?.preventDefault();
  const url = target();
  state.isBadURL = url === null;
  state.pausedAt = null;
  ring.clear();
  names.clear();
  if (url) connection.start(url);
  show();
}

/** The number of the change that an id names.
 * @param {string} id */
const seqOf = id => Number(id.match(/^[0-9a-f]+-(\d+)/)?.[1] ?? NaN);

/** @param {string} id
 * @param {string} label @param {Record<string, any>} props */
const field = (id, label, props) => h('div', {class: 'field'}, h('label', {for: id}, label), h('input', {id, autocomplete: 'off', spellcheck: 'false', ...props}));

/** @param {keyof typeof state} name
 * @param {string} [on] */
const bound = (name, on = 'oninput') => ({value: String(state[name]), [on]: (/** @type {Event} */ event) => {
  Object.assign(state, {[name]: /** @type {HTMLInputElement} */ (event.target).value});
  show();
}});

function controls() {
  const {inspect} = text;
  const url = target();
  return h('form', {class: 'controls', onsubmit: start},
    field('url', inspect.url, {...bound('url'), 'aria-describedby': 'url-problem', 'aria-invalid': state.isBadURL}),
    h('div', {class: 'field'}, h('label', {for: 'start'}, inspect.start),
      h('select', {id: 'start', ...bound('start', 'onchange')}, Object.entries(inspect.starts).map(([value, label]) => h('option', {value}, label)))),
    state.start === 'after' && field('after', inspect.cursor, {...bound('after'), placeholder: inspect.cursorExample}),
    h('button', {class: 'primary', type: 'submit'}, inspect.connect),
    h('p', {id: 'url-problem', class: 'problem', role: 'alert', hidden: !state.isBadURL}, inspect.badURL),
    url && h('div', {class: 'wide'}, copyable(`curl -N -H "Authorization: Bearer $T" -H 'Accept: text/event-stream' '${location.origin}${url.replaceAll('\'', '%27')}'`, inspect.curl)));
}

function status() {
  const {inspect} = text;
  const isOpen = connection.state === 'live';
  const behind = state.head !== null && connection.lastID ? Math.max(0, state.head - seqOf(connection.lastID)) : NaN;
  return h('section', {class: 'status', 'aria-label': inspect.connection},
    h('dl', null,
      h('div', null, h('dt', null, inspect.connection), h('dd', {class: `state ${connection.state}`, role: 'status'}, inspect.states[connection.state])),
      h('div', null, h('dt', null, inspect.lastID), h('dd', null, h('code', null, connection.lastID || '–'))),
      h('div', null, h('dt', null, inspect.behind), h('dd', {class: 'numbers'}, Number.isNaN(behind) ? '–' : inspect.changes(behind))),
      h('div', null, h('dt', null, inspect.silent), h('dd', {class: 'numbers'}, isOpen ? inspect.seconds(Math.floor((Date.now() - connection.heardAt) / 1000)) : '–')),
      h('div', null, h('dt', null, inspect.received), h('dd', {class: 'numbers'}, inspect.bytes(connection.bytes)))),
    h('div', {class: 'row'},
      h('button', {type: 'button', disabled: !isOpen, onclick: () => connection.break()}, inspect.break),
      h('button', {type: 'button', disabled: connection.state === 'idle', onclick: () => connection.stop()}, inspect.stop)));
}

function show() {
  const {inspect} = text;
  const end = state.pausedAt ?? Infinity;
  const shown = ring.rows.filter(row => row.number <= end && passes(row, state.words, state.name)).slice(-KEPT).reverse();
  const missed = state.pausedAt === null ? 0 : ring.count - state.pausedAt;
  render(root, frame('/inspect',
    h('h1', {tabindex: -1}, inspect.title),
    h('p', {class: 'soft'}, inspect.lead),
    controls(),
    connection.status === 401 ? h('p', null, h('a', {class: 'button primary', href: signInAddress(location.pathname + location.search)}, inspect.signIn)) :
      h('div', {class: 'problem', role: 'alert', hidden: connection.state !== 'ended'}, connection.sentences.length ? connection.sentences.join(' ') : inspect.noStream),
    status(),
    h('section', {class: 'events', 'aria-labelledby': 'events-title'},
      h('div', {class: 'head'},
        h('h2', {id: 'events-title'}, inspect.events),
        h('p', {class: 'soft small numbers'}, inspect.shown(shown.length, ring.count))),
      h('div', {class: 'row filters'},
        field('words', inspect.filter, {type: 'search', ...bound('words')}),
        h('div', {class: 'field'}, h('label', {for: 'name'}, inspect.name),
          h('select', {id: 'name', ...bound('name', 'onchange')}, h('option', {value: ''}, inspect.anyName), [...names].sort().map(name => h('option', {key: name, value: name}, name)))),
        h('label', {class: 'check'}, h('input', {type: 'checkbox', checked: state.isRaw, onchange: () => {
          state.isRaw = !state.isRaw;
          show();
        }}), inspect.raw),
        h('button', {type: 'button', 'aria-pressed': state.pausedAt !== null, onclick: () => {
          state.pausedAt = state.pausedAt === null ? ring.count : null;
          show();
        }}, state.pausedAt === null ? inspect.pause : inspect.goOn(missed)),
        h('button', {type: 'button', class: 'quiet', onclick: () => {
          ring.clear();
          state.pausedAt = state.pausedAt === null ? null : 0;
          show();
        }}, inspect.clear)),
      !shown.length && h('p', {class: 'soft'}, inspect.none),
      h('ol', {class: 'plain lines rows', tabindex: shown.length ? 0 : null, 'aria-label': inspect.events}, shown.map(row => rowView(row, state.isRaw))))));
}

/** The server's newest change, while somebody looks. */
async function ask() {
  if (document.hidden || connection.state === 'idle' || connection.status === 401) return;
  const page = await request('GET', '/v1/changes?limit=1').catch(() => null);
  if (page) state.head = seqOf(page.head);
  later();
}

setInterval(() => connection.state === 'live' && later(), 1000);
setInterval(ask, 3000);
start();
ask();
