// /clubs/ID: a club. Its current book with the notes; ?view=plan and ?view=people are its other parts, ?run=ID another book.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {daysFrom, list, percent, shortDate} from '../shared/format.js';
import {button, notHere, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {cover, ring} from './pictures.js';
import {contextOf, opening, soft} from './clubs-kit.js';
import {nextMeeting} from './meetings.js';
import {placeName} from './note-place.js';
import {arrivedNotes, notesSection} from './notes-list.js';
import {openNames} from './notes-note.js';

/** Parts that load when they first open.
 * @type {Record<string, () => Promise<any>>} */
const parts = {plan: () => import('./clubs-plan.js'), people: () => import('./clubs-people.js')};
/** @type {Record<string, any>} */
const loaded = {};

/** Returns a part once it is loaded.
 * @param {string} name @param {State} state */
function partOf(name, state) {
  if (!loaded[name]) parts[name]().then(part => (loaded[name] = part, state.changed()), () => {});
  return loaded[name];
}

/** @type {ClubPart} */
function header({state, club, runs, run, me, role, view}) {
  const here = state.list('presence').filter(one => one.reader !== me).map(one => one.name);
  const link = (/** @type {string} */ to, /** @type {string} */ label, /** @type {boolean} */ isHere) =>
    h('a', {key: to, href: `/clubs/${club.id}${to}`, 'aria-current': isHere ? 'page' : null}, label);
  const current = runs.filter(one => one.state === 'current' || one === run);
  return h('header', {class: 'club-head'},
    h('div', {class: 'head'}, h('h1', {tabindex: -1}, club.name), role === 'owner' && opening(state, 'settings', say.settings)),
    soft(club.isArchived ? say.archivedHint : club.description),
    h('p', {class: 'presence', role: 'status'}, here.length > 0 && h('span', null, say.present(list(here), here.length))),
    h('nav', {class: 'tabs', 'aria-label': say.parts},
      current.length < 2 ? link('', say.now, !view) : current.map(one => link(`?run=${one.id}`, one.title, !view && one === run)),
      link('?view=plan', say.plan, view === 'plan'), link('?view=people', say.members, view === 'people')));
}

/** @type {View} */
function days({state, startsAt, endsAt}) {
  if (state !== 'current') return say.states[state];
  const day = startsAt ? 1 - daysFrom(startsAt) : 0;
  const all = endsAt ? day + daysFrom(endsAt) : 0;
  return [day > 0 ? day <= all && say.dayOf(day, all) : startsAt && say.begins(shortDate(startsAt)),
    endsAt && (day <= all ? say.ends : say.ended)(shortDate(endsAt))].filter(Boolean).join(' ');
}

/** @type {ClubPart} */
function now({state, id, url, run, me, isOpen, reading, by}) {
  if (!run) return h('section', {class: 'empty'}, soft(say.noRun), isOpen && h('a', {class: 'button', href: `/clubs/${id}?view=plan`},
    say.chooseBook));
  const book = by.book ?? {id: run.book, title: run.title, authors: []};
  const standings = [...state.list('standings')].sort((a, b) => (b.progress ?? -1) - (a.progress ?? -1));
  const isIn = standings.some(one => one.reader === me);
  return h('section', {class: 'now', 'aria-labelledby': 'now'}, cover(book, state),
    h('div', null, h('h2', {id: 'now'}, h('a', {class: 'plain', href: `/books/${book.id}`}, book.title)),
      h('p', null, book.authors.join(', ')), soft(days(run)),
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
    h('span', {class: 'soft small'}, finishedAt || share === 1 ? say.finished : share === null ? say.sharesNothing : say.pace[state]));
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

/** @type {ReaderScreen} */
export const screen = {
  title: (_, state) => state.get('club')?.name ?? say.title,
  names: (route, state) => {
    const {id, url, run, view, reading, moderates} = contextOf(route, state);
    const names = /** @type {Record<string, string>} */ ({club: url, members: `${url}/members`, runs: `${url}/runs`,
      presence: `${url}/presence`, meetings: `${url}/meetings`});
    if (view === 'people' && moderates) Object.assign(names, {requests: `/v1/requests?club=${id}`, invitations: `${url}/invitations`,
      removals: `${url}/removals`});
    if (!run || view === 'people') return names;
    const of = `run=${run.id}`;
    Object.assign(names, {book: `/v1/books/${run.book}`, chapters: `/v1/books/${run.book}/chapters`,
      readings: `/v1/readings?book=${run.book}`, milestones: `${url}/milestones?${of}`});
    const edition = view ? run.edition ?? reading?.edition : reading?.edition;
    if (edition) names.edition = `/v1/editions/${edition}`;
    if (view) return names;
    const next = state.list('meetings').find(meeting => !meeting.hasBegun);
    if (next) names.attendances = `${url}/meetings/${next.id}/attendances`;
    return Object.assign(names, {standings: `${url}/standings?${of}`, notes: `${url}/notes?${of}&thread=roots`}, openNames(state));
  },
  view: (route, state) => {
    if (state.entry('club').gone) return notHere();
    const c = contextOf(route, state);
    if (!c.club || !state.get('runs')) return soft(common.loading);
    return [header(c), state.ui.form === 'settings' && partOf('people', state)?.settings(c),
      parts[c.view] ? partOf(c.view, state)?.[c.view](c) ?? soft(common.loading)
      : [now(c), h('div', {class: 'columns'}, h('aside', {'aria-label': say.nextMeeting}, nextMeeting(c)), c.run && notesSection(c))]];
  },
  arrived: arrivedNotes,
};
