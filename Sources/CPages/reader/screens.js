// The modules of addresses. types.d.ts describes screens. A module is loaded when its address first opens.

/** @type {[string, () => Promise<{screen: ReaderScreen}>][]} */
export const screens = [
  ['/', () => import('./home.js')],
  ['/search', () => import('./search.js')],
  ['/books/:book', () => import('./book.js')],
  ['/readings/:reading', () => import('./reading.js')],
  ['/shelves/:shelf', () => import('./shelf.js')],
  ['/me', () => import('./me.js')],
  ['/settings', () => import('./me.js')],
  // Clubs, notes and meetings.
  ['/clubs', () => import('./clubs.js')],
  ['/clubs/:club', () => import('./clubs-club.js')],
  ['/clubs/:club/meetings/:meeting', () => import('./meetings.js')],
  ['/notes/:note', () => import('./notes.js')],
];
