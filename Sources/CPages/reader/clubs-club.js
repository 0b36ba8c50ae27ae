// /clubs/ID: a club. Its current book with the notes; ?view=plan and ?view=people are its other parts, ?run=ID another book.
import {h} from '../shared/dom.js';
import {list} from '../shared/format.js';
import {notHere} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {contextOf, isOver, opening, soft} from './clubs-kit.js';

/** Parts that load when they first open.
 * @type {Record<string, () => Promise<any>>} */
const parts = {now: () => import('./clubs-now.js'), plan: () => import('./clubs-plan.js'), people: () => import('./clubs-people.js')};
/** The loaded parts; null for one that could not be loaded.
 * @type {Record<string, any>} */
const loaded = {};

/** Returns a part once it is loaded.
 * @param {string} name @param {State} state */
function partOf(name, state) {
  if (loaded[name] === null) state.isIncomplete = true;
  if (!loaded[name]) parts[name]().then(part => (loaded[name] = part, state.changed()), () => (loaded[name] = null));
  return loaded[name];
}

/** @type {ClubPart} */
function header({state, club, runs, run, me, role, view, reports}) {
  const here = state.list('presence').filter(one => one.reader !== me).map(one => one.name);
  const link = (/** @type {string} */ to, /** @type {string} */ label, /** @type {boolean} */ isHere) =>
    h('a', {key: to, href: `/clubs/${club.id}${to}`, 'aria-current': isHere ? 'page' : null}, label);
  const isFirst = run === runs.find(one => one.state === 'current');
  const current = runs.filter(one => one.state === 'current' || one === run);
  return h('header', {class: 'club-head'},
    h('div', {class: 'head'}, h('h1', {tabindex: -1}, club.name), role === 'owner' && opening(state, 'settings', say.settings)),
    soft(club.isArchived ? say.archivedHint : club.description),
    h('p', {class: 'presence', role: 'status'}, here.length > 0 && h('span', null, say.present(list(here), here.length))),
    reports.length > 0 && view !== 'people' && h('p', null, h('a', {href: `/clubs/${club.id}?view=people`}, say.openReports(reports.length))),
    h('nav', {class: 'tabs', 'aria-label': say.parts},
      current.length < 2 ? link('', say.now, !view) : current.map(one => link(`?run=${one.id}`, one.title, !view && one === run)),
      link(isFirst || !run ? '?view=plan' : `?view=plan&run=${run.id}`, say.plan, view === 'plan'), link('?view=people', say.members, view === 'people')));
}

/** A club that went away while it was open. */
const ended = () => h('section', {class: 'empty'}, h('h1', {tabindex: -1}, say.notIn), h('p', null,
  h('a', {href: '/clubs', class: 'button'}, say.title)));

/** @type {ReaderScreen} */
export const screen = {
  title: (_, state) => state.get('club')?.name ?? say.title,
  names: (route, state) => {
    const {id, url, run, view, reading, moderates} = contextOf(route, state);
    const names = /** @type {Record<string, string>} */ ({club: url, members: `${url}/members`, runs: `${url}/runs`,
      presence: `${url}/presence`, meetings: `${url}/meetings`});
    if (moderates) names.reports = '/v1/reports?state=open';
    if (view === 'people' && moderates) Object.assign(names, {requests: `/v1/requests?club=${id}`, invitations: `${url}/invitations`,
      removals: `${url}/removals`});
    if (!run || view === 'people') return names;
    const of = `run=${run.id}`;
    Object.assign(names, {book: `/v1/books/${run.book}`, chapters: `/v1/books/${run.book}/chapters`,
      readings: `/v1/readings?book=${run.book}`, milestones: `${url}/milestones?${of}`});
    const edition = view ? run.edition ?? reading?.edition : reading?.edition;
    if (edition) names.edition = `/v1/editions/${edition}`;
    if (view) return names;
    const next = state.list('meetings').find(meeting => !isOver(meeting));
    if (next) names.attendances = `${url}/meetings/${next.id}/attendances`;
    return Object.assign(names, {ratings: `${url}/runs/${run.id}/ratings`, standings: `${url}/standings?${of}`,
      notes: `${url}/notes?${of}&thread=roots`},
      partOf('now', state)?.openNames(state, url));
  },
  view: (route, state) => {
    if (state.entry('club').gone) return state.ui.wasIn ? ended() : notHere();
    const c = contextOf(route, state);
    if (!c.club || !state.get('runs')) return soft(common.loading);
    state.ui.wasIn = true;
    const shown = parts[c.view] ? c.view : 'now';
    return [header(c), state.ui.form === 'settings' && partOf('people', state)?.settings(c),
      partOf(shown, state)?.[shown](c) ?? soft(common.loading)];
  },
  arrived: (change, names, state) => loaded.now?.arrivedNotes(change, names, state),
};
