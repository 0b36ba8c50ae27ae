// Building blocks of the club screens: actions, and forms in dialogs.
//
// openForm(state, 'found') opens the form that form(state, 'found', …) describes. Its `save` gets the values by name: null if
// empty, an ISO time of a 'when', a position of a 'place'. A refusal keeps the form open and shows its sentences. A form that
// `creates` has a draft, under whose id `save` creates something; others have one if `draft` names it.
import {h} from '../shared/dom.js';
import {ifMatch, Refusal, request} from '../shared/api.js';
import {dateTime, zoneInUse} from '../shared/format.js';
import {dialog, field, select} from '../shared/parts.js';
export {soft} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {check} from './check.js';
import {draftOf, keeping, sent} from './draft.js';
import {guide, position, readingOf} from './note-place.js';


/** @type {View} */
export const opening = (state, id, label, more = {}, kind = 'quiet', name = '') => h('button', {key: label, type: 'button', class: kind,
  'aria-label': name ? `${label}: ${name}` : null, onclick: () => openForm(state, id, more)}, label);

/** @param {State} state
 * @param {string} id @param {Record<string, any>} [more] */
export function openForm(state, id, more = {}) {
  state.forgive(`${id}-form`);
  state.set({form: id, ...more});
}

/** A link to share.
 * @type {View} */
export const given = (state, label, url, hint, ...more) => h('div', {key: url, class: 'given'}, h('label', {for: 'given'}, label),
  h('div', {class: 'row'}, h('input', {id: 'given', readonly: true, value: url, onfocus: event => event.target.select()}),
    h('button', {class: 'primary', onclick: () => copied(state, url)}, say.copy), more),
  h('p', {class: 'hint'}, hint));

/** Copies a text, or selects it if there is no clipboard (plain HTTP).
 * @param {State} state @param {string} text */
async function copied(state, text) {
  try {
    await navigator.clipboard.writeText(text);
    state.toast(say.copied);
  } catch {
    document.getElementById('given')?.focus();
  }
}

/** Converts an instant to an input's wall time in the zone in use, and back.
 * @param {string | number} at */
const wall = at => new Intl.DateTimeFormat('sv-SE', {timeZone: zoneInUse(), dateStyle: 'short',
  timeStyle: 'short'}).format(new Date(at)).replace(' ', 'T');
/** @param {string} written */
function instant(written) {
  const base = Date.parse(`${written}Z`);
  let at = base;
  for (let i = 0; i < 2; i++) at += base - Date.parse(`${wall(at)}Z`);
  return new Date(at).toISOString();
}

/** @param {State} state @param {string} id @param {string} title @param {Field[]} fields @param {(values: any, id: string) => Promise<any>} save
 * @param {{label?: string, intro?: any, isDanger?: boolean, creates?: boolean, draft?: string}} options */
export function form(state, id, title, fields, save, {label = common.save, intro, isDanger, creates, draft = creates ? id : ''} = {}) {
  if (state.ui.form !== id) return null;
  const texts = draft ? draftOf(state, draft).texts : {};
  const close = () => state.ui.form === id && state.set({form: null});
  const run = async (/** @type {Record<string, any>} */ values) => {
    const send = (/** @type {string} */ made) => save(Object.fromEntries(fields.map(one => [one.name, read(one, values)])), made);
    await (draft ? sent(state, draft, send) : send(''));
    close();
  };
  return dialog(state, {id: `${id}-form`, title, close, label, kind: isDanger ? 'danger' : 'primary', run}, intro && h('p', null, intro),
    h('div', {oninput: draft ? keeping(state, draft) : null}, fields.map(one => control(one.type === 'place' || one.changed ? one
      : {...one, value: texts[one.name] ?? one.value}, id))));
}

/** Changes the value that a form shows, unless somebody else has changed the same members meanwhile: then it shows theirs, and the next
 * press replaces them.
 * @param {State} state @param {string} url @param {any} of @param {Record<string, any>} body */
