// @ts-check
// Text that every page has. Each page has a file that adds to it. A second language is another set of these files.

export const language = 'en';
const rules = new Intl.PluralRules(language);
export const digits = new Intl.NumberFormat(language);
/** @param {number} n @param {string} one @param {string} other */
export const count = (n, one, other) => `${digits.format(n)} ${rules.select(n) === 'one' ? one : other}`;

/** Texts as they are: inside, functions need no types of their own.
 * @type {<T extends Strings>(texts: T) => T} */
export const strings = texts => texts;

export const text = {
  language,
  /** Names of members of request bodies, as they begin a sentence about what is wrong with them. */
  fields: {
    name: 'The name', title: 'The title', authors: 'The author', isbn: 'The ISBN', pageCount: 'The number of pages', page: 'The page',
    progress: 'The progress', position: 'The place in the book', note: 'The note', body: 'The text', quote: 'The quotation',
      language: 'The language',
    password: 'The password', current: 'The present password', device: 'The device', readerName: 'The name that others see',
      link: 'The link',
    timeZone: 'The time zone', place: 'The place', startsAt: 'The time', dueAt: 'The date', code: 'The code',
      description: 'The description',
    publishedYear: 'The year', coverURL: 'The address of the cover', happenedAt: 'The time', state: 'The state', reason: 'The reason',
  },

  common: {
    product: 'Lectern',
    skip: 'Skip to the content',
    navigation: 'Main',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    remove: 'Remove',
    undo: 'Undo',
    retry: 'Try again',
    more: 'More',
    loading: 'Loading',
    offline: 'The server cannot be reached. You see what was last there. It goes on by itself.',
    online: 'Connected again.',
    noAnswer: 'The server does not answer. Try again in a moment.',
    refused: 'The server refused this.',
    changedMeanwhile: 'Somebody changed this meanwhile. Look at what is there now, then try again.',
    notHere: 'Not here, or not yet.',
    notHereTitle: 'Not here, or not yet',
    notHereMore: 'There is nothing at this address that you may see now.',
    backHome: 'Go to your reading',
    /** @param {string} label @param {string} detail */
    violation: (label, detail) => (/^[a-z]/.test(detail) ? `${label} ${detail}` : `${label}: ${detail}`).replace(/([^.!?])$/, '$1.'),
    /** @param {number} seconds */
    tryAgainIn: seconds => `Try again in ${count(seconds, 'second', 'seconds')}.`,
    /** @param {string} percent */
    progress: percent => `${percent} read`,
    /** @param {string} title */
    coverOf: title => `Cover of ${title}`,
    /** @param {string} title */
    pageTitle: title => (title ? `${title} · Lectern` : 'Lectern'),
    /** @param {number} n */
    pages: n => count(n, 'page', 'pages'),
    /** @param {number} n */
    books: n => count(n, 'book', 'books'),
    /** @param {number} n */
    days: n => count(n, 'day', 'days'),
    /** @param {string} page @param {string} total */
    pageOf: (page, total) => `page ${page} of ${total}`,
    today: 'today',
    yesterday: 'yesterday',
    tomorrow: 'tomorrow',
  },

  /** What the pages for operators and developers have in common. */
  frame: {
    /** @type {Record<string, string>} */
    pages: {'/inspect': 'Inspector', '/docs': 'Reference', '/admin': 'Administration'},
    copy: 'Copy', copied: 'Copied',
  },
};
