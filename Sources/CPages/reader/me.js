// Me: name, settings, sharing, devices.
import {h} from '../shared/dom.js';
import {ifMatch, request, signInAddress} from '../shared/api.js';
import {day, isZone} from '../shared/format.js';
import {signOut} from '../shared/sign-out.js';
import {button, field, form, lines, problem, select} from '../shared/parts.js';
import {common} from '../text/common.js';
import {me as t} from '../text/me.js';
import {check} from './check.js';
import {dataSection, leaveSection, managedSection, row} from './me-account.js';
import {section} from './section.js';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @type {ReaderScreen} */
export const screen = {
  title: () => t.title,
  names(route, state) {
    /** @type {Watches} */
    const names = {sessions: '/v1/tokens?sessions=true', blocks: '/v1/me/blocks', clubs: '/v1/clubs'};
    const {me} = state;
    if (!me) return names;
    names.managed = `/v1/readers?guardian=${me.id}`;
    for (const club of state.list('clubs').slice(0, 100)) names[`member:${club.id}`] = `/v1/clubs/${club.id}/members/${me.id}`;
    return names;
  },
  view(route, state) {
    const {me, settings} = state;
    if (!me || !settings) return null;
    return h('div', {class: 'me'},
      h('h1', {tabindex: -1}, t.title),
      h('section', {'aria-label': t.name},
        form(state, 'name', async values => (await request('PATCH', '/v1/me', values, {headers: ifMatch(me)}), state.toast(t.saved)),
          {class: 'inline'},
          field('name', t.name, h('input', {name: 'name', required: true, maxlength: 100, value: me.name, autocomplete: 'nickname'}),
            t.nameHint),
          h('button', {disabled: state.busy('name')}, common.save), problem(state.refused('name')))),
      section('settings', t.settings, settingsNodes(settings, state)),
      section('sharing', t.sharing, sharingNodes(state)),
      section('devices', t.devices, deviceNodes(state)),
      h('section', {id: 'password'}, passwordNodes(state)),
      section('blocks', t.blocks, blockNodes(state)),
      managedSection(state),
      dataSection(state, me),
      section('behind', t.behind, h('p', null, h('a', {href: '/inspect'}, t.inspect), ' · ', h('a', {href: '/docs'}, t.docs),
        me.role === 'administrator' && [' · ', h('a', {href: '/admin'}, t.admin)])),
      leaveSection(state, me));
  },
};

/** @param {any} settings @param {State} state */
function settingsNodes(settings, state) {
  const set = (/** @type {any} */ patch) => request('PATCH', '/v1/settings', patch);
  return state.placed('settings', [
    /** @type {const} */ (['updateArtwork', 'syncProgress', 'presence']).map(name => check(`set-${name}`, t[name], {checked: settings[name],
      disabled: state.busy('settings'), onchange: state.choosing('settings', settings[name], isOn => set({[name]: isOn}))}, t[`${name}Hint`])),
    field('zone', t.timeZone, h('input', {name: 'timeZone', value: settings.timeZone, list: 'zones', autocomplete: 'off', spellcheck: 'false',
      onchange: event => state.act('settings', () => set({timeZone: event.target.value}))}), t.timeZoneHint),
    h('datalist', {id: 'zones'}, /** @type {any} */ (Intl).supportedValuesOf?.('timeZone').map((/** @type {string} */ name) =>
      h('option', {key: name, value: name}))),
    settings.timeZone !== ownZone && isZone(ownZone) && h('p', null,
      h('button', {class: 'quiet', id: 'own-zone', onclick: () => state.act('settings', () => set({timeZone: ownZone}))}, t.useZone(ownZone))),
    shareSelect('share', t.share, settings.defaultShareLevel, state.choosing('settings', settings.defaultShareLevel,
      value => set({defaultShareLevel: value})), t.shareHint),
    problem(state.refused('settings')),
  ]);
}

/** @param {string} id @param {string} label @param {string} value @param {(event: any) => any} choose @param {string} [hint] */
const shareSelect = (id, label, value, choose, hint) => field(id, label,
  select({value, onchange: choose}, Object.entries(t.shares)), hint);

/** @param {State} state */
function sharingNodes(state) {
  const clubs = state.list('clubs');
  return [
    state.get('clubs') && !clubs.length && h('p', {class: 'soft'}, t.noClubs),
    clubs.map(club => {
      const member = state.get(`member:${club.id}`);
      return member && shareSelect(`share-${club.id}`, t.shareWith(club.name), member.shares,
        state.choosing('shares', member.shares, shares => request('PATCH', `/v1/clubs/${club.id}/members/${member.reader}`, {shares})));
    }),
    problem(state.refused('shares')),
  ];
}

/** @param {State} state */
function deviceNodes(state) {
  const leave = async () => (await signOut(), location.assign(signInAddress('/')));
  return [
    h('p', {class: 'hint'}, t.devicesHint),
    lines(state.list('sessions').map(({id, name, isCurrent, lastUsedOn, createdAt}) => row(id, [name, ' ', h('span', {class: 'soft small'},
      isCurrent ? t.thisDevice : t.lastUsed(day(lastUsedOn ?? createdAt.slice(0, 10))))],
    button(state, 'sessions', t.signOut, () => request('DELETE', `/v1/tokens/${id}`), {class: 'quiet', 'aria-label': t.signOutOf(name)})))),
    h('div', {class: 'row'},
      button(state, 'sessions', t.signOutHere, leave, {id: 'sign-out'}),
      state.asking(t.signOutAll, {title: t.signOutAll, text: t.signOutAllText,
        run: async () => (await signOut('?all=true'), location.assign(signInAddress('/')))}, {id: 'sign-out-all'})),
    problem(state.refused('sessions')),
  ];
}

/** @param {State} state */
function passwordNodes(state) {
  const run = async (/** @type {any} */ values) => {
    await request('PUT', '/v1/me/password', values);
    state.set({passwords: (state.ui.passwords ?? 0) + 1});
    state.toast(t.passwordDone);
  };
  return h('details', null, h('summary', null, t.password), form(state, 'password', run,
    {key: state.ui.passwords ?? 0, class: 'narrow'},
    h('input', {hidden: true, autocomplete: 'username'}),
    field('password-now', t.passwordNow, h('input', {name: 'current', type: 'password', autocomplete: 'current-password', required: true})),
    field('password-new', t.passwordNew, h('input', {name: 'password', type: 'password', autocomplete: 'new-password', required: true,
      minlength: 8}), t.passwordHint),
    problem(state.refused('password')),
    h('p', null, h('button', {disabled: state.busy('password')}, t.password))));
}

/** @param {State} state */
function blockNodes(state) {
  return [
    h('p', {class: 'hint'}, t.blocksHint),
    lines(state.list('blocks').map(({id, name, reader}) => row(id, name, button(state, 'blocks', t.unblock,
      () => request('DELETE', `/v1/me/blocks/${reader}`), {class: 'quiet', 'aria-label': t.unblockName(name)}))), t.noBlocks),
    problem(state.refused('blocks')),
  ];
}