export async function change(state, url, of, body) {
  const known = state.ui.seen?.id === of.id ? state.ui.seen : of;
  try {
    await request('PATCH', url, body, {headers: ifMatch(known)});
  } catch (/** @type {any} */ error) {
    if (error.status !== 412) throw error;
    const now = await request('GET', url);
    const others = Object.keys(body).filter(name => JSON.stringify(now[name] ?? null) !== JSON.stringify(known[name] ?? null));
    if (!others.length) return request('PATCH', url, body, {headers: ifMatch(now)});
    state.ui.seen = now;
    const shown = others.filter(name => typeof now[name] === 'string').map(name => (name.endsWith('At') ? dateTime(now[name]) : now[name]));
    throw new Refusal(412, [say.changedMeanwhile, ...shown.map(say.theirs)]);
  }
}

/** Whether a meeting is over: one without a length lasts two hours.
 * @type {View} */
export const isOver = ({hasBegun, startsAt, minutes}) => hasBegun && Date.parse(startsAt) + (minutes ?? 120) * 60_000 < Date.now();

/** @type {View} */
function read({name, type}, values) {
  const value = values[name]?.trim() || null;
  if (type === 'check') return name in values;
  if (type === 'place') return position(value ?? '', values[`${name}-amount`] ?? '');
  return value && (type === 'number' ? Number(value) : type === 'when' ? instant(value) : value);
}

/** @type {any} */
let timer = 0;

/** Calls a function with a field's text, some time after the last letter. Enter does not send the form.
 * @param {(value: string) => void} changed */
const following = changed => ({
  oninput: (/** @type {any} */ {target}) => {
    clearTimeout(timer);
    timer = setTimeout(() => changed(target.value), 300);
  },
  onkeydown: (/** @type {any} */ event) => event.key === 'Enter' && event.preventDefault(),
});

/** @type {View} */
export function control({name, label, type = 'text', value, required, options = [], hint, changed, units}, form) {
  const id = `in-${form}-${name}`;
  const props = {name, required, value: value ?? '', ...(changed && (type === 'text' ? following(changed)
    : {onchange: (/** @type {any} */ event) => changed(event.target.value)}))};
  if (type === 'check') return check(id, label, {name, checked: Boolean(value)}, hint);
  if (type === 'area') return field(id, label, h('textarea', {...props, rows: 4}), hint);
  if (type === 'select') return field(id, label, select({...props, value: value || options[0]?.[0]}, options), hint);
  if (type === 'place') return place(id, label, name, units, value, hint, required);
  const written = type === 'when' ? {type: 'datetime-local', value: value ? wall(value) : ''} : {type};
  return field(id, label, h('input', {...props, ...written, autocomplete: 'off'}), hint);
}

/** A position in a book: the unit, and the amount except for a chapter.
 * @type {View} */
function place(id, label, name, units, value, hint, required) {
  const [unit, amount] = units.split(value);
  const isChapter = (/** @type {string} */ of) => of.startsWith('chapter');
  const step = (/** @type {string} */ of) => (of === 'page' ? 1 : 'any');
  const choose = (/** @type {any} */ {target}) => Object.assign(target.closest('.field').nextElementSibling,
    {hidden: isChapter(target.value), required: required && !isChapter(target.value), step: step(target.value)});
  const choice = select({name, value: unit, onchange: choose}, units.amounts);
  if (units.chapters.length) choice.children.push(h('optgroup', {label: say.startOf}, select({}, units.chapters).children));
  return h('div', {key: id, class: 'row place'}, field(id, label, choice, hint), h('input', {name: `${name}-amount`, type: 'number', min: 0,
    step: step(unit), 'aria-label': say.amount, value: amount, hidden: isChapter(unit), required: required && !isChapter(unit)}));
}

/** The context of the screen's parts.
 * @param {Route} route @param {State} state */
export function contextOf({params, query}, state) {
  const club = state.get('club');
  const runs = state.list('runs');
  const members = state.list('members');
  const me = state.me?.id;
  const role = members.find(member => member.reader === me)?.role ?? 'member';
  const run = runs.find(run => run.id === query.get('run')) ?? runs.find(run => run.state === 'current');
  const view = ['plan', 'people'].find(name => name === query.get('view')) ?? '';
  const reports = state.list('reports').filter(report => report.club === params.club);
  return {state, reports, id: params.club, url: `/v1/clubs/${params.club}`, club, runs, members, me, role, moderates: role !== 'member',
    isOpen: club && !club.isArchived, run, view, manages: false, reading: readingOf(state), by: guide(state)};
}
