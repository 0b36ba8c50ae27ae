// The values from a stream's events, by name.
import {noteEpoch, request} from './api.js';

/** The maximum number of fetched items per list. */
const MOST = 5000;
/** @type {Entry} */
export const empty = Object.freeze({url: '', value: undefined, gone: null, isRefused: false, ahead: undefined, isLoading: false,
  load: null});

export class Store {
  /** @param {() => void} changed Called once per frame in which something changed. */
  constructor(changed) {
    this.changed = changed;
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    this.isScheduled = false;
    /** Lists whose items were copied since the last frame.
     * @type {Set<string>} */
    this.fresh = new Set();
    /** Items that left a list during its load.
     * @type {Map<string, Set<string>>} */
    this.left = new Map();
  }

  /** @param {string} name */
  get(name) {
    return this.entries.get(name) ?? empty;
  }

  /** Keeps the entries of these names only. A new path clears the entry; a new query keeps its value for now.
   * @param {Record<string, string>} urls */
  keep(urls) {
    for (const [name, entry] of this.entries) {
      if (!(name in urls) || urls[name].split('?')[0] !== entry.url.split('?')[0]) this.entries.delete(name);
    }
    for (const name in urls) {
      const entry = this.entries.get(name);
      if (!entry) this.entries.set(name, {...empty, url: urls[name], isLoading: true});
      else if (entry.url !== urls[name]) Object.assign(entry, {url: urls[name], gone: null, isRefused: false, isLoading: true});
    }
  }

  /** @param {string} name @param {Partial<Entry>} values */
  edit(name, values) {
    const entry = this.entries.get(name);
    if (!entry) return;
    Object.assign(entry, values);
    this.schedule();
  }

  /** @param {string} name @param {string} reason */
  end(name, reason) {
    this.edit(name, {gone: reason, value: undefined, load: null, isLoading: false});
  }

  /** @param {{name: string, value: any}} snapshot */
  snapshot({name, value}) {
    const entry = this.entries.get(name);
    if (!entry) return;
    noteEpoch(value?.after);
    this.fresh.delete(name);
    const old = entry.value;
    const hasMore = Array.isArray(value?.items) && value.next && !new URLSearchParams(entry.url.split('?')[1]).has('limit');
    this.edit(name, {value, gone: null, load: null, isLoading: Boolean(hasMore)});
    if (value?.ahead !== undefined) entry.ahead = value.ahead;
    if (hasMore) this.rest(name, entry, old?.items ?? []);
  }

  /** Fetches the pages after a snapshot's first one. Meanwhile the list keeps its former items.
   * @param {string} name @param {Entry} entry @param {any[]} old */
  async rest(name, entry, old) {
    const load = (entry.load = {});
    const url = entry.url;
    const order = new Map(itemsOf(entry).map((item, i) => [item.id, i]));
    const unseen = new Set(old.map(item => item.id).filter(id => !order.has(id)));
    entry.value = {...entry.value, items: [...itemsOf(entry), ...old.filter(item => unseen.has(item.id))]};
    let cursor = entry.value.next;
    const left = new Set();
    this.left.set(name, left);
    for (let tries = 0; cursor && entry.value.items.length < MOST; ) {
      let page;
      try {
        page = await request('GET', `${url}${url.includes('?') ? '&' : '?'}limit=100&cursor=${encodeURIComponent(cursor)}`);
      } catch {
        if (entry.load !== load || ++tries > 20) return;
        await new Promise(resolve => setTimeout(resolve, 1000 * Math.min(tries, 10)));
        if (entry.load !== load) return;
        continue;
      }
      if (entry.load !== load) return;
      const items = itemsOf(entry).slice();
      /** @type {Map<string, number>} */
      const places = new Map(items.map((item, i) => [item.id, i]));
      for (const item of page.items) {
        order.set(item.id, order.size);
        unseen.delete(item.id);
        const index = places.get(item.id);
        if (index === undefined) left.has(item.id) || items.push(item);
        else if (!(items[index].version >= item.version)) items[index] = item;
      }
      this.fresh.delete(name);
      this.edit(name, {value: {...entry.value, items}});
      cursor = page.next;
    }
    const place = (/** @type {any} */ item) => order.get(item.id) ?? Infinity;
    const items = itemsOf(entry).filter(item => !unseen.has(item.id));
    items.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
    this.fresh.delete(name);
    this.edit(name, {value: {...entry.value, items, next: cursor ?? null}, load: null, isLoading: false});
  }

  /** @param {any} change */
  change(change) {
    for (const target of change.for) {
      const entry = this.entries.get(target.name);
      if (!entry) continue;
      if (Array.isArray(entry.value?.items)) this.changeList(target, entry, change);
      else if (isEnd(target.event)) Object.assign(entry, {value: undefined, gone: target.reason ?? target.event});
      else if (change.value !== undefined) Object.assign(entry, {value: change.value, gone: null});
    }
    this.schedule();
  }

  /** @param {any} target @param {Entry} entry @param {any} change */
  changeList(target, entry, change) {
    // Items are copied once a frame, so that a view may compare lists by identity.
    if (!this.fresh.has(target.name)) {
      this.fresh.add(target.name);
      entry.value = {...entry.value, items: itemsOf(entry).slice()};
    }
    const items = itemsOf(entry);
    const index = items.findIndex(item => item.id === change.id);
    if (isEnd(target.event)) {
      if (index >= 0) items.splice(index, 1);
      if (entry.load) this.left.get(target.name)?.add(change.id);
      return;
    }
    if (entry.load) this.left.get(target.name)?.delete(change.id);
    const value = change.value ?? items[index];
    if (value === undefined) return;
    if (target.before === undefined) {
      if (index >= 0) items[index] = value;
      else items.push(value);
      return;
    }
    if (index >= 0) items.splice(index, 1);
    const next = target.before === null ? -1 : items.findIndex(item => item.id === target.before);
    items.splice(next < 0 ? items.length : next, 0, value);
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const act = () => {
      this.isScheduled = false;
      this.fresh.clear();
      this.changed();
    };
    if (document.hidden) setTimeout(act, 100);
    else requestAnimationFrame(act);
  }
}

/** @param {string} event */
const isEnd = event => event === 'leave' || event === 'deleted' || event === 'hidden';
/** @type {(entry: Entry) => any[]} */
const itemsOf = entry => entry.value.items;
