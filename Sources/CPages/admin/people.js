// Readers, invitations, tokens.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {field, lines, select} from '../shared/parts.js';
import {admin} from '../text/admin.js';
import {ask, none, set, state} from './data.js';
import {button, maker, row, search, shownOnce, time} from './parts.js';

/** The maximum number of rows; search finds the others. */
const MOST = 100;

/** @param {string} label */
const nameField = label => field('name', label, h('input', {name: 'name', autocomplete: 'off', required: true, maxlength: 100}));
/** @param {string | null} id */
export const nameOf = id => state.readers.find(reader => reader.id === id)?.name ?? (id ? admin.noName(id.slice(0, 8)) : '');
/** @param {string[]} words */
const matches = (...words) => words.join(' ').toLowerCase().includes(state.query.trim().toLowerCase());
/** Adds the origin: the server sends paths without `--public-url`.
 * @param {string} url */
const whole = url => new URL(url, location.origin).href;

/** @param {any} reader */
function readerRow(reader) {
  const {id, name, role, suspension, createdAt} = reader;
  const url = `/v1/readers/${id}`;
  const isAdministrator = role === 'administrator';
  const making = isAdministrator ? admin.makeReader : admin.makeAdministrator;
  return row(id, name, [isAdministrator && admin.roles[role], suspension && admin.suspended(suspension.reason ?? ''), [admin.since, time(createdAt)]],
    button(id, admin.resetLink, async () => {
      const made = await request('POST', '/v1/links', {kind: 'reset', reader: id});
      set({made: {lead: admin.resetMade(name), secret: whole(made.url)}});
    }, name),
    button(id, making, () => ask({title: `${making}: ${name}`, label: making,
      run: () => request('PATCH', url, {role: isAdministrator ? 'reader' : 'administrator'})}), name),
    suspension ? button(id, admin.lift, () => request('PATCH', url, {suspension: null}), name) : button(id, admin.suspend, () => ask({
      title: admin.suspendTitle(name), lead: admin.suspendLead, label: admin.suspend, fields: [{name: 'reason', label: admin.reason}],
      run: ({reason}) => request('PATCH', url, {suspension: reason ? {reason} : {}})}), name),
    button(id, admin.remove, () => ask({title: admin.removeTitle(name), lead: admin.removeLead, label: admin.remove, run: () => request('DELETE', url)}), name));
}

export function readers() {
  const found = state.readers.filter(({id, name, role}) => matches(id, name, role));
  return [
    maker('add-reader', admin.add, said => request('POST', '/v1/readers', said), nameField(admin.addReader)),
    shownOnce(),
    search(admin.searchReaders), lines(found.slice(0, MOST).map(readerRow), none('readers', admin.nobody)),
    found.length > MOST && admin.moreOf(found.length - MOST)];
}

export const invitations = () => [
  maker('invite', admin.invite, async ({days}) => {
    const made = await request('POST', '/v1/links', {kind: 'invitation', expiresAt: new Date(Date.now() + days * 86_400_000 - 60_000).toISOString()});
    set({made: {lead: admin.invitationMade, secret: whole(made.url)}});
  }, field('days', admin.valid, select({name: 'days', value: '7'}, Object.entries(admin.days)))),
  shownOnce(),
  lines(state.links.map(({id, kind, reader, maker: by, expiresAt}) => row(id,
    kind === 'reset' ? admin.resetFor(nameOf(reader)) : admin.invitation, [admin.by(nameOf(by)), [admin.until, time(expiresAt)]],
    button(id, admin.revoke, () => request('DELETE', `/v1/links/${id}`), nameOf(reader ?? by)))), none('links', admin.noLinks))];

export function tokens() {
  const found = state.tokens.filter(({id, name, reader}) => matches(id, name, nameOf(reader)));
  return [
    maker('make-token', admin.makeToken, async said => {
      const made = await request('POST', '/v1/tokens', said);
      set({made: {lead: admin.tokenMade, secret: made.token}});
    }, nameField(admin.tokenName), field('scope', admin.scope, select({name: 'scope'}, Object.entries(admin.scopes)))),
    shownOnce(),
    search(admin.searchTokens),
    lines(found.slice(0, MOST).map(({id, name, reader, scope, lastUsedOn, expiresAt}) => row(id, name, [
      nameOf(reader), admin.scopes[scope], lastUsedOn ? admin.used(lastUsedOn) : admin.unused, expiresAt && [admin.until, time(expiresAt)],
      id === state.session.id && admin.thisSession],
    button(id, admin.revoke, () => ask({title: admin.revokeTitle(name), label: admin.revoke,
      run: () => request('DELETE', `/v1/tokens/${id}`)}), `${name} ${admin.of(nameOf(reader))}`))), none('tokens', admin.noTokens)),
    found.length > MOST && admin.moreOf(found.length - MOST)];
}
