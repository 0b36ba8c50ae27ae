// A page's watches on one connection: names with URLs in, values by name out. types.d.ts explains them (Watched).
//
//   const stream = new Stream(render);
//   stream.watch({cards: '/v1/cards', found: {url: '/v1/books?q=ice', debounce: true}});
//   stream.get('cards')      the entry: {value, gone, ahead, isLoading}; value is undefined until the first snapshot
import {noteEpoch, request, Refusal, sessionEnded} from './api.js';
import {Store} from './store.js';

const LEASE = 900;

export class Stream {
  /** @param {() => void} changed Called once per frame in which something arrived. */
  constructor(changed) {
    this.store = new Store(changed);
    /** @type {'connecting' | 'live' | 'offline' | 'ended'} */
    this.state = 'connecting';
    /** The page's names.
     * @type {Record<string, Watched>} */
    this.wanted = {};
    /** The server's names, each with the entry that gets its values; null if it is unknown what the server has.
     * @type {Map<string, {text: string, entry: Entry} | null>} */
    this.told = new Map();
    /** @type {any} The stream's id and URL. */
    this.made = null;
    /** @type {EventSource | null} */
    this.source = null;
    this.lastID = '';
    this.heardAt = Date.now();
    this.isSyncing = this.isAgain = this.isReviving = false;
    this.failures = 0;
    /** @type {any} */
    this.timer = 0;
    /** Called with each change after it is applied, for announcements.
     * @type {((change: any, names: string[]) => void) | null} */
    this.onChange = null;
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => document.hidden || this.hurry());
    // A connection can also die without a word, while the reader looks at the page.
    setInterval(() => this.state === 'live' && !document.hidden && this.hurry(), 15_000);
    addEventListener('pagehide', () => this.forget());
    addEventListener('pageshow', event => event.persisted && this.sync());
  }

  /** @param {string} name */
  get(name) {
    return this.store.get(name);
  }

  /** @param {Record<string, Watched>} names */
  watch(names) {
    this.wanted = names;
    this.store.keep(Object.fromEntries(Object.entries(names).map(([name, watched]) => [name, urlOf(watched)])));
    this.sync();
  }

  /** Sends the wanted names: one request at a time, until the server has them. */
  async sync() {
    if (this.isSyncing || this.state === 'ended') {
      this.isAgain = true;
      return;
    }
    this.isSyncing = true;
    try {
      do {
        this.isAgain = false;
        if (this.made) await this.update();
        else await this.make();
      } while (this.isAgain);
      this.failures = 0;
      if (this.isLive()) this.become('live');
    } catch (error) {
      this.failed(error);
    } finally {
      this.isSyncing = false;
    }
  }

  async make() {
    const names = this.acceptable();
    if (!Object.keys(names).length) return;
    const made = await this.ask('POST', '/v1/streams', {watch: names, lease: LEASE, debounce: 250}, names);
    if (!made) return;
    this.made = made;
    this.told = new Map(Object.entries(names).map(([name, watched]) => [name, {text: JSON.stringify(watched), entry: this.get(name)}]));
    this.lastID = '';
    this.open();
  }

  async update() {
    const names = this.acceptable();
    const isReviving = this.isReviving;
    this.isReviving = false;
    /** @type {Record<string, Watched | null>} */
    const watch = {};
    /** @type {Map<string, {text: string, entry: Entry}>} */
    const next = new Map();
    for (const [name, told] of this.told) {
      const entry = this.get(name);
      // A name that is gone, or whose value the page has dropped, must be removed before it can start again.
      const mustRestart = !told || (isReviving && entry.gone === 'notFound') || (told.entry !== entry
        && told.text === JSON.stringify(names[name]));
      if (!(name in names) || mustRestart) watch[name] = null;
    }
    for (const name in names) {
      const text = JSON.stringify(names[name]);
      if (name in watch || this.told.get(name)?.text === text) continue;
      watch[name] = names[name];
      next.set(name, {text, entry: this.get(name)});
    }
    if (!Object.keys(watch).length) return;
    try {
      if (!(await this.ask('PATCH', `/v1/streams/${this.made.id}`, {watch}, names))) return;
    } catch (error) {
      for (const name in watch) this.told.set(name, null);
      throw error;
    }
    for (const name in watch) {
      const told = next.get(name);
      if (told) this.told.set(name, told);
      else this.told.delete(name);
      if (!told && name in names) this.isAgain = true;
    }
  }

  /** The wanted names without those that the server refused.
   * @returns {Record<string, Watched>} */
  acceptable() {
    return Object.fromEntries(Object.entries(this.wanted).filter(([name]) => !this.get(name).isRefused));
  }

  /** Sends a stream request; a name that the server refuses is gone, and the rest is sent again.
   * @param {string} method @param {string} url @param {any} body @param {Record<string, Watched>} names */
  async ask(method, url, body, names) {
    try {
      return await request(method, url, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const refused = Object.keys(error.fields).map(pointer =>
        pointer.match(/^\/watch\/([^/]+)/)?.[1].replaceAll('~1', '/').replaceAll('~0', '~'));
      const bad = refused.filter(name => name !== undefined && name in names);
      if (error.status === 422 && bad.length) {
        for (const name of bad) this.store.edit(String(name), {gone: 'notFound', isRefused: true});
      } else if (error.status === 404 && method === 'PATCH') {
        this.drop();
      } else {
        throw error;
      }
      this.isAgain = true;
      this.store.schedule();
      return null;
    }
  }

  open() {
    this.source?.close();
    const url = this.made.url + (this.lastID ? `&after=${encodeURIComponent(this.lastID)}` : '');
    const source = (this.source = new EventSource(url));
    const on = (/** @type {string} */ type, /** @type {(data: any) => void} */ act) =>
      source.addEventListener(type, event => {
        if (source !== this.source) return;
        const message = /** @type {MessageEvent} */ (event);
        if (message.lastEventId) {
          this.lastID = message.lastEventId;
          noteEpoch(message.lastEventId);
        }
        this.heardAt = Date.now();
        act(message.data ? JSON.parse(message.data) : {});
      });
    source.onopen = () => {
      if (source !== this.source) return;
      this.failures = 0;
      this.heardAt = Date.now();
      this.become('live');
    };
    source.onerror = () => {
      if (source !== this.source) return;
      this.become('offline');
      // A closed source does not reconnect: the stream or session may have ended, or a proxy responded.
      if (source.readyState === EventSource.CLOSED) this.retry(() => this.check());
    };
    on('snapshot', data => this.store.snapshot(data));
    on('change', data => {
      this.store.change(data);
      // Progress may unlock names that were not found.
      if (data.resource === 'card') {
        this.isReviving = true;
        this.sync();
      }
      this.onChange?.(data, data.for.map((/** @type {any} */ target) => target.name));
    });
    on('gone', ({name, reason}) => this.store.end(name, reason));
    on('ahead', data => this.store.edit(data.name, {ahead: data.ahead ?? data.count}));
    // Their ids move the cursor, too.
    for (const name of ['subscribed', 'reset', 'bookmark']) on(name, () => {});
    on('taken', () => this.again());
    // A new password ends the session, and its response, which may still be on its way, has the next one. Without a session the new
    // stream is refused.
    on('end', ({reason}) => {
      if (reason === 'readerSuspended') return this.end();
      this.drop();
      this.retry(() => this.sync());
    });
  }

  /** Checks why the connection ended, and reopens it or creates a new stream. */
  async check() {
    const controller = new AbortController();
    const patience = setTimeout(() => controller.abort(), 10_000);
    try {
      const made = await request('GET', `/v1/streams/${this.made.id}`, undefined, {signal: controller.signal});
      if (made) this.open();
    } catch (error) {
      // The connection may only seem to be open.
      this.source?.close();
      if (controller.signal.aborted) return this.failed(new Refusal(0, []));
      if (error instanceof Refusal && error.status === 404) this.again();
      else this.failed(error);
    } finally {
      clearTimeout(patience);
    }
  }

  /** @param {any} error */
  failed(error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401) return this.end();
    this.become('offline');
    this.retry(() => (this.made && !this.isLive() ? this.check().then(() => this.sync()) : this.sync()));
  }

  isLive() {
    return this.source?.readyState === EventSource.OPEN;
  }

  /** @param {() => void} act */
  retry(act) {
    clearTimeout(this.timer);
    const wait = Math.min(8000, 500 * 2 ** Math.min(this.failures++, 5));
    this.timer = setTimeout(act, wait * (0.75 + Math.random() / 2));
  }

  /** Reconnects after the network or page returned: a connection that was silent for long may be dead. */
  hurry() {
    if (this.state === 'ended' || !this.made) return void this.sync();
    if (this.state === 'live' && Date.now() - this.heardAt < 60_000) return;
    clearTimeout(this.timer);
    this.failures = 0;
    this.check().then(() => this.sync());
  }

  drop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = this.made = null;
    this.told = new Map();
    this.lastID = '';
  }

  again() {
    this.drop();
    this.sync();
  }

  end() {
    this.drop();
    this.become('ended');
    sessionEnded();
  }

  /** Deletes the stream when the page unloads. */
  forget() {
    const id = this.made?.id;
    this.drop();
    if (id) request('DELETE', `/v1/streams/${id}`, undefined, {keepalive: true}).catch(() => {});
  }

  /** @param {Stream['state']} state */
  become(state) {
    if (this.state === state) return;
    this.state = state;
    this.store.schedule();
  }
}

/** @param {Watched} watched */
const urlOf = watched => (typeof watched === 'string' ? watched : watched.url);
