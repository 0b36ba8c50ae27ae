// /clubs/ID/meetings/ID: a meeting, and notes to discuss up to the reader's position; also for print.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {dateTime, list, time, when, zoneInUse} from '../shared/format.js';
import {button, notHere, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {given, isOver, soft} from './clubs-kit.js';
import {guide, placeName, prose, readingOf} from './note-place.js';
import {said} from './notes-note.js';
import {section} from './section.js';

/** @type {View} */
const about = ({startsAt, minutes, timeZone, place, link, position, progress}, by) => [
  h('p', {class: 'serif'}, h('time', {datetime: startsAt}, dateTime(startsAt)),
    minutes && `–${time(new Date(Date.parse(startsAt) + minutes * 60_000).toISOString())}`,
    timeZone !== zoneInUse() && h('span', {class: 'soft small'}, ` ${say.yourTime}`)),
  h('p', null, [when(startsAt), place].filter(Boolean).join(' · ')), link && h('p', null, h('a', {href: link, rel: 'noreferrer',
    target: '_blank'}, say.joinCall)),
  position && soft(say.readTo(placeName(position, progress, by)))];

/** The answers of the reader and others.
 * @type {Nodes} */
function attendance(state, url, {id, hasBegun}, isOpen) {
  const all = state.list('attendances');
  const mine = all.find(one => one.reader === state.me?.id)?.answer;
  return h('div', {class: 'attendance'},
    isOpen && !hasBegun && h('div', {class: 'row choice', role: 'group', 'aria-label': say.doYouCome},
      Object.entries(say.answers).map(([answer, label]) => h('button', {
      key: answer, 'aria-pressed': String(mine === answer), disabled: state.busy('attend'), onclick: () => state.act('attend',
        () => request('PUT', `${url}/meetings/${id}/attendance`, {answer}))}, label))),
    problem(state.refused('attend')),
    Object.entries(say.come).map(([answer, phrase]) => {
      const names = all.filter(one => one.answer === answer).map(one => one.name);
      return names.length > 0 && h('p', {key: answer, class: 'small'}, phrase(list(names), names.length));
    }));
}

/** The club's next meeting.
 * @type {ClubPart} */
export function nextMeeting({state, id, url, isOpen, by}) {
  const [next] = state.list('meetings').filter(one => !isOver(one)).sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
  return section('next', say.nextMeeting, next ? [h('h3', null, h('a', {href: `/clubs/${id}/meetings/${next.id}`}, next.title ?? say.meeting)),
    about(next, by), attendance(state, url, next, isOpen)] : soft(say.noMeeting));
}

/** @type {ReaderScreen} */
export const screen = {
  title: (_, state) => state.get('meeting')?.title ?? say.meeting,
  names: ({params}, state) => {
    const club = `/v1/clubs/${params.club}`;
    const meeting = `${club}/meetings/${params.meeting}`;
    const book = state.get('meeting')?.book;
    const edition = readingOf(state)?.edition;
    return {club, meeting, attendances: `${meeting}/attendances`, ...(book && {talk: `${meeting}/notes`,
      chapters: `/v1/books/${book}/chapters`, readings: `/v1/readings?book=${book}`}),
      ...(edition && {edition: `/v1/editions/${edition}`})};
  },
  view: ({params}, state) => {
    const meeting = state.get('meeting');
    const club = state.get('club');
    if (state.entry('meeting').gone || state.entry('club').gone) return notHere();
    if (!meeting || !club) return soft(common.loading);
    const by = guide(state);
    const talk = state.get('talk');
    const notes = (talk?.threads ?? []).flatMap((/** @type {any} */ thread) => thread.notes);
    const url = `/v1/clubs/${params.club}`;
    const {calendar} = state.ui;
    return [
      h('p', {class: 'soft'}, h('a', {href: `/clubs/${params.club}`}, club.name), meeting.bookTitle && ` · ${meeting.bookTitle}`),
      h('header', {class: 'club-head'}, h('h1', {tabindex: -1}, meeting.title ?? say.meeting), about(meeting, by), attendance(state, url,
        meeting, !club.isArchived)),
      meeting.agenda && section('agenda', say.agenda, h('div', {class: 'prose'}, prose(meeting.agenda))),
      meeting.book && section('talk', say.talk, notes.length ? h('button', {class: 'print', onclick: () => print()}, say.print)
        : soft(talk ? say.noTalk : common.loading),
        h('ol', {class: 'plain notes'}, notes.map((/** @type {any} */ note) => h('li', {key: note.id, class: note.thread ? 'answer' : null},
          h('article', {class: 'note'}, said(note, by))))), talk?.isCut && soft(say.cut)),
      section('calendar', say.calendar, calendar ? given(state, say.calendarLabel, calendar, say.calendarHint,
        h('a', {class: 'button', href: calendar.replace(/^https?/, 'webcal')}, say.subscribe))
        : button(state, 'calendar', say.makeCalendar, async () => state.set({calendar: location.origin + (await request('POST',
          `${url}/calendars`)).path})), problem(state.refused('calendar'))),
    ];
  },
};
