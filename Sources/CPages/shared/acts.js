// Writes that run once at a time, and their refusals.
import {Refusal} from './api.js';

export class Acts {
  /** @type {Map<string, 'busy' | Refusal>} */
  #all = new Map();

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** Runs a write unless it runs already. Returns whether it succeeded.
   * @param {string} key @param {() => Promise<any>} run */
  async act(key, run) {
    if (this.busy(key)) return false;
    this.#all.set(key, 'busy');
    this.changed();
    try {
      await run();
      this.#all.delete(key);
      return true;
    } catch (error) {
      this.#all.delete(key);
      if (!(error instanceof Refusal)) throw error;
      this.#all.set(key, error);
      return false;
    } finally {
      this.changed();
    }
  }

  /** @param {string} key */
  busy = key => this.#all.get(key) === 'busy';

  /** @param {string} key @returns {Refusal | null} */
  refused(key) {
    const found = this.#all.get(key);
    return found instanceof Refusal ? found : null;
  }

  /** Shows a form's refusal at its fields, where the page can.
   * @param {string} key @param {any[]} nodes */
  placed = (key, nodes) => nodes;

  /** Clears a refusal, as when a form opens again, or all.
   * @param {string} [key] */
  forgive(key) {
    for (const one of key ? [key] : this.#all.keys()) if (!this.busy(one)) this.#all.delete(one);
  }
}
