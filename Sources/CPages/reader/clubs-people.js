// A club's members, roles, sharing, invitations, join requests and settings.
import {h} from '../shared/dom.js';
import {Refusal, request} from '../shared/api.js';
import {date} from '../shared/format.js';
import {button, lines, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {form, given, opening} from './clubs-kit.js';
import {reporting} from './clubs-reports.js';
import {section} from './section.js';

/** @type {View} */
const spread = (key, name, controls, refused) => h('li', {key}, h('div', {class: 'head'}, h('span', null, name), h('span', {class: 'row'},
  controls)), problem(refused));

/** @type {ClubPart} */
function memberRow({state, url, members, me, role, moderates}, {id, reader, name, role: its, shares}) {
  const isMe = reader === me;
  const hasChoice = role === 'owner' && (!isMe || members.filter(one => one.role === 'owner').length > 1);
  const save = (/** @type {any} */ patch) => request('PATCH', `${url}/members/${reader}`, patch);
  const stepDown = (/** @type {any} */ {target}) => {
    const chosen = target.value;
    target.value = its;
    state.confirm({title: say.stepDownTitle, text: say.stepDownHint, label: say.stepDown, run: () => save({role: chosen})});
  };
  const select = (/** @type {string} */ field, /** @type {string} */ label, /** @type {any} */ value,
    /** @type {string[][]} */ options) => h('select', {
    key: field, 'aria-label': label, value, disabled: state.busy(id),
    onchange: isMe && field === 'role' ? stepDown : state.choosing(id, value, chosen => save({[field]: chosen})),
  }, options.map(([of, shown]) => h('option', {key: of, value: of}, shown)));
  return spread(id, [h('b', null, name), isMe && ` (${say.you})`, !hasChoice && h('span', {class: 'soft'}, ` ${say.roles[its]}`)], [
    isMe ? select('shares', say.youShare, shares, say.sharing) : h('span', {class: 'soft small'}, say.shares[shares]),
    hasChoice && select('role', say.roleOf(name), its, Object.entries(say.roles)),
    isMe ? opening(state, 'leave', say.leave) : moderates && its !== 'owner' && state.asking(common.remove, {
      title: say.removeTitle(name), text: say.removeHint, run: () => request('DELETE', `${url}/members/${reader}`)})], state.refused(id));
}

/** @type {ClubPart} */
function inviting({state, url, id}) {
  const {made, ways} = state.ui;
  if (ways === undefined) {
    state.ui.ways = null;
    request('GET', '/v1/sign-in').then(found => state.set({ways: found}), () => {});
  }
  return section('invite', say.invite, h('div', {class: 'row'},
    button(state, 'invite', say.linkForReaders, async () => {
      const invitation = await request('POST', `${url}/invitations`, {usesMax: 10});
      state.set({made: [`${location.origin}/clubs#join=${invitation.code}`, say.linkForReadersHint], invitation: invitation.id});
    }),
    (state.me?.role === 'administrator' || ways?.registrationLinks === 'readers') && button(state, 'invite', say.linkForOthers, async () => {
      const link = await request('POST', '/v1/links', {club: id});
      state.set({made: [new URL(link.url, location.href).href, say.linkForOthersHint(date(link.expiresAt))], invitation: null});
    })), problem(state.refused('invite')),
  made && given(state, say.link, ...made, 'share' in navigator && h('button',
    {onclick: () => navigator.share({url: made[0]}).catch(() => {})}, say.share)),
  lines(state.list('invitations').filter(one => one.uses < one.usesMax).map(one => spread(one.id, say.invitation(date(one.createdAt),
    one.uses, one.usesMax),
    button(state, one.id, say.revoke, async () => {
      await request('DELETE', `${url}/invitations/${one.id}`);
      if (state.ui.invitation === one.id) state.set({made: null});
    }, {class: 'quiet'}), state.refused(one.id)))));
}

/** @type {ClubPart} */
export function people(c) {
  const {state, club, url, me, role, members, moderates, isOpen} = c;
  const waiting = state.list('requests').filter(one => one.state === 'waiting');
  const answer = (/** @type {any} */ one, /** @type {string} */ label, /** @type {string} */ to, kind = '') => button(state, one.id, label,
    () => request('PATCH', `/v1/requests/${one.id}`, {state: to}), {class: kind});
  return [
    reporting(c),
    waiting.length > 0 && section('asking', say.asking,
      lines(waiting.map(one => spread(one.id, [h('b', null, one.name), one.message && [' ', h('q', null, one.message)]],
      [answer(one, say.letIn, 'accepted', 'primary'), answer(one, say.decline, 'declined')], state.refused(one.id))))),
    section('members', say.membersOf(members.length), lines([...members].sort((a, b) => say.rank.indexOf(a.role) - say.rank.indexOf(b.role)
      || a.name.localeCompare(b.name)).map(one => memberRow(c, one)))),
    moderates && isOpen && inviting(c),
    state.list('removals').length > 0 && section('removed', say.removed, lines(state.list('removals').map(one => spread(one.id, one.name,
      button(state, one.id, say.letBack, () => request('DELETE', `${url}/removals/${one.id}`), {class: 'quiet'}), state.refused(one.id))))),
    role === 'owner' && h('section', {key: 'end'}, state.asking(say.end, {title: say.endTitle(club.name), text: say.endHint,
      run: async () => (await request('DELETE', url), state.go('/clubs'))}, {class: 'danger'})),
    form(state, 'leave', say.leaveTitle(club.name), [{name: 'notes', label: say.leaveNotes, type: 'select',
      options: Object.entries(say.leaving)}], async ({notes}) => {
      if (role === 'owner' && members.filter(member => member.role === 'owner').length < 2) throw new Refusal(409, [say.lastOwner]);
      await request('DELETE', `${url}/members/${me}?notes=${notes}`);
      state.go('/clubs');
    }, {isDanger: true, label: say.leave}),
  ];
}

/** The owners' club settings.
 * @type {ClubPart} */
export const settings = ({state, club, url}) => form(state, 'settings', say.settings, [
  {name: 'name', label: say.name, value: club.name, required: true},
  {name: 'description', label: say.description, type: 'area', value: club.description},
  {name: 'listed', label: say.listedLabel, type: 'check', value: club.visibility === 'listed'},
  {name: 'countsAhead', label: say.countsAhead, type: 'check', value: club.countsAhead},
  {name: 'moderatorsSeeAhead', label: say.seeAhead, type: 'check', value: club.moderatorsSeeAhead},
  {name: 'defaultShares', label: say.defaultShares, type: 'select', value: club.defaultShares, options: [['', say.theirSettings],
    ...say.sharing]},
  {name: 'isArchived', label: say.archive, type: 'check', value: club.isArchived, hint: say.archiveHint},
], ({listed, ...body}) => request('PATCH', url, {...body, visibility: listed ? 'listed' : 'private'}));

