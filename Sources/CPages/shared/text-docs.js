// @ts-check
// The text of the reference.
import {count, text as shared} from './text-common.js';

export const text = {...shared, docs: {
  title: 'Reference', about: 'Conventions', group: (name = '') => name[0].toUpperCase() + name.slice(1),
  problems: 'Problem types', problemsHint: 'A refused request says in `type` what is wrong.',
  problemPage: 'The page of this problem type', schemas: 'Schemas', search: 'Search',
  keys: 'Press / to search, arrow up and down to move, Enter to open.',
  found: (n = 0) => (n ? count(n, 'result', 'results') : 'Nothing has all these words. Try fewer.'),
  contents: 'Contents', noContract: 'The server does not send its contract. Load the page again in a moment.',
  commandLine: 'Command line', exampleOf: (title = '') => (title ? `Example: ${title}` : 'Example'),
  noToken: 'Needs no token.', withToken: 'Needs a token or a session.', linkTo: 'Link to this operation', parameters: 'Parameters',
  /** @type {Record<string, string>} */
  places: {query: 'query', path: 'path', header: 'header field', cookie: 'cookie'},
  body: 'Request body', responses: 'Responses', headers: 'Header fields: ', noBody: 'It has no body.', orNull: ', or null', or: ' or ',
  and: ' and ',
  /** @type {Record<string, string>} */
  types: {string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object', array: 'list'},
  listOf: 'list of ', anything: 'any value',
  /** @param {any} least @param {any} most @param {string} unit */
  range: (least, most, unit) => (least === undefined && most === undefined ? '' : least === most ? `exactly ${least}${unit}` :
    least === undefined ? `at most ${most}${unit}` : most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`),
  characters: ' characters', items: ' items', members: ' members', default: (value = '') => `default ${value}`,
  pattern: (pattern = '') => `matches ${pattern}`, required: 'required', oneOf: 'One of ',
  membersOf: (name = '') => (name ? `Members of ${name}` : 'Members'), anyName: 'any name',
}};
