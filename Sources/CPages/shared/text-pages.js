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

  joining: {
    /** @type {Record<string, string>} */
    titles: {'signing-in': 'Sign in', joining: 'Join', resetting: 'New password', 'being-here': 'Your account'},
    signIn: 'Sign in',
    join: 'Join',
    thenBack: 'After that you see the page that you asked for.',
    name: 'Name to sign in with',
    nameHint: 'You type it to sign in. Nobody else sees it.',
    password: 'Password',
    passwordHint: 'At least 8 characters. Several words are good.',
    readerName: 'Your name',
    readerNameHint: 'The other readers see it.',
    device: 'Name of this device',
    deviceName: 'Device',
    /** @param {string} [browser] @param {string} [system] */
    browserOn: (browser = 'Browser', system) => (system ? `${browser} on ${system}` : browser),
    /** @param {string} provider */
    with: provider => `Continue with ${provider}`,
    areYouNew: 'Are you new?',
    needLink: 'Are you new? Ask somebody who reads here for a link.',
    closed: 'Are you new? Ask the administrator for an account.',
    /** @param {string} club */
    joinClub: club => `Join ${club}`,
    joinHere: 'Read together',
    /** @param {string} maker @param {string} [club] */
    invites: (maker, club) => (club ? `${maker} invites you to read together in ${club}.` : `${maker} invites you to read together.`),
    invited: 'You are invited. Choose how you sign in from now on.',
    isOpen: 'Everybody may join. Choose how you sign in from now on.',
    areYouHere: 'Do you have an account?',
    linkNotValid: 'This link is not valid. It was used or has expired. Ask for a new one.',
    needsHTTPS: 'Sign-in needs HTTPS here. Open the address that your administrator gave you.',
    otherAddress: 'Sign-in does not work at this address. Open the address that your administrator gave you.',
    plain: 'The connection to this address is not encrypted. Type your password only in a network that you trust.',
    newPassword: 'New password',
    /** @param {string} name */
    resetOf: name => `This link is for ${name}. `,
    resetHint: 'All your devices are signed out when you change it.',
    firstName: 'Name to sign in with, if you have none yet',
    firstNameHint: 'Leave it empty to keep the present one.',
    everything: 'Somebody else may have used my account: also end my tokens, other ways to sign in, links and calendar addresses.',
    change: 'Change',
    administrator: 'You are signed in, and you are an administrator.',
    signedIn: 'You are signed in.',
    devices: 'Your devices',
    thisDevice: 'this device',
    /** @param {string} day */
    lastUsed: day => `last used on ${day}`,
    neverUsed: 'not used yet',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
    isOut: 'You are signed out.',
    isOutEverywhere: 'You are signed out everywhere.',
    identities: 'Other ways to sign in',
    /** @param {string} day */
    since: day => `since ${day}`,
    disconnect: 'Disconnect',
    another: 'Add another one',
    proof: 'Type your password. If you have none, sign out and in again first; you have ten minutes then.',
    /** @param {string} provider */
    connect: provider => `Connect ${provider}`,
    current: 'Present password',
    currentHint: 'Leave it empty if you have none.',
    nameAndPassword: 'Change name or password',
    otherName: 'New name to sign in with',
    otherNameHint: 'Leave it empty to keep the present one.',
    isChanged: 'The password is changed. Your other devices are signed out.',
  },

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
