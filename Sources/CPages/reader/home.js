// @ts-check
import {h} from '../shared/dom.js';
import {text} from '../shared/text.js';

/** @type {import('./app.js').Screen} */
export const screen = {
  title: () => text.reading.title,
  names: () => ({}),
  view: (route, state) => [h('h1', {tabindex: -1}, text.reading.title), h('ul', null, (state.get('cards')?.items ?? []).map((/** @type {any} */ card) => h('li', {key: card.id}, card.title)))],
};
