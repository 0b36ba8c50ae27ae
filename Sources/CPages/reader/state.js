// @ts-check
// What the screens share: values by name, what is under way, what is said.
import {Refusal} from '../shared/api.js';

export class State {
  /** @param {import('../shared/stream.js').Stream} stream */
  constructor(stream) {
    this.stream = stream;
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {Map<string, 'busy' | string[]>} */
    this.acts = new Map();
    /** @type {Map<string, number>} */
    this.shown = new Map();
    this.said = '';
    /** @type {{text: string, action?: {label: string, run: () => any}} | null} */
    this.toasted = null;
    /** @type {any} */
    this.question = null;
    /** @type {any} */
    this.toastTimer = 0;
    this.device = deviceName();
    /** @type {(address: string, options?: {replace?: boolean}) => void} */
    this.go = () => {};
  }
  /** @param {string} name @returns {any} */
  get(name) {
    return this.stream.get(name).value;
  }
  /** The items of a list, none while it is not there.
   * @param {string} name @returns {any[]} */
  list(name) {
    return this.get(name)?.items ?? [];
  }
  /** The first items of a long list, and more of them with each frame, so that none of them takes long.
   * @template T @param {string} key @param {T[]} items @returns {T[]} */
  some(key, items, step = 30) {
    const shown = this.shown.get(key) ?? step;
    if (shown >= items.length) return items;
    requestAnimationFrame(() => {
      this.shown.set(key, shown + step);
      this.stream.store.schedule();
    });
    return items.slice(0, shown);
  }
  /** @param {string} name */
  gone(name) {
    return this.stream.get(name).gone;
  }
  /** @param {string} name */
  entry(name) {
    return this.stream.get(name);
  }
  get me() {
    return this.stream.get('me').value;
  }
  get settings() {
    return this.stream.get('settings').value;
  }
  /** @param {Record<string, any>} patch */
  set(patch) {
    Object.assign(this.ui, patch);
    this.stream.store.schedule();
  }
  /** Runs a write, once at a time; true if it was done.
   * @param {string} key @param {() => Promise<any>} run */
  async act(key, run) {
    if (this.busy(key)) return false;
    this.acts.set(key, 'busy');
    this.stream.store.schedule();
    try {
      await run();
      this.acts.delete(key);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) {
        this.acts.delete(key);
        throw error;
      }
      this.acts.set(key, error.sentences);
      return false;
    } finally {
      this.stream.store.schedule();
    }
  }
  /** @param {string} key */
  busy(key) {
    return this.acts.get(key) === 'busy';
  }
  /** @param {string} key @returns {string[] | null} */
  refused(key) {
    const sentences = this.acts.get(key);
    return Array.isArray(sentences) ? sentences : null;
  }
  /** Forgets what was refused, as when a form is opened anew.
   * @param {string} key */
  forgive(key) {
    if (!this.busy(key)) this.acts.delete(key);
  }
  /** @param {string} sentence */
  say(sentence) {
    this.said = sentence;
    this.stream.store.schedule();
  }
  /** @param {string} sentence @param {{label: string, run: () => any}} [action] */
  toast(sentence, action) {
    clearTimeout(this.toastTimer);
    this.toasted = {text: sentence, action};
    this.toastTimer = setTimeout(() => this.untoast(), action ? 20_000 : 6_000);
    this.stream.store.schedule();
  }
  /** Asks before something that cannot be taken back.
   * @param {Question | null} question */
  confirm(question) {
    this.question = question;
    this.forgive('question');
    this.stream.store.schedule();
  }
  untoast() {
    clearTimeout(this.toastTimer);
    this.toasted = null;
    this.stream.store.schedule();
  }
}

/** What scenes call this browser. */
function deviceName() {
  let name = localStorage.getItem('device');
  if (!name) {
    name = `browser-${crypto.randomUUID().slice(0, 8)}`;
    localStorage.setItem('device', name);
  }
  return name;
}
