// Stars: a reader's rating of a reading, and the average in a club's run.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {number} from '../shared/format.js';
import {problem} from '../shared/parts.js';
import {reading as t} from '../text/reading.js';

/** Five stars, filled up to a value, for the eyes: a text beside them has the same content.
 * @param {number} value */
const stars = value => h('span', {class: 'stars', 'aria-hidden': 'true', style: {'--filled': `${value * 20}%`}}, '★★★★★');

/** The reader's choices by the URL of the rating: the shown stars, the version that they replace, and the stars to send.
 * @type {Map<string, {stars: number, over: number, wanted?: number}>} */
const choices = new Map();

/** The rating of a reading, which the pointer and the arrow keys change. Without stars there is none.
 * @param {any} reading @param {State} state */
export function rating(reading, state) {
  const url = `/v1/readings/${reading.id}/rating`;
  const own = state.list('ratings').find(one => one.reading === reading.id);
  const version = own?.version ?? 0;
  // A choice is shown until the stream has another version.
  if (choices.get(url)?.over !== version && !state.busy(url)) choices.delete(url);
  const shown = choices.get(url)?.stars ?? own?.stars ?? 0;
  const text = shown ? t.stars(number(shown, 1)) : t.notRated;
  const choose = (/** @type {any} */ {target}) => {
    choices.set(url, {...choices.get(url), stars: Number(target.value), over: version});
    state.changed();
  };
  const save = async () => {
    for (let sent; choices.has(url) && sent !== choices.get(url)?.wanted;) {
      sent = choices.get(url)?.wanted;
      await (sent ? request('PUT', url, {stars: sent}) : request('DELETE', url));
    }
  };
  const rate = async (/** @type {any} */ event) => {
    choose(event);
    Object.assign(choices.get(url) ?? {}, {wanted: Number(event.target.value)});
    if (!state.busy(url) && !await state.act(url, save)) choices.delete(url);
    state.changed();
  };
  return h('div', {key: 'rating', class: 'row'},
    h('span', {class: 'rating'}, stars(shown), h('input', {id: 'rating', type: 'range', min: 0, max: 5, step: 0.5, value: String(shown),
      'aria-label': t.rating, 'aria-valuetext': text, oninput: choose, onchange: rate})),
    h('span', {class: 'soft small numbers'}, text), problem(state.refused(url)));
}

/** The average of the members' ratings, or nothing without one.
 * @param {{average: number | null, count: number} | undefined} of */
export const averageRating = of => of?.average && h('p', {class: 'row'}, stars(of.average),
  h('span', {class: 'soft small numbers'}, t.averageStars(number(of.average, 1), of.count)));
