// @ts-check
// The text of the pages besides the reader's. What all pages have is in text-common.js.
import {text as shared} from './text-common.js';

export const text = {
  ...shared,

  joining: {},

  inspect: {},

  docs: {},

  admin: {},
};
