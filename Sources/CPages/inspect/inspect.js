// The inspector: a live event stream.
import {h, render} from '../shared/dom.js';
import {request, signInAddress} from '../shared/api.js';
import {copyable, frame} from '../shared/frame.js';
import {field, select} from '../shared/parts.js';
import {inspect} from '../text/inspect.js';
import {Connection} from './connection.js';
import {KEPT, passes, Ring, rowView} from './rows.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const asked = new URLSearchParams(location.search);
const after = asked.get('after');
/** @type {Record<string, any>} pausedAt: the number of the last event that is shown; head: the server's newest change. */
const state = {url: asked.get('url') ?? '/v1/changes', start: after === null ? 'now' : after ? 'after' : 'oldest', after: after ?? '',
  isBadURL: false, isRaw: false, words: '', name: '', pausedAt: null, head: null};
let ring = new Ring();
/** @type {Set<string>} */
const names = new Set();

let timer = 0;
/** Shows new rows, a few times a second at most. */
const later = () => (timer ||= setTimeout(() => {
  timer = 0;
  show();
}, 150));

const connection = new Connection(event => {
  names.add(event.name);
  if (passes(event, state.words.toLowerCase(), state.name)) ring.add(event);
  later();
}, later);

/** Returns the path to watch on this server, or null. */
function target() {
  try {
    const url = new URL(state.url.trim(), location.origin);
    if (state.start !== 'now') url.searchParams.set('after', state.start === 'after' ? state.after.trim() : '');
    return url.origin === location.origin && url.pathname.startsWith('/v1/') ? url.pathname + url.search : null;
  } catch {
    return null;
  }
}

function start() {
  const url = target();
  ring = new Ring();
  names.clear();
  if (url) connection.start(url);
  set({isBadURL: url === null, pausedAt: null});
}

function clear() {
  ring = new Ring();
  set({pausedAt: state.pausedAt === null ? null : 0});
}

const seqOf = (/** @type {string} */ id) => Number(id.match(/^[0-9a-f]+-(\d+)/)?.[1] ?? NaN);
const bound = (/** @type {string} */ name, on = 'oninput') =>
  ({value: state[name], [on]: (/** @type {any} */ event) => set({[name]: event.target.value})});
/** @param {Record<string, any>} props */
const input = props => h('input', {autocomplete: 'off', spellcheck: 'false', ...props});
/** @param {string} label @param {() => any} onclick @param {Record<string, any>} [props] */
const button = (label, onclick, props) => h('button', {type: 'button', onclick, ...props}, label);

function controls() {
  const url = target();
  return h('form', {class: 'controls', onsubmit: event => {
    event.preventDefault();
    start();
  }},
    field('url', inspect.url, input({...bound('url'), 'aria-describedby': 'url-problem', 'aria-invalid': state.isBadURL})),
    field('start', inspect.start, select(bound('start', 'onchange'), Object.entries(inspect.starts))),
    state.start === 'after' && field('after', inspect.cursor, input({...bound('after'), placeholder: inspect.cursorExample})),
    h('button', {class: 'primary'}, inspect.connect),
    h('p', {id: 'url-problem', class: 'problem', role: 'alert', hidden: !state.isBadURL}, inspect.badURL),
    url && h('div', {class: 'wide'}, copyable(
      `curl -N -H "Authorization: Bearer $T" -H 'Accept: text/event-stream' '${location.origin}${url.replaceAll('\'', '%27')}'`,
        inspect.curl)));
}

function status() {
  const isLive = connection.state === 'live';
  const behind = Math.max(0, state.head - seqOf(connection.lastID));
  return h('section', {class: 'status', 'aria-label': inspect.connection},
    h('dl', null, [
      [inspect.connection, h('span', {class: `state ${connection.state}`, role: 'status'}, inspect.states[connection.state])],
      [inspect.lastID, h('code', null, connection.lastID || '–')],
      [inspect.behind, state.head === null || Number.isNaN(behind) ? '–' : inspect.changes(behind)],
      [inspect.silent, isLive ? inspect.seconds(Math.floor((Date.now() - connection.heardAt) / 1000)) : '–'],
      [inspect.received, inspect.bytes(connection.bytes)],
    ].map(([label, value]) => h('div', null, h('dt', null, label), h('dd', {class: 'numbers'}, value)))),
    h('div', {class: 'row'}, button(inspect.break, () => connection.attempt.abort(), {disabled: !isLive}),
      button(inspect.stop, () => connection.stop(), {disabled: connection.state === 'idle'})));
}

/** @param {Record<string, any>} values */
function set(values) {
  Object.assign(state, values);
  show();
}

function show() {
  const {pausedAt, isRaw, words, name} = state;
  const isShown = (/** @type {any} */ row) => row.number <= (pausedAt ?? Infinity) && passes(row, words.toLowerCase(), name);
  const shown = ring.rows.filter(isShown).slice(-KEPT).reverse();
  render(root, frame('/inspect',
    h('h1', {tabindex: -1}, inspect.title), h('p', {class: 'soft'}, inspect.lead),
    controls(),
    connection.status === 401 ?
      h('p', null, h('a', {class: 'button primary', href: signInAddress(location.pathname + location.search)}, inspect.signIn)) :
      h('div', {class: 'problem', role: 'alert', hidden: connection.state !== 'ended'}, connection.sentences.join(' ') || inspect.noStream),
    status(),
    h('section', {class: 'events', 'aria-labelledby': 'events-title'},
      h('div', {class: 'head'},
        h('h2', {id: 'events-title'}, inspect.events), h('p', {class: 'soft small'}, inspect.shown(shown.length, ring.count))),
      h('div', {class: 'row filters'},
        field('words', inspect.filter, input({type: 'search', ...bound('words')})),
        field('name', inspect.name, select(bound('name', 'onchange'), [['', inspect.anyName], ...[...names].sort().map(name => [name, name])])),
        h('label', {class: 'check'}, h('input', {type: 'checkbox', checked: isRaw, onchange: () => set({isRaw: !isRaw})}), inspect.raw),
        button(pausedAt === null ? inspect.pause : inspect.goOn(ring.count - pausedAt),
          () => set({pausedAt: pausedAt === null ? ring.count : null}), {'aria-pressed': pausedAt !== null}),
        button(inspect.clear, clear, {class: 'quiet'})),
      !shown.length && h('p', {class: 'soft'}, inspect.none),
      h('ol', {class: 'plain lines rows', 'aria-label': inspect.events}, shown.map(row => rowView(row, isRaw))))));
}

/** Reads the server's newest change for a visible page. */
async function ask() {
  if (document.hidden || connection.state === 'idle' || connection.status === 401) return;
  const page = await request('GET', '/v1/changes?limit=1').catch(() => null);
  if (page) set({head: seqOf(page.head)});
}

setInterval(() => connection.state === 'live' && later(), 1000);
setInterval(ask, 3000);
start();
