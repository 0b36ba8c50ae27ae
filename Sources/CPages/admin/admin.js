// The operator's page.
import {h, render} from '../shared/dom.js';
import {onSessionEnd, Refusal, signInAddress} from '../shared/api.js';
import {frame} from '../shared/frame.js';
import {notHere} from '../shared/parts.js';
import {common} from '../text/common.js';
import {admin} from '../text/admin.js';
import {begin, onChange, set, state} from './data.js';
import {question} from './parts.js';
import {invitations, readers, tokens} from './people.js';
import {backups, health, log, reads} from './service.js';
import {catalogue, reports} from './things.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {Record<string, () => Child[]>} */
const views = {readers, invitations, tokens, catalogue, reports, backups, health, log};

onChange(() => {
  const open = state.reports.filter(report => !report.outcome).length;
  render(root, frame('/admin',
    state.isNotHere ? notHere() :
    !state.me ? h('p', {class: 'soft', role: 'status'}, state.isOffline ? common.noAnswer : common.loading) : [
      h('h1', {tabindex: -1}, admin.title),
      h('p', {class: 'problem', role: 'alert', hidden: !state.isOffline}, common.offline),
      h('nav', {class: 'tabs', 'aria-label': admin.title}, Object.entries(admin.tabs).map(([id, label]) =>
        h('a', {href: `#${id}`, 'aria-current': id === state.tab ? 'page' : null}, label, id === 'reports' && open > 0 && ` (${open})`))),
      h('section', {key: state.tab, 'aria-labelledby': 'tab-title'}, h('h2', {id: 'tab-title', tabindex: -1}, admin.tabs[state.tab]), views[state.tab]()),
      question()]));
});

/** Reads the open tab's data that no stream sends. */
async function read() {
  if (document.hidden || !state.me) return;
  try {
    set(await reads[state.tab]?.());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function turn() {
  const id = location.hash.slice(1);
  set({tab: views[id] ? id : 'readers', query: '', made: null});
  read();
}
addEventListener('hashchange', () => {
  turn();
  /** @type {HTMLElement | null} */ (document.querySelector('#tab-title'))?.focus();
});
onSessionEnd(() => location.replace(signInAddress(location.pathname + location.hash)));
setInterval(read, 5000);
set({});
await begin();
turn();
