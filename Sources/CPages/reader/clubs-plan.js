// A club's plan: its runs of books, the milestones of a run, and the meetings.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {dateTime, shortDate} from '../shared/format.js';
import {lines} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {change, form, isOver, opening} from './clubs-kit.js';
import {placeName, unitsOf} from './note-place.js';
import {section} from './section.js';

/** @type {ClubPart} */
export function plan({state, url, id, club, runs, run, me, moderates, isOpen, by}) {
  const {of, found} = state.ui;
  const nameOf = (/** @type {any} */ row) => row.title ?? row.name ?? (row.startsAt ? say.meeting : placeName(row.position, row.progress, by));
  /** One of the three lists: rows with their actions, and the form of a row.
   * @type {View} */
  const planned = (name, title, add, rows, label, fields, more, mayRemove = () => moderates) => [
    section(name, title, isOpen && add && opening(state, name, add, {of: null, found: null}, ''),
      lines(rows.map((/** @type {any} */ row) => h('li', {key: row.id, class: 'head'}, h('span', null, label(row)),
      isOpen && h('span', {class: 'row'}, moderates && opening(state, name, say.change, {of: row}, 'quiet', nameOf(row)), mayRemove(row) && state.asking(
        common.remove, {title: say.removeTitle(nameOf(row)), text: name === 'runs' && row.state !== 'proposed' ? say.removeRunHint : '', run: () => request('DELETE', `${url}/${name}/${row.id}`)})))),
      say.nothing)),
    form(state, name, of ? of.title ?? of.name ?? say.change : add, fields, ({q: _, ...body}, made) => (of
      ? change(state, `${url}/${name}/${of.id}`, of, body) : request('PUT', `${url}/${name}/${made}`, {...body, ...more})), {creates: !of})];
  const search = (/** @type {string} */ q) => state.act(`search ${state.ui.q = q}`, async () => {
    const found = q.trim() ? (await request('GET', `/v1/books?limit=20&q=${encodeURIComponent(q)}`)).items : null;
    if (state.ui.q === q) state.set({found});
  });
  const place = {name: 'position', label: say.upTo, type: 'place', value: of?.position, units: unitsOf(by)};
  const starts = {name: 'startsAt', label: say.startsAt, type: 'when', value: of?.startsAt};
  return [
    planned('runs', say.books, moderates ? say.addRun : say.propose,
      [...runs].sort((a, b) => say.stateOrder.indexOf(a.state) - say.stateOrder.indexOf(b.state) || a.place - b.place),
      (/** @type {any} */ row) => [h('a', {class: 'serif', href: `/clubs/${id}?run=${row.id}`}, row.title), h('span', {class: 'soft small'},
        [` ${say.states[row.state]}`, row.startsAt && say.from(shortDate(row.startsAt)), row.endsAt && say.until(shortDate(row.endsAt))])],
      [...(of ? [] : [{name: 'q', label: say.searchBook, hint: found?.length === 0 ? say.noneFound : say.searchHint, changed: search},
        {name: 'book', label: say.book, type: 'select', required: true, options: (found ?? []).map((/** @type {any} */ book) => [book.id,
          [book.title, ...book.authors].join(', ')])}]),
      ...(moderates ? [{name: 'state', label: say.state, type: 'select', value: of?.state ?? 'planned',
        options: Object.entries(say.states)}, starts,
        {name: 'endsAt', label: say.endsAt, type: 'when', value: of?.endsAt}] : [])], {},
      (/** @type {any} */ row) => moderates || (row.state === 'proposed' && row.proposedBy === me)),
    run && planned('milestones', say.milestonesOf(run.title), moderates && say.addMilestone, state.list('milestones'),
      (/** @type {any} */ row) => [h('b', null, row.name), h('span', {class: 'soft'},
        ` ${placeName(row.position, row.progress, by)}, ${dateTime(row.dueAt)}`)],
      [{name: 'name', label: say.name, value: of?.name}, {...place, required: true}, {name: 'dueAt', label: say.dueAt, type: 'when', value: of?.dueAt,
        required: true}], {run: run.id}),
    planned('meetings', say.meetings, moderates && say.addMeeting, [...state.list('meetings')].sort((a,
      b) => Number(a.hasBegun) - Number(b.hasBegun) || (a.startsAt < b.startsAt ? -1 : 1)),
      (/** @type {any} */ row) => [h('a', {href: `/clubs/${club.id}/meetings/${row.id}`}, row.title ?? say.meeting),
        h('span', {class: 'soft'}, ` ${dateTime(row.startsAt)}${isOver(row) ? say.over : row.hasBegun ? say.running : ''}`)],
      [{name: 'title', label: say.meetingTitle, value: of?.title}, {...starts, required: true}, {name: 'minutes', label: say.minutes,
        type: 'number', value: of ? of.minutes : 90},
        {name: 'place', label: say.where, value: of?.place}, {name: 'link', label: say.callLink, type: 'url', value: of?.link},
          {name: 'agenda', label: say.agenda, type: 'area', value: of?.agenda},
        ...(run ? [{...place, hint: say.upToHint}] : [])], run && {book: run.book, run: run.id}),
  ];
}
