// A reading as a card: cover, title, ring, and the pace to the next milestone.
import {h} from '../shared/dom.js';
import {day, number, percent, when} from '../shared/format.js';
import {common} from '../text/common.js';
import {reading as t} from '../text/reading.js';
import {cover, once, ring} from './pictures.js';

/** @type {Record<string, (n: number, shown: string) => string>} */
const units = t.units;
/** @type {Fields} */
const onTime = t.onTime;

/** An amount in a reading's unit, as "12 pages".
 * @param {number} value @param {string} unit */
export function amount(value, unit) {
  const shown = unit === 'second' ? value / 60 : unit === 'progress' ? value * 100 : value;
  const rounded = shown < 10 && unit !== 'page' && unit !== 'location' ? Math.round(shown * 10) / 10 : Math.ceil(shown);
  return (units[unit] ?? units.progress)(rounded, number(rounded, 1));
}

/** The reading needed for a milestone or meeting.
 * @param {any} aim @param {any} pace */
export function aimSentence(aim, {unit, edition}) {
  // Amounts of an edition begin at its first page, whose number is not known here.
  const place = aim.progress >= 1 ? t.theEnd : unit === 'page' && !edition ? t.pageNumber(number(aim.upTo)) : percent(aim.progress);
  const name = aim.name ?? (aim.kind === 'meeting' ? t.meeting : place);
  if (aim.isReached) return t.aimReached(name);
  if (aim.perDay === null) return t.aimLate(name, when(aim.dueAt));
  return `${t.aim(amount(aim.perDay, unit), name, when(aim.dueAt))}${aim.onTime ? `: ${onTime[aim.onTime]}` : ''}.`;
}

/** @param {any} pace */
export function paceSentence(pace) {
  if (!pace?.perDay) return null;
  const each = amount(pace.perDay, pace.unit);
  return pace.doneOn ? t.pace(each, day(pace.doneOn)) : t.paceAlone(each);
}

/** @param {any} card */
export function placeOf(card) {
  if (card.state === 'finished') return t.finishedOn(when(card.finishedAt));
  if (!card.latestEntryAt) return t.notBegun;
  const place = card.page !== null && card.pageCount ? t.pageOf(number(card.page), number(card.pageCount)) : '';
  return `${place ? `${place[0].toUpperCase()}${place.slice(1)}. ` : ''}${t.lastRead(when(card.latestEntryAt))}`;
}

/** @param {any} card @param {State} state @param {any} [pace] @param {boolean} [hasDraft] */
export function cardNode(card, state, pace, hasDraft) {
  /** @type {any[]} */
  const aims = pace?.aims ?? [];
  const aim = aims.find(aim => !aim.isReached);
  return once(card, 'card',
    `${pace?.seq ?? ''}${aim ? JSON.stringify(aim) : pace?.perDay ?? ''}|${state.settings?.updateArtwork}${Boolean(hasDraft)}${common.today}`, () =>
    h('li', {key: card.id, class: 'card'},
      cover({...card, id: card.book}, state),
      h('div', {class: 'card-text'},
        h('h3', null, h('a', {class: 'plain', href: `/readings/${card.id}`}, card.title)),
        h('p', {class: 'soft small'}, card.authors.join(', '), card.isReread && ` · ${t.again}`),
        h('p', {class: 'small numbers'}, placeOf(card)),
        (aim || pace?.perDay) && h('p', {class: `small numbers pace ${aim?.onTime ?? ''}`},
          aim ? aimSentence(aim, pace) : paceSentence(pace)),
        hasDraft && h('p', {class: 'small soft'}, t.draft)),
      h('div', {class: 'card-side'},
        ring(card.progress, {label: t.progress(percent(card.progress)), kind: card.state}),
        (card.state === 'reading' || card.state === 'paused') &&
          h('button', {class: 'record', 'aria-label': t.recordFor(card.title), onclick: () => state.set({editing: card.id})}, t.record))));
}
