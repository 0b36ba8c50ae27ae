// @ts-check
// What belongs to who is signed in: devices, other ways to sign in, the password.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {text} from '../shared/text-sign-in.js';
import {field, form, problem} from './forms.js';
import {acts, show, state} from './page.js';

const {joining} = text;
const day = new Intl.DateTimeFormat(text.language, {dateStyle: 'long', timeZone: 'UTC'});

/** Reads what belongs to who is signed in. */
export async function list() {
  const [current, sessions, identities] = await Promise.all(
    [request('GET', '/v1/sessions/current'), request('GET', '/v1/sessions'), request('GET', '/v1/identities')]);
  Object.assign(state, {current: current.id, sessions: sessions.items, identities: identities.items});
  show();
}

/** @param {string} id
 * @param {string} title @param {string} detail @param {string} [label] @param {() => Promise<any>} [act] */
const row = (id, title, detail, label, act) => h('li', {key: id},
  h('span', null, title, h('small', {class: 'soft'}, detail)),
  act && h('button', {class: 'quiet', type: 'button', disabled: acts.busy(id), onclick: () => acts.run(id, () => act().then(list)), 'aria-label': `${label}: ${title}`}, label),
  problem(id));

/** @param {(said: string) => Promise<void>} begin Shows what there is without a session. */
export const beingHere = begin => h('section', {id: 'being-here', key: 'being-here'},
  h('h1', {id: 'who', tabindex: -1}, state.me.name),
  h('p', {class: 'soft'}, state.me.role === 'administrator' ? joining.administrator : joining.signedIn),
  h('p', {class: 'row'}, h('a', {class: 'button primary', href: '/'}, text.common.backHome),
    state.me.role === 'administrator' && h('a', {class: 'button', href: '/admin'}, text.frame.pages['/admin'])),
  h('h2', null, joining.devices),
  h('ul', {id: 'devices', class: 'plain lines'}, state.sessions.map(({id, name, lastUsedOn}) => (id === state.current ?
    row(id, name, joining.thisDevice) :
    row(id, name, lastUsedOn ? joining.lastUsed(day.format(new Date(lastUsedOn))) : joining.neverUsed, joining.signOut, () => request('DELETE', `/v1/tokens/${id}`))))),
  h('p', {class: 'row'},
    h('button', {id: 'out', type: 'button', disabled: acts.busy('out'), onclick: () => acts.run('out', async () => {
      await request('DELETE', '/v1/sessions/current');
      await begin(joining.isOut);
    })}, joining.signOut),
    h('button', {id: 'out-everywhere', class: 'quiet', type: 'button', disabled: acts.busy('out'), onclick: () => acts.run('out', async () => {
      await request('DELETE', '/v1/sessions');
      await begin(joining.isOutEverywhere);
    })}, joining.signOutEverywhere)),
  problem('out'),
  state.ways.provider && [
    h('h2', null, joining.identities),
    h('ul', {id: 'identities', class: 'plain lines'}, state.identities.map(({id, issuer, createdAt}) =>
      row(id, issuer.replace(/^https?:\/\//, ''), joining.since(day.format(new Date(createdAt))), joining.disconnect, () => request('DELETE', `/v1/identities/${id}`)))),
    h('details', {id: 'connect-part'},
      h('summary', null, joining.another),
      h('p', {class: 'hint'}, joining.proof),
      form('connecting', joining.connect(state.ways.provider), async said => {
        const {url} = await request('POST', '/v1/identities', said);
        location.assign(url);
      }, ['current'], field('connecting', 'current', joining.current, {type: 'password', autocomplete: 'current-password'})))],
  h('details', {id: 'password-part'},
    h('summary', null, joining.nameAndPassword),
    form('change', joining.change, async said => {
      await request('PUT', '/v1/me/password', said);
      await begin(joining.isChanged);
    }, ['name', 'current', 'password'],
      field('change', 'name', joining.otherName, {autocomplete: 'username', maxlength: 64}, joining.otherNameHint),
      field('change', 'current', joining.current, {type: 'password', autocomplete: 'current-password'}, joining.currentHint),
      field('change', 'password', joining.newPassword, {type: 'password', autocomplete: 'new-password', required: true, minlength: 8}, joining.passwordHint))));
