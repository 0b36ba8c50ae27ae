// /notes/ID: a note with its thread.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {notHere} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {contextOf, form, opening, soft} from './clubs-kit.js';
import {readingOf} from './note-place.js';
import {changing, noteNode, openNames} from './notes-note.js';

/** The actions for a note that somebody else wrote.
 * @type {ClubPart} */
const against = ({state, club, me}, note) => note.author !== me && [
  h('div', {key: 'against', class: 'row'},
    note.authorName && state.asking(say.block, {title: say.blockTitle(note.authorName), text: say.blockText, run: async () => {
      await request('PUT', `/v1/me/blocks/${note.author}`);
      state.go(club ? `/clubs/${club.id}` : '/');
    }}),
    opening(state, 'report', say.report)),
  form(state, 'report', say.reportTitle, [{name: 'reason', label: say.reportReason, type: 'select',
    options: Object.entries(say.reportReasons)}, {name: 'text', label: say.reportText, type: 'area'}], async (values, id) => {
    await request('POST', '/v1/reports', {about: 'note', subject: note.id, ...values}, {headers: {'Idempotency-Key': id}});
    state.toast(say.reported);
  }, {intro: say.reportIntro, label: say.report, creates: true}),
];

/** @type {ReaderScreen} */
export const screen = {
  title: (_, state) => say.noteBy(state.get('note')?.authorName ?? say.nobody),
  names: ({params}, state) => {
    const note = state.get('note');
    const url = `/v1/notes/${params.note}`;
    if (!note) return {note: url};
    state.ui.open = note.thread ? null : note.id;
    const book = `/v1/books/${note.book}`;
    const edition = readingOf(state)?.edition;
    return {note: url, book, chapters: `${book}/chapters`, readings: `/v1/readings?book=${note.book}`,
      ...(edition && {edition: `/v1/editions/${edition}`}),
      ...(note.club && {club: `/v1/clubs/${note.club}`, members: `/v1/clubs/${note.club}/members`}),
      ...openNames(state, note.club ? `/v1/clubs/${note.club}` : '/v1')};
  },
  view: (route, state) => {
    const note = state.get('note');
    const club = state.get('club');
    if (state.entry('note').gone) return notHere();
    if (!note) return soft(common.loading);
    const c = contextOf({...route, params: {club: note.club}}, state);
    return [
      h('p', {class: 'soft'}, club && [h('a', {key: 'club', href: `/clubs/${club.id}${note.run ? `?run=${note.run}` : ''}`}, club.name),
        ' · '], state.get('book')?.title),
      h('h1', {tabindex: -1, class: 'unseen'}, say.noteBy(note.authorName ?? say.nobody)),
      note.thread && h('p', null, h('a', {href: `/notes/${note.thread}`}, say.toThread)),
      h('div', {class: 'notes'}, noteNode({...c, manages: c.moderates}, note)), changing(c), against(c, note)];
  },
};
