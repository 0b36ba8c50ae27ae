// The screens' shared state: values by name, pending writes, messages.
import {h} from '../shared/dom.js';
import {Refusal} from '../shared/api.js';
import {Acts} from '../shared/acts.js';
import {common} from '../text/common.js';
import {placed} from './placed.js';

/** The time after which a write is late, in milliseconds. */
const PATIENCE = 8000;

export class State extends Acts {
  /** @param {import('../shared/stream.js').Stream} stream */
  constructor(stream) {
    super(() => stream.store.schedule());
    this.stream = stream;
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {Map<string, number>} */
    this.shown = new Map();
    /** The keys of late writes.
     * @type {Set<string>} */
    this.late = new Set();
    this.said = '';
    /** @type {{text: string, action?: {label: string, run: () => any}} | null} */
    this.toasted = null;
    /** @type {any} */
    this.question = null;
    /** @type {any} */
    this.toastTimer = 0;
    this.device = deviceName();
    /** A Boolean value indicating whether a file of the present screen could not be loaded. */
    this.isIncomplete = false;
    /** @type {(address: string, options?: {replace?: boolean}) => void} */
    this.go = () => {};
  }
  /** Runs a write, and says so where its refusal would stand if it takes long.
   * @override @param {string} key @param {() => Promise<any>} run */
  async act(key, run) {
    if (this.busy(key)) return false;
    const timer = setTimeout(() => (this.late.add(key), this.changed()), PATIENCE);
    const isDone = await super.act(key, run).finally(() => (clearTimeout(timer), this.late.delete(key)));
    const refusal = super.refused(key);
    // Its place may be gone, as that of a closed form.
    if (refusal) setTimeout(() => [...document.querySelectorAll('.problem')].some(one => one.textContent?.includes(refusal.sentences[0]))
      || this.toast(refusal.sentences.join(' ')), 100);
    return isDone;
  }
  /** @override @param {string} key @returns {Refusal | null} */
  refused(key) {
    return this.late.has(key) ? new Refusal(0, [common.late]) : super.refused(key);
  }
  /** @param {string} key @param {any[]} nodes */
  placed = (key, nodes) => placed(this.refused(key), nodes);
  /** @param {string} name @returns {any} */
  get(name) {
    return this.stream.get(name).value;
  }
  /** The items of a list; none until it is loaded.
   * @param {string} name @returns {any[]} */
  list(name) {
    return this.get(name)?.items ?? [];
  }
  /** The first items of a long list, and more with each frame, so that no frame takes long.
   * @template T @param {string} key @param {T[]} items @returns {T[]} */
  some(key, items, step = 20) {
    const shown = this.shown.get(key) ?? step;
    if (shown >= items.length) return items;
    requestAnimationFrame(() => {
      this.shown.set(key, shown + step);
      this.changed();
    });
    return items.slice(0, shown);
  }
  /** @param {string} name */
  entry(name) {
    return this.stream.get(name);
  }
  get me() {
    return this.get('me');
  }
  get settings() {
    return this.get('settings');
  }
  /** @param {Record<string, any>} patch */
  set(patch) {
    Object.assign(this.ui, patch);
    this.changed();
  }
  /** @param {string} sentence @param {{label: string, run: () => any}} [action] */
  toast(sentence, action) {
    clearTimeout(this.toastTimer);
    this.toasted = {text: sentence, action};
    this.toastTimer = setTimeout(() => this.untoast(), action ? 20_000 : 6_000);
    this.changed();
  }
  /** The handler of a control that writes each choice. It goes back if the write fails.
   * @param {string} key @param {any} value @param {(value: any) => Promise<any>} write @returns {(event: any) => Promise<void>} */
  choosing(key, value, write) {
    return async ({target}) => {
      const name = target.type === 'checkbox' ? 'checked' : 'value';
      if (!await this.act(key, () => write(target[name]))) target[name] = value;
    };
  }
  /** A button that asks before an irreversible action.
   * @param {string} label @param {Omit<Question, 'label'>} question @param {Props} [props] */
  asking(label, question, props) {
    return h('button', {key: label, type: 'button', class: 'quiet',
      [question.title.startsWith(label) ? 'aria-label' : 'title']: question.title, onclick: () => this.confirm({label, ...question}), ...props}, label);
  }
  /** Asks before an irreversible action.
   * @param {Question | null} question */
  confirm(question) {
    this.question = question;
    this.forgive('question');
    this.changed();
  }
  untoast() {
    clearTimeout(this.toastTimer);
    this.toasted = null;
    this.changed();
  }
}

/** The browser's name in scenes. */
function deviceName() {
  let name = localStorage.getItem('device');
  if (!name) {
    // Over plain HTTP there is no crypto.randomUUID.
    name = `browser-${newID().slice(-8)}`;
    localStorage.setItem('device', name);
  }
  return name;
}

/** Returns a UUIDv7, which keeps lists in order. A write with it can be repeated. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let i = 5; i >= 0; i--, time = Math.floor(time / 256)) bytes[i] = time % 256;
  bytes[6] = (bytes[6] & 15) | 112;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
