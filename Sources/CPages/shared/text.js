// @ts-check
// The text of the reader's page. What all pages have is in text-common.js.
import {text as shared} from './text-common.js';

export const text = {
  ...shared,

  reading: {
    title: 'Reading',
  },

  clubs: {
    title: 'Clubs',
  },

  me: {
    title: 'Me',
  },
};
