// /clubs: the reader's clubs, clubs to join, and joining by a link.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {percent, shortDate} from '../shared/format.js';
import {button, lines, problem} from '../shared/parts.js';
import {common} from '../text/common.js';
import {clubs as say} from '../text/clubs.js';
import {ring} from './pictures.js';
import {control, form, opening, openForm, soft} from './clubs-kit.js';
import {section} from './section.js';

/** Stores the code of an opened link. It is after the #, which no server gets, and survives a sign-in. */
function keepCode() {
  const code = location.hash.match(/^#join=(.+)$/)?.[1];
  if (!code) return;
  sessionStorage.setItem('join', code);
  history.replaceState(history.state, '', location.pathname);
}

/** @type {View} */
async function preview(state) {
  const invitation = sessionStorage.getItem('join');
  sessionStorage.removeItem('join');
  const read = async () => (state.ui.joining = {invitation, ...(await request('POST', '/v1/links/preview', {invitation}))});
  if (await state.act('preview', read)) openForm(state, 'join');
}

/** @type {View} */
function joining(state, mine) {
  if (!state.ui.joining) return null;
  const {invitation, club, shares: usual} = state.ui.joining;
  const isIn = mine.has(club.id);
  if (isIn) state.forgive('join-form');
  return form(state, 'join', say.join(club.name), isIn ? [] : [{name: 'shares', label: say.youShare, type: 'select', value: usual,
    options: say.sharing, hint: say.sharesHint}],
    async ({shares}) => {
      if (!isIn) await request('POST', '/v1/memberships', {invitation, shares});
      state.go(`/clubs/${club.id}`);
    }, {intro: isIn ? say.isMember : club.isArchived ? say.archivedHint : club.description, label: isIn ? say.open : say.joinNow});
}

/** @type {Nodes} */
function clubRow(state, club) {
  const runs = state.list(`runs-${club.id}`);
  const own = state.list('cards').find(card => card.book === runs[0]?.book);
  return h('li', {key: club.id, class: 'row club'}, own ? ring(own.progress, {label: `${own.title}: ${percent(own.progress)}`}) : h('span',
    {class: 'ring'}),
    h('div', null, h('h2', null, h('a', {class: 'plain', href: `/clubs/${club.id}`}, club.name)),
      club.isArchived || !runs.length ? soft(club.isArchived ? say.archived : club.description)
        : runs.map(run => h('p', {key: run.id}, say.reads, h('cite', {class: 'serif'}, run.title), run.endsAt
          && say.until(shortDate(run.endsAt))))));
}

/** @type {Nodes} */
function listingRow(state, listing) {
  const asked = state.list('asked').find(one => one.club === listing.id && one.state === 'waiting');
  return h('li', {key: listing.id, class: 'head'}, h('div', null, h('h3', null, listing.name), soft(listing.description)),
    asked ? h('span', {class: 'row soft'}, say.waiting, button(state, asked.id, say.takeBack, () => request('DELETE',
      `/v1/requests/${asked.id}`), {class: 'quiet'}))
      : opening(state, 'ask', say.askShort, {asking: listing}, ''));
}

/** @type {ReaderScreen} */
export const screen = {
  title: () => say.title,
  names: (_, state) => {
    keepCode();
    const runs = state.list('clubs').filter(club => !club.isArchived).slice(0, 40).map(({id}) => [`runs-${id}`,
      `/v1/clubs/${id}/runs?state=current&limit=3`]);
    return {clubs: '/v1/clubs', listings: '/v1/listings', asked: '/v1/requests', ...Object.fromEntries(runs)};
  },
  view: (_, state) => {
    const clubs = [...state.list('clubs')].sort((a, b) => Number(a.isArchived) - Number(b.isArchived));
    const mine = new Set(clubs.map(club => club.id));
    const others = state.list('listings').filter(listing => !mine.has(listing.id));
    // Without a session the browser goes to the sign-in page first.
    if (state.me && sessionStorage.getItem('join') && !state.busy('preview')) queueMicrotask(() => preview(state));
    return [
      h('div', {class: 'head'}, h('h1', {tabindex: -1}, say.title), opening(state, 'found', say.found, {}, 'primary')),
      problem(state.refused('preview')),
      state.get('clubs') ? lines(clubs.map(club => clubRow(state, club)), say.none) : soft(common.loading),
      others.length > 0 && section('listed', say.listed, lines(others.map(listing => listingRow(state, listing)))),
      section('by-link', say.haveLink, h('form', {class: 'inline', onsubmit: event => {
        event.preventDefault();
        sessionStorage.setItem('join', event.target.code.value.trim().replace(/^.*#join=/, ''));
        preview(state);
      }}, control({name: 'code', label: say.link, required: true}, 'join-by'),
        h('button', {disabled: state.busy('preview')}, say.look))),
      form(state, 'found', say.found, [{name: 'name', label: say.name, required: true}, {name: 'description', label: say.description,
        type: 'area'},
        {name: 'listed', label: say.listedLabel, type: 'check'}, {name: 'countsAhead', label: say.countsAhead, type: 'check', value: true}],
      async ({listed, ...club}, made) => {
        await request('PUT', `/v1/clubs/${made}`, {...club, visibility: listed ? 'listed' : 'private'});
        state.go(`/clubs/${made}`);
      }, {label: say.found, creates: true}),
      form(state, 'ask', say.ask(state.ui.asking?.name), [{name: 'message', label: say.message, type: 'area', hint: say.messageHint}],
        ({message}) => request('POST', '/v1/requests', {club: state.ui.asking.id, message}), {label: say.send}),
      joining(state, mine),
    ];
  },
};
