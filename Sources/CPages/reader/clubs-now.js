// The current book of a club: progress of the members, the next meeting, and the notes.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {daysFrom, percent, shortDate} from '../shared/format.js';
import {button, problem} from '../shared/parts.js';
import {clubs as say} from '../text/clubs.js';
import {cover, ring} from './pictures.js';
import {soft} from './clubs-kit.js';
import {nextMeeting} from './meetings.js';
import {placeName} from './note-place.js';
import {notesSection} from './notes-list.js';
import {averageRating} from './rating.js';
export {arrivedNotes} from './notes-list.js';
export {openNames} from './notes-note.js';

/** @type {View} */
function days({state, startsAt, endsAt}) {
  if (state !== 'current') return say.states[state];
  const day = startsAt ? 1 - daysFrom(startsAt) : 0;
  const all = endsAt ? day + daysFrom(endsAt) : 0;
  return [day > 0 ? day <= all && say.dayOf(day, all) : startsAt && say.begins(shortDate(startsAt)),
    endsAt && (day <= all ? say.ends : say.ended)(shortDate(endsAt))].filter(Boolean).join(' ');
}

/** @type {ClubPart} */
function current({state, id, url, run, me, isOpen, reading, by}) {
  if (!run) return h('section', {class: 'empty'}, soft(say.noRun), isOpen && h('a', {class: 'button', href: `/clubs/${id}?view=plan`},
    say.chooseBook));
  const book = by.book ?? {id: run.book, title: run.title, authors: []};
  const standings = [...state.list('standings')].sort((a, b) => (b.progress ?? -1) - (a.progress ?? -1));
  const isIn = standings.some(one => one.reader === me);
  return h('section', {class: 'now', 'aria-labelledby': 'now'}, cover(book, state),
    h('div', null, h('h2', {id: 'now'}, h('a', {class: 'plain', href: `/books/${book.id}`}, book.title)),
      h('p', null, book.authors.join(', ')), soft(days(run)), averageRating(state.get('ratings')),
      isIn && reading ? h('p', null, h('a', {href: `/readings/${reading.id}`}, say.youAre(placeName(reading.position, reading.progress,
        by))))
        : !isIn && isOpen && run.state !== 'proposed' && button(state, 'along', say.readAlong, () => request('POST', `${url}/standings`,
          {run: run.id}), {class: 'primary'}),
      problem(state.refused('along'))),
    way(state.list('milestones'), standings.filter(one => one.reader !== me && one.progress !== null), isIn ? reading : null, by),
    h('ul', {class: 'plain standings', 'aria-label': say.howFar}, standings.map(one => standing(one, one.reader === me ? reading : null))));
}

/** @type {View} */
function standing({id, name, progress, finishedAt, state}, own) {
  const share = own?.progress ?? progress;
  const shown = own ? say.you : name;
  return h('li', {key: id}, share === null ? h('span', {class: 'ring unknown', 'aria-hidden': 'true'}, '–') : ring(share,
    {label: `${shown}: ${percent(share)}`}), h('span', null, shown),
    h('span', {class: 'soft small'}, finishedAt || share === 1 ? say.finished : share === null && !state ? say.sharesNothing : say.pace[state]));
}

/** A line through the book, for the eyes: the list below has the same content.
 * @type {View} */
function way(milestones, others, reading, by) {
  if (!milestones.length) return null;
  const mine = reading?.progress ?? 0;
  const at = (/** @type {number} */ share) => ({left: `${share * 100}%`});
  return h('div', {class: 'way'},
    h('div', {class: 'line', 'aria-hidden': 'true'}, h('span', {class: 'done', style: {width: `${mine * 100}%`}}),
      others.map((/** @type {any} */ one) => h('span', {key: one.id, class: 'other', title: one.name, style: at(one.progress)})),
      milestones.map((/** @type {any} */ one, /** @type {number} */ i) => h('span', {key: one.id, class: mine >= one.progress
        ? 'mark reached' : 'mark', style: at(one.progress)}, i + 1)),
      reading && h('span', {class: 'me', style: at(mine)})),
    h('ol', {class: 'milestones', 'aria-label': say.milestones}, milestones.map((/** @type {any} */ one) => h('li', {key: one.id},
      h('b', null, one.name ?? placeName(one.position, one.progress, by)), h('span', {class: 'unseen'}, mine >= one.progress ? say.reached
        : say.notReached),
      h('span', {class: one.isDue && mine < one.progress ? 'late small' : 'soft small'}, ` ${shortDate(one.dueAt)}`)))));
}

/** @type {ClubPart} */
export const now = c => [current(c), h('div', {class: 'columns'}, h('aside', {'aria-label': say.nextMeeting}, nextMeeting(c)),
  c.run && notesSection(c))];
