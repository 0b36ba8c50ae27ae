// @ts-check
// The text of the pages besides the reader's. What all pages have is in text-common.js.
import {count, text as shared} from './text-common.js';

export const text = {
  ...shared,

  frame: {
    /** @type {Record<string, string>} */
    pages: {'/inspect': 'Inspector', '/docs': 'Reference', '/admin': 'Administration'},
    copy: 'Copy',
    copied: 'Copied',
  },

  joining: {},

  inspect: {
    title: 'Inspector',
    lead: 'An event stream as it comes, line by line. Whatever can be watched has a URL to put here.',
    url: 'URL to watch',
    start: 'Begin',
    /** @type {Record<string, string>} */
    starts: {now: 'now', oldest: 'at the oldest change that is kept', after: 'after an event id'},
    cursor: 'Event id',
    cursorExample: 'b0c60858-42',
    connect: 'Connect',
    badURL: 'This is no path of this server. It begins with /v1/.',
    curl: 'The same with curl',
    signIn: 'Sign in to watch',
    noStream: 'The stream has ended, or this URL cannot be watched.',
    connection: 'Connection',
    /** @type {Record<string, string>} */
    states: {idle: 'stopped', connecting: 'connecting', live: 'open', waiting: 'broken, comes back', ended: 'ended'},
    lastID: 'Last id',
    behind: 'Behind the server',
    /** @param {number} n */
    changes: n => count(n, 'change', 'changes'),
    silent: 'Silent for',
    /** @param {number} n */
    seconds: n => `${n} s`,
    received: 'Received',
    /** @param {number} n */
    bytes: n => (n < 10_000 ? `${n} B` : n < 10_000_000 ? `${Math.round(n / 1000)} kB` : `${Math.round(n / 1_000_000)} MB`),
    break: 'Break the connection',
    stop: 'Stop',
    events: 'Events',
    /** @param {number} n @param {number} all */
    shown: (n, all) => `${n} shown of ${count(all, 'event', 'events')} that came`,
    filter: 'Filter by text',
    name: 'Event name',
    anyName: 'all',
    raw: 'Raw lines',
    pause: 'Pause',
    /** @param {number} n */
    goOn: n => (n ? `Go on (${n} new)` : 'Go on'),
    clear: 'Clear',
    none: 'Nothing yet. A line of silence comes every 15 seconds, so the connection is known to be open.',
    /** @param {number} n */
    cut: n => ` … and ${count(n, 'more character', 'more characters')}`,
    /** @param {string} names */
    fields: names => `fields ${names}`,
    value: 'Value',
    data: 'Data',
  },

  docs: {
    title: 'Reference',
    about: 'Conventions',
    /** @param {string} name */
    group: name => name[0].toUpperCase() + name.slice(1),
    problems: 'Problem types',
    problemsHint: 'A refused request says in `type` what is wrong.',
    problemPage: 'The page of this problem type',
    schemas: 'Schemas',
    search: 'Search',
    keys: 'Press / to search, arrow up and down to move, Enter to open.',
    /** @param {number} n */
    found: n => (n ? count(n, 'result', 'results') : 'Nothing has all these words. Try fewer.'),
    contents: 'Contents',
    noContract: 'The server does not send its contract. Load the page again in a moment.',
    commandLine: 'Command line',
    example: 'Example',
    /** @param {string} title */
    exampleOf: title => `Example: ${title}`,
    noToken: 'Needs no token.',
    withToken: 'Needs a token or a session.',
    linkTo: 'Link to this operation',
    parameters: 'Parameters',
    /** @type {Record<string, string>} */
    places: {query: 'query', path: 'path', header: 'header field', cookie: 'cookie'},
    body: 'Request body',
    responses: 'Responses',
    headers: 'Header fields: ',
    noBody: 'It has no body.',
    orNull: ', or null',
    or: ' or ',
    and: ' and ',
    /** @type {Record<string, string>} */
    types: {string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object', array: 'list'},
    listOf: 'list of ',
    anything: 'any value',
    /** @param {any} least @param {any} most */
    range: (least, most) => (least === most ? `exactly ${least}` : least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`),
    characters: ' characters',
    items: ' items',
    members: ' members',
    /** @param {string} value */
    default: value => `default ${value}`,
    /** @param {string} pattern */
    pattern: pattern => `matches ${pattern}`,
    required: 'required',
    oneOf: 'One of ',
    /** @param {string} name */
    membersOf: name => (name ? `Members of ${name}` : 'Members'),
    anyName: 'any name',
  },

  admin: {},
};
