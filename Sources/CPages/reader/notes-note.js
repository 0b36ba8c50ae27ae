// A note with reactions and replies; and writing, changing and deleting one.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {list, when} from '../shared/format.js';
import {form as plainForm, problem} from '../shared/parts.js';
import {clubs as say} from '../text/clubs.js';
import {change, form, opening, openForm} from './clubs-kit.js';
import {draftOf, keeping, sent} from './draft.js';
import {placeName, prose, unitsOf} from './note-place.js';

/** The watched names of an open thread and open reactions, among the notes below an address.
 * @type {View} */
export const openNames = ({ui}, url) => ({...(ui.open && {thread: `${url}/notes?thread=${ui.open}`}),
  ...(ui.reacting && {reactions: `/v1/notes/${ui.reacting}/reactions`})});

/** A note's position, text and author.
 * @type {View} */
export const said = (note, by, me, ...more) => [
  !note.thread && h('p', {class: 'at'}, note.position ? placeName(note.position, note.progress, by) : say.thresholds[note.threshold]),
  h('div', {class: 'said'},
    note.quote && h('blockquote', {lang: note.language}, note.quote.split('\n').map((/** @type {string} */ row) => h('p', null, row))),
    note.body && h('div', {class: 'prose', lang: note.quote ? null : note.language}, prose(note.body)),
    h('p', {class: 'by small'}, h('b', null, note.authorName ?? (note.author === me ? say.you : say.nobody)), ' ',
      h('a', {class: 'plain soft', href: `/notes/${note.id}`}, h('time', {datetime: note.createdAt}, when(note.createdAt))),
      [!note.quote && note.kind !== 'thought' && say.kinds[note.kind], note.audience && say.forModerators, note.position
        && note.threshold !== 'position' && say.thresholds[note.threshold],
        note.opensAt && say.opensAt(placeName(note.opensAt, note.share, by))].map(tag => tag && h('span', {class: 'kind'}, tag))),
    more)];

/** @type {ClubPart} */
export function noteNode(c, note) {
  const {state, me, isOpen, manages, by} = c;
  const {ui} = state;
  const isMine = note.author === me;
  const author = note.authorName ?? say.nobody;
  const counts = Object.entries(note.reactions);
  const toggle = (/** @type {string} */ name, /** @type {any} */ label, /** @type {string} */ what) => h('button',
    {class: 'quiet', 'aria-expanded': String(ui[name] === note.id), title: `${what}: ${author}`,
    onclick: () => {
      state.set({[name]: ui[name] === note.id ? null : note.id});
      // Without replies to read, the reader is here to write one.
      if (name === 'open' && !note.replyCount) requestAnimationFrame(() => document.getElementById(`reply ${note.id}`)?.focus());
    }}, label);
  return h('article', {class: 'note', 'aria-label': say.noteBy(author)}, said(note, by, me, h('div', {class: 'row tools'},
    (counts.length > 0 || isOpen) && toggle('reacting', counts.length ? counts.map(([kind, n]) => h('span', {key: kind},
      `${say.reactions[kind]} ${n}`)) : say.react, say.react),
    !note.thread && (note.replyCount > 0 || isOpen) && toggle('open', note.replyCount ? say.replies(note.replyCount) : say.reply,
      say.reply),
    isOpen && (isMine || (manages && note.threshold !== 'finished')) && opening(state, 'edit', isMine ? say.edit : say.openLater,
      {of: note, where: isMine ? 'keep' : 'finished'}, 'quiet', say.noteBy(author)),
    (isMine || manages) && state.asking(say.delete, {title: say.deleteTitle,
      text: note.replyCount > 0 ? say.deleteReplies : '', run: () => request('DELETE', `/v1/notes/${note.id}`)})),
  ui.reacting === note.id && picker(c, note), ui.open === note.id && thread(c, note)));
}

/** Reactions, the reader's own pressed, with names.
 * @type {ClubPart} */
function picker({state, me, members, isOpen}, note) {
  const key = `react ${note.id}`;
  const name = (/** @type {string} */ id) => (id === me ? say.you : members.find(member => member.reader === id)?.name ?? say.nobody);
  const all = Object.entries(say.reactions).map(([kind, label]) => ({kind, label,
    who: state.list('reactions').filter(one => one.reaction === kind).map(one => one.reader)}));
  return h('div', {class: 'picker'},
    h('div', {class: 'row choice', role: 'group', 'aria-label': say.react}, all.map(({kind, label, who}) => h('button', {
      key: kind, 'aria-pressed': String(who.includes(me)), disabled: !state.get('reactions') || !isOpen || state.busy(key),
      onclick: () => state.act(key, () => (who.includes(me) ? request('DELETE', `/v1/notes/${note.id}/reactions/${kind}`) : request('PUT',
        `/v1/notes/${note.id}/reactions/${kind}`, {})))}, label))),
    problem(state.refused(key)),
    all.map(({kind, label, who}) => who.length > 0 && h('p', {key: kind, class: 'soft small'}, `${label}: ${list(who.map(name))}`)));
}

