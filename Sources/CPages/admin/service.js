// Backups, health and log, read every few seconds without a stream.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {copyable} from '../shared/frame.js';
import {field, lines, select} from '../shared/parts.js';
import {common} from '../text/common.js';
import {admin} from '../text/admin.js';
import {set, state} from './data.js';
import {button, row, time} from './parts.js';


/** @type {Record<string, () => Promise<any>>} */
export const reads = {
  backups: async () => ({backups: await request('GET', '/v1/admin/backups')}),
  health: async () => {
    const answer = await fetch('/readyz', {cache: 'no-store'});
    return {health: await answer.json(), metrics: await request('GET', '/metrics', undefined, {headers: {Accept: 'text/plain'}})};
  },
  log: async () => ({log: await request('GET', `/v1/admin/log?lines=300${state.level ? `&level=${state.level}` : ''}`)}),
};

export const backups = () => [
  h('div', {class: 'row make'}, button('backup', admin.makeBackup, () => request('POST', '/v1/admin/backups', {}).then(reads.backups).then(set))),
  h('p', {class: 'soft'}, state.backups?.lastGoodAt ? [admin.lastGood, time(state.backups.lastGoodAt)] : admin.noGood),
  lines((state.backups?.items ?? []).map((/** @type {any} */ {id, kind, state: step, askedAt, bytes, reason}) => row(id, time(askedAt),
    [admin.kinds[kind], admin.steps[step], bytes && admin.units.bytes(bytes), reason])), admin.noBackups),
  h('p', {class: 'hint'}, admin.fetchBackup), copyable('lectern backup FILE', admin.fetchBackup), h('p', {class: 'hint'}, admin.keepBackup)];

/** The value of a metric without labels.
 * @param {string} name */
const metric = name => Number((state.metrics ?? '').match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1] ?? NaN);

export function health() {
  if (!state.health) return [h('p', {class: 'soft'}, common.loading)];
  const {status, reasons} = state.health;
  const [, version, commit] = (state.metrics ?? '').match(/build_info\{version="([^"]*)",commit="([^"]*)"/) ?? [];
  return [
    h('p', {class: `state ${status}`, role: 'status'}, admin.states[status] ?? status),
    lines(reasons.map((/** @type {any} */ {reason, detail}) => row(reason, detail, [reason])), admin.noReasons),
    h('dl', {class: 'metrics'},
      h('div', null, h('dt', null, admin.version), h('dd', null, version, ' ', h('code', null, commit?.slice(0, 8)))),
      admin.metrics.map(([name, label, unit]) => h('div', {key: name}, h('dt', null, label), h('dd', {class: 'numbers'}, admin.units[unit](metric(name))))))];
}

/** @param {any} line */
const logLine = ({time: at, level, message, status, method, route, milliseconds, requestId}) =>
  [at, level, message ?? `${status} ${method} ${route} ${milliseconds} ms ${requestId ?? ''}`].join(' ');

export const log = () => [
  field('level', admin.level, select({onchange: async event => {
    set({level: event.target.value});
    set(await reads.log());
  }}, Object.entries(admin.levels))),
  state.log?.dropped > 0 && h('p', {class: 'problem'}, admin.dropped(state.log.dropped)),
  h('pre', {class: 'log', tabindex: 0, role: 'group', 'aria-label': admin.tabs.log}, (state.log?.items ?? []).map(logLine).reverse().join('\n'))];
