// The signed-in view: ways to sign in, and out. Devices are on the reader's page.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {signOut} from '../shared/sign-out.js';
import {common} from '../text/common.js';
import {joining} from '../text/joining.js';
import {button} from '../shared/parts.js';
import {field, form, newPassword, password, problem, signInName} from './forms.js';
import {acts, show, state} from './page.js';

const day = new Intl.DateTimeFormat(common.language, {dateStyle: 'long', timeZone: 'UTC'});

export async function list() {
  state.identities = (await request('GET', '/v1/identities')).items;
  show();
}

/** @param {(said: string) => Promise<void>} begin Reloads the state. */
export const beingHere = begin => h('section', {id: 'being-here', key: 'being-here'},
  h('h1', {id: 'who', tabindex: -1}, state.me.name),
  h('p', {class: 'soft'}, state.me.role === 'administrator' ? joining.administrator : joining.signedIn),
  h('p', {class: 'row'}, h('a', {class: 'button primary', href: '/'}, common.backHome),
    state.me.role === 'administrator' && h('a', {class: 'button', href: '/admin'}, common.pages[2][1])),
  h('p', {class: 'row'},
    button(acts, 'out', joining.signOut, () => signOut().then(() => begin(joining.isOut)), {id: 'out'}),
    button(acts, 'out-everywhere', joining.signOutEverywhere,
      () => signOut('?all=true').then(() => begin(joining.isOutEverywhere)), {id: 'out-everywhere', class: 'quiet'})),
  problem('out'), problem('out-everywhere'),
  h('p', {class: 'hint'}, h('a', {href: '/me'}, joining.devices)),
  state.ways.provider && [
    h('h2', null, joining.identities),
    h('ul', {id: 'identities', class: 'plain lines'}, state.identities.map((/** @type {any} */ {id, issuer, createdAt}) => h('li',
      {key: id},
      h('span', null, issuer.replace(/^https?:\/\//, ''), h('small', {class: 'soft'}, joining.since(day.format(new Date(createdAt))))),
      button(acts, id, joining.disconnect, () => request('DELETE', `/v1/identities/${id}`).then(list), {class: 'quiet'}), problem(id)))),
    h('details', null, h('summary', null, joining.another), h('p', {class: 'hint'}, joining.proof),
      form('connecting', joining.connect(state.ways.provider),
        said => request('POST', '/v1/identities', said).then(({url}) => location.assign(url)),
        ['current'], field('connecting', 'current', joining.current, password)))],
  h('details', {id: 'password-part'}, h('summary', null, joining.nameAndPassword),
    form('change', joining.change, said => request('PUT', '/v1/me/password', said).then(() => begin(joining.isChanged)),
      ['name', 'current', 'password'],
      field('change', 'name', joining.otherName, signInName, joining.otherNameHint),
      field('change', 'current', joining.current, password, joining.currentHint),
      field('change', 'password', joining.newPassword, newPassword, joining.passwordHint))));