/** @type {ClubPart} */
function thread(c, note) {
  const {state} = c;
  const key = `reply ${note.id}`;
  const send = async (/** @type {any} */ {body}) => {
    await sent(state, key, id => request('PUT', `/v1/notes/${id}`, {replyTo: note.id, body}));
    const area = /** @type {any} */ (document.getElementById(key));
    area?.form.reset();
    area?.focus();
  };
  return h('div', {class: 'thread'},
    h('ol', {class: 'plain', 'aria-label': say.replies(note.replyCount)}, state.list('thread').filter(one => one.thread === note.id).sort((a,
      b) => (a.createdAt < b.createdAt ? -1 : 1)).map(reply => h('li', {key: reply.id}, noteNode(c, reply)))),
    c.isOpen && plainForm(state, key, send, {}, h('label', {for: key}, say.yourReply), h('textarea', {id: key, name: 'body', rows: 2,
      required: true, value: draftOf(state, key).texts.body ?? '', oninput: keeping(state, key)}), problem(state.refused(key)),
      h('p', {class: 'actions'}, h('button', {disabled: state.busy(key)}, say.reply))));
}

/** @type {View} */
const words = note => [
  {name: 'body', label: say.words, type: 'area', value: note?.body, hint: say.wordsHint},
  {name: 'quote', label: say.quote, type: 'area', value: note?.quote},
  {name: 'kind', label: say.kind, type: 'select', value: note?.kind ?? 'thought', options: Object.entries(say.kinds)},
];
/** A note's threshold: a choice, and the position that one of them needs.
 * @type {View} */
const opens = ({state, by}, options, hint) => [
  {name: 'where', label: say.whenOpen, type: 'select', value: state.ui.where, options, hint,
    changed: (/** @type {string} */ where) => state.set({where})},
  state.ui.where === 'place' && {name: 'position', label: say.placeInBook, type: 'place', units: unitsOf(by), required: true},
].filter(Boolean);

/** @type {View} */
export const writing = ({state, reading}) => h('button', {class: 'primary', onclick: () => openForm(state, 'note',
  {where: whereOf(draftOf(state, 'note').texts.where, reading)})}, say.write);

/** The first choice of a new note's threshold: the kept one if there is still a place.
 * @type {View} */
const whereOf = (kept, reading) => (kept && (kept !== 'here' || reading?.progress) ? kept : reading?.progress ? 'here' : 'everyone');

/** @type {ClubPart} */
export function changing(c) {
  const {state, me, id, run, reading, by, moderates} = c;
  const {of: note, where} = state.ui;
  const isMine = note?.author === me;
  const later = [['place', say.atPlace], ['finished', say.atEnd]];
  const choices = [reading?.progress > 0 && ['here', say.atHere(placeName(reading.position, reading.progress, by))], ...later,
    ['everyone', say.atOnce]].filter(Boolean);
  return [
    run && form(state, 'note', say.write, [...words(), ...opens(c, choices, say.whenHints[where]),
      ...(moderates ? [{name: 'audience', label: say.audience, type: /** @type {const} */ ('select'),
        options: Object.entries(say.audiences)}] : [])],
    ({where, position, ...body}, made) => request('PUT', `/v1/notes/${made}`, {...Object.fromEntries(Object.entries(body).filter(([, value]) => value)),
      book: run.book, club: id, run: run.id,
      ...(where === 'place' ? {position} : where === 'here' ? {position: reading.position ?? {progress: reading.progress}}
        : {threshold: where})}), {label: say.post, creates: true}),
    form(state, 'edit', isMine ? say.edit : say.openLater, [...(isMine ? words(note) : []),
      ...(note?.threshold === 'finished' || note?.thread ? [] : opens(c, isMine ? [['keep', say.keepOpen], ...later] : later,
        say.laterHint))],
    ({where, position, ...body}) => change(state, `/v1/notes/${note.id}`, note, {...body, ...(where === 'finished' ? {threshold: where}
      : position && {opensAt: position})}),
      // A draft is one of the text that the note has.
      {draft: note && `edit ${note.id} ${note.body}`}),
  ];
}
