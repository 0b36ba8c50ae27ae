// @ts-check
// The text of the inspector.
import {count, text as shared} from './text-common.js';

export const text = {...shared, inspect: {
  title: 'Inspector', lead: 'An event stream as it comes, line by line. Whatever can be watched has a URL to put here.',
  url: 'URL to watch', start: 'Begin',
  /** @type {Record<string, string>} */
  starts: {now: 'now', oldest: 'at the oldest change that is kept', after: 'after an event id'},
  cursor: 'Event id', cursorExample: 'b0c60858-42', connect: 'Connect', badURL: 'This is no path of this server. It begins with /v1/.',
  curl: 'The same with curl', signIn: 'Sign in to watch', noStream: 'The stream has ended, or this URL cannot be watched.',
  connection: 'Connection',
  /** @type {Record<string, string>} */
  states: {idle: 'stopped', connecting: 'connecting', live: 'open', waiting: 'broken, comes back', ended: 'ended'},
  lastID: 'Last id', behind: 'Behind the server', changes: (n = 0) => count(n, 'change', 'changes'), silent: 'Silent for',
  seconds: (n = 0) => `${n} s`, received: 'Received',
  bytes: (n = 0) => (n < 10_000 ? `${n} B` : n < 10_000_000 ? `${Math.round(n / 1000)} kB` : `${Math.round(n / 1_000_000)} MB`),
  break: 'Break the connection', stop: 'Stop', events: 'Events',
  shown: (n = 0, all = 0) => `${n} shown of ${count(all, 'event', 'events')} that came`,
  filter: 'Filter by text', name: 'Event name', anyName: 'all', raw: 'Raw lines', pause: 'Pause',
  goOn: (n = 0) => (n ? `Go on (${n} new)` : 'Go on'),
  clear: 'Clear', none: 'Nothing yet. A line of silence comes every 15 seconds, so the connection is known to be open.',
  cut: (n = 0) => ` … and ${count(n, 'more character', 'more characters')}`, fields: (names = '') => `fields ${names}`,
  value: 'Value', data: 'Data',
}};
