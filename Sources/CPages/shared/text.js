// @ts-check
// The text of the reader's page. What all pages have is in text-common.js.
import {count, digits, text as shared} from './text-common.js';

export const text = {
  ...shared,

  reading: {
    title: 'Reading',
    find: 'Find a book',
    now: 'Now',
    paused: 'Paused',
    finished: 'Finished',
    abandoned: 'Put away',
    record: 'Record',
    /** @param {string} title */
    recordFor: title => `Record progress in ${title}`,
    draft: 'A draft waits here.',
    again: 'read again',
    open: 'You read this now.',
    begin: 'Begin',
    beginAgain: 'Read again',
    pause: 'Pause',
    goOn: 'Go on',
    finish: 'Finish',
    reopen: 'Reopen',
    abandon: 'Put away',
    remove: 'Delete this reading',
    removeText: 'The reading goes, with all its entries. It cannot be brought back.',
    /** @param {string} when */
    finishedOn: when => `Finished ${when}`,
    /** @param {string} when */
    lastRead: when => `Last read ${when}`,
    /** @param {string} when */
    begunOn: when => `Begun ${when}`,
    notBegun: 'Nothing recorded yet',
    saved: 'Saved.',
    savedFinished: 'Saved. You have finished the book.',
    undone: 'Undone.',
    // The editor.
    by: 'Say it by',
    page: 'Page',
    percent: 'Percent',
    /** @param {number} n */
    ofPages: n => `of ${digits.format(n)}`,
    slider: 'Place in the book',
    note: 'Note (may be empty)',
    noteHint: 'It keeps its place in the book. Members of a club see it when they have read so far.',
    audience: 'For whom',
    onlyMe: 'Only me',
    atEnd: 'This is the end: saving finishes the book.',
    // Pace: amounts come as text with their unit.
    units: /** @type {Record<string, (n: number, shown: string) => string>} */ ({
      page: n => count(n, 'page', 'pages'),
      second: (n, shown) => `${shown} min`,
      location: n => count(n, 'location', 'locations'),
      percent: (n, shown) => `${shown} %`,
      progress: (n, shown) => `${shown} %`,
    }),
    /** @param {string} amount @param {string} name @param {string} when */
    aim: (amount, name, when) => `${amount} a day to ${name}, due ${when}`,
    /** @param {string} name @param {string} when */
    aimLate: (name, when) => `${name} was due ${when}`,
    /** @param {string} name */
    aimReached: name => `${name}: reached`,
    onTime: /** @type {Record<string, string>} */ ({yes: 'on time', tight: 'just in time', no: 'too slow so far'}),
    theEnd: 'the end',
    meeting: 'the meeting',
    /** @param {string} amount @param {string} when */
    pace: (amount, when) => `${amount} a day. The end comes about ${when}.`,
    /** @param {string} amount */
    paceAlone: amount => `${amount} a day.`,
    // First run.
    firstTitle: 'Your first book',
    firstText: 'Find a book that you read now, and begin it. Then record where you are, after each time you read: the ring fills, and notes of your clubs open as you reach them.',
    firstClub: 'Somebody gave you a code for a club? Enter it under Clubs.',
    // One reading, its graph and entries.
    graph: 'Progress over time',
    /** @param {string} from @param {string} to @param {string} share @param {number} n */
    graphLabel: (from, to, share, n) => `Progress from ${from} to ${to}: ${share} read, in ${count(n, 'entry', 'entries')}. The entries are listed below.`,
    graphEmpty: 'Record progress twice, and a graph of it is here.',
    entries: 'Entries',
    removeEntry: 'Remove this entry',
    entryRemoved: 'The entry is removed.',
    // Books.
    search: 'Title, author or ISBN',
    searchTitle: 'Find a book',
    searchHint: 'Type a word or two. The list follows as you type.',
    /** @param {number} n */
    found: n => (n ? `${count(n, 'book', 'books')} found` : 'No book found'),
    foundMany: 'The first 30 books that fit. Type more to narrow it.',
    /** @param {string} words */
    suggestion: words => `Did you mean “${words}”?`,
    add: 'Add a book',
    addHint: 'The book is not there? Add it. Everybody here can then find it.',
    edit: 'Correct',
    editTitle: 'Correct this book',
    bookTitle: 'Title',
    authors: 'Authors, separated by commas',
    pageCount: 'Number of pages',
    year: 'Year',
    isbn: 'ISBN',
    coverURL: 'Address of a cover image',
    yours: 'Your readings',
    yourNotes: 'Your notes on this book',
    /** @param {number} n */
    readingNumber: n => (n === 1 ? 'First reading' : `Reading ${n}`),
    shelves: 'Shelves',
    wantToRead: 'Want to read',
    /** @param {string} title */
    wantTitle: title => `Want to read ${title}`,
    shelfEmpty: 'No books yet. Open a book and choose this shelf.',
    newShelf: 'New shelf',
    shelfName: 'Name of the shelf',
    shelfShare: 'Who sees it',
    editShelf: 'Change',
    removeShelf: 'Delete shelf',
    removeShelfText: 'The shelf goes. Its books stay in the catalogue.',
    up: 'Move up',
    down: 'Move down',
    takeOff: 'Take off the shelf',
    /** @param {string} what @param {string} title */
    of: (what, title) => `${what}: ${title}`,
  },

  clubs: {
    title: 'Clubs',
  },

  me: {
    title: 'Me',
    name: 'Name',
    nameHint: 'Members of your clubs see it.',
    settings: 'Settings',
    updateArtwork: 'Show cover images',
    updateArtworkHint: 'Images come from this server. Without them, covers are set in type.',
    syncProgress: 'Send progress by itself',
    syncProgressHint: 'Reading programs on your devices send what you read without asking. This page always sends what you save.',
    presence: 'Show that I am reading',
    presenceHint: 'While this page is open on a club, its members may see that you read now.',
    timeZone: 'Time zone',
    timeZoneHint: 'Times are shown in it, and your reading days begin in it.',
    /** @param {string} zone */
    useZone: zone => `Use ${zone}`,
    share: 'What new clubs see of my progress',
    shareHint: 'For clubs that you join from now on. Each club has its own choice below.',
    shares: /** @type {Record<string, string>} */ ({exact: 'All of it', milestones: 'The last milestone I reached', finished: 'Whether I have finished', nothing: 'Nothing'}),
    sharing: 'What each club sees',
    /** @param {string} club */
    shareWith: club => `What ${club} sees of my progress`,
    noClubs: 'You are in no club yet.',
    devices: 'Devices',
    devicesHint: 'Where you are signed in. Sign out what you do not know, then change your password.',
    /** @param {string} day */
    lastUsed: day => `last used ${day}`,
    thisDevice: 'this one',
    signOut: 'Sign out',
    signOutHere: 'Sign out here',
    signOutAll: 'Sign out everywhere',
    signOutAllText: 'All devices are signed out, this one too.',
    /** @param {string} device */
    signOutOf: device => `Sign out ${device}`,
    password: 'Change password',
    passwordNow: 'Present password',
    passwordNew: 'New password',
    passwordHint: '8 characters or more. Your other devices are signed out.',
    passwordDone: 'The password is changed. Your other devices are signed out.',
    blocks: 'Blocked readers',
    blocksHint: 'You see nothing that they write in clubs. They are not told. You block somebody at one of their notes.',
    noBlocks: 'You block nobody.',
    unblock: 'Unblock',
    /** @param {string} name */
    unblockName: name => `Unblock ${name}`,
    managed: 'Accounts that you manage',
    exportOf: 'Download',
    endAccount: 'End account',
    data: 'Your data',
    dataHint: 'A file with your readings, entries, notes and shelves.',
    exports: [['', 'Everything, to bring in again (JSON lines)'], ['?format=markdown', 'To read (Markdown)'], ['?format=csv', 'For a spreadsheet (CSV)']],
    import: 'Bring in a file',
    importHint: 'A file of JSON lines, from here or from another server. Equal lines change nothing.',
    importNow: 'Bring in',
    importNoFile: 'Choose a file first.',
    importNotOne: 'This is no such file: its first line does not say whose account it is.',
    /** @param {number} done @param {number} all */
    importing: (done, all) => `${digits.format(done)} of ${digits.format(all)} lines`,
    /** @param {any} result */
    imported: ({created, updated, unchanged, refused}) => `${digits.format(created)} new, ${digits.format(updated)} changed, ${digits.format(unchanged)} as before, ${digits.format(refused)} refused.`,
    leave: 'Leave',
    leaveText: 'Your account goes for good, with your readings, private notes and shelves. Your notes in clubs become empty. Download your data first.',
    /** @param {string} name */
    leaveConfirm: name => `Type ${name} to confirm`,
    leaveWrong: 'The name is not the same.',
    saved: 'Saved.',
  },
};
