// Me: managed accounts, export and import, leaving.
import {h} from '../shared/dom.js';
import {Refusal, request} from '../shared/api.js';
import {forgetDrafts} from '../shared/sign-out.js';
import {field, form, lines, problem} from '../shared/parts.js';
import {me as t} from '../text/me.js';
import {section} from './section.js';

// The largest part of a file that one request sends: a character may have three bytes, and a request has at most 1 MiB.
const LINES = 500, CHARACTERS = 300_000;

/** @param {string} key @param {Child} name @param {Child[]} actions */
export const row = (key, name, ...actions) => h('li', {key, class: 'book-row'}, h('div', {class: 'grow'}, name), actions);

/** A name as people see it: without invisible marks and repeated blanks, in composed letters.
 * @param {string} name */
const seen = name => name.normalize().replace(/[\u200e\u200f\u2066-\u2069]/g, '').replace(/\s+/g, ' ').trim();

/** Asks for a name before an irreversible action.
 * @param {State} state @param {string} title @param {string} text @param {string} name @param {(name: string) => Promise<any>} run */
const confirmByName = (state, title, text, name, run) => state.confirm({
  title, text, label: title,
  more: () => field('confirm-name', t.leaveConfirm(name), h('input', {name: 'confirm', required: true, autocomplete: 'off'})),
  run: async ({confirm}) => {
    if (seen(confirm) !== seen(name)) throw new Refusal(422, [t.leaveWrong]);
    await run(encodeURIComponent(name));
  },
});

/** @param {State} state */
export function managedSection(state) {
  const accounts = state.list('managed');
  return accounts.length > 0 && section('managed', t.managed, lines(accounts.map(account => row(account.id, account.name,
    h('a', {class: 'button quiet', href: `/v1/me/export?reader=${account.id}`, download: '', 'aria-label': t.of(t.exportOf, account.name)}, t.exportOf),
    h('button', {class: 'quiet', 'aria-label': t.of(t.endAccount, account.name), onclick: () => confirmByName(state,
      t.of(t.endAccount, account.name), t.endText, account.name,
      name => request('DELETE', `/v1/readers/${account.id}?confirm=${name}`))}, t.endAccount)))));
}

/** @param {State} state @param {any} me */
export const dataSection = (state, me) => section('data', t.data,
  h('p', {class: 'hint'}, t.dataHint),
  h('ul', {class: 'plain'}, t.exports.map(([query, label]) =>
    h('li', {key: query}, h('a', {href: `/v1/me/export${query}`, download: ''}, label)))),
  form(state, 'import', values => bringIn(state, values.file), {class: 'narrow'},
    field('import-file', t.import, h('input', {type: 'file', name: 'file', accept: '.jsonl,application/jsonl,text/plain'}), t.importHint),
    h('p', null, h('button', {disabled: state.busy('import')}, t.importNow)),
    h('div', {id: 'import-result', role: 'status'}, state.ui.result && h('p', null, state.ui.result)),
    problem(state.refused('import'))));

/** @param {State} state @param {any} me */
export const leaveSection = (state, me) => section('leave', t.leave,
  h('p', {class: 'hint'}, t.leaveText),
  h('p', null, h('button', {id: 'leave-button', class: 'danger', onclick: () => confirmByName(state, t.leave, t.leaveText, me.name, async name => {
    await request('DELETE', `/v1/readers/${me.id}?confirm=${name}`);
    forgetDrafts();
    location.assign('/sign-in?deleted');
  })}, t.leave)));

/** Imports the lines of an export, some hundreds at a time.
 * @param {State} state @param {File | null} file */
async function bringIn(state, file) {
  state.set({result: null});
  if (!file?.size) throw new Refusal(422, [t.importNoFile]);
  const texts = (await file.text()).split('\n').filter(Boolean);
  let lines;
  try {
    lines = texts.map(text => JSON.parse(text));
  } catch {
    lines = [];
  }
  const account = lines[0]?.kind === 'export' && lines[0].reader;
  if (!account) throw new Refusal(422, [t.importNotOne]);
  const sums = {created: 0, updated: 0, unchanged: 0, refused: 0};
  /** @type {Map<string, number>} */
  const firstLines = new Map();
  // The first line and the last one describe the file.
  const end = lines.length - (lines.at(-1).kind === 'end' ? 1 : 0);
  for (let at = 1, next; at < end; at = next) {
    state.set({result: t.importing(at - 1, end - 1)});
    next = at + 1;
    for (let size = texts[at].length; next < end && next < at + LINES && (size += texts[next].length) < CHARACTERS;) next += 1;
    const answer = await request('POST', '/v1/me/import', {account, lines: lines.slice(at, next)});
    sums.created += answer.created;
    sums.updated += answer.updated;
    sums.unchanged += answer.unchanged;
    sums.refused += answer.refused.length;
    for (const {line, problem: {detail}} of answer.refused) if (!firstLines.has(detail)) firstLines.set(detail, at + line + 1);
  }
  state.set({result: [t.imported(sums), ...[...firstLines].slice(0, 3).map(([detail, line]) => t.importRefused(line, detail))].join(' ')});
  Object.assign(document.getElementById('import-file') ?? {}, {value: ''});
}
