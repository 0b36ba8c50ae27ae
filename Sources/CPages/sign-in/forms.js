// The forms of anonymous clients: sign in, join, choose a new password.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {isBlank} from '../shared/parts.js';
import {joining} from '../text/joining.js';
import {acts, device, isPlain, keepNext, link, next, state, suggestedName} from './page.js';


/** The refusals at a form's fields, by JSON pointer.
 * @param {string} key @returns {Record<string, string>} */
function atFields(key) {
  const refusal = acts.refused(key);
  const isTaken = refusal?.problem?.type === '/problems/name-taken';
  return !refusal ? {} : isTaken ? {'/name': refusal.sentences[0]} : refusal.fields;
}

/** A write's refusal, without messages shown at a field.
 * @param {string} key @param {string[]} [fields] */
export function problem(key, fields = []) {
  const refusal = acts.refused(key);
  const all = Object.entries(atFields(key));
  const said = !refusal ? [] : refusal.problem?.type === '/problems/foreign-page' ?
    [location.protocol === 'http:' ? joining.needsHTTPS : joining.otherAddress] :
    refusal.fields['/link'] ? [joining.linkNotValid] : !all.length ? refusal.sentences :
      all.filter(([pointer]) => !fields.includes(pointer.slice(1))).map(([, sentence]) => sentence);
  return h('div', {class: 'problem', role: 'alert', hidden: !said.length}, said.map(sentence => h('p', null, sentence)));
}

/** @param {string} form @param {string} name @param {string} label @param {Props} props @param {string} [hint] */
export function field(form, name, label, props, hint) {
  const id = `${form}-${name}`;
  const said = atFields(form)[`/${name}`];
  return h('div', {class: 'field'},
    h('label', {for: id}, label),
    h('input', {id, name, 'aria-describedby': `${id}-hint`, 'aria-invalid': Boolean(said), autocapitalize: 'none', spellcheck: 'false',
      ...props}),
    h('p', {id: `${id}-hint`, class: said ? 'problem' : 'hint', hidden: !said && !hint}, said ?? hint ?? ''));
}

export const signInName = {autocomplete: 'username', maxlength: 64};
export const password = {type: 'password', autocomplete: 'current-password'};
export const newPassword = {type: 'password', autocomplete: 'new-password', required: true, minlength: 8};
/** @param {string} form */
const deviceField = form => h('details', {class: 'device'},
  h('summary', null, joining.device), field(form, 'device', joining.deviceName, {value: device(), autocomplete: 'off', maxlength: 100}));

/** A form that sends its values, once at a time.
 * @param {string} id @param {string} label @param {(said: any) => Promise<any>} send @param {string[]} fields @param {Child[]} children */
export const form = (id, label, send, fields, ...children) => h('form', {id, key: id, onsubmit: async event => {
  event.preventDefault();
  const target = event.currentTarget;
  if (isBlank(target)) return;
  const said = Object.fromEntries([...new FormData(target)].filter(([, value]) => value !== ''));
  state.said = '';
  if (!await acts.act(id, () => send(said).then(() => target.reset()))) target.querySelector('[aria-invalid=true]')?.focus();
}}, ...children, problem(id, fields), h('button', {class: 'primary', disabled: acts.busy(id)}, label));

/** @param {boolean} isNew */
const provider = isNew => state.ways.provider && [
  h('button', {class: 'provider', type: 'button', disabled: acts.busy('provider'), onclick: () => acts.act('provider', async () => {
    const {url} = await request('POST', '/v1/oidc/begin', {device: device(), ...(isNew && link() && {link: link()})});
    keepNext();
    location.assign(url);
  })}, joining.with(state.ways.provider)),
  problem('provider')];

const warning = () => (state.ways.browsers === 'unavailable' ? h('p', {class: 'problem'}, joining.needsHTTPS) :
  isPlain && h('p', {class: 'hint warning'}, joining.plain));

/** @param {string} to @returns {Promise<never>} The button stays disabled until the other page loads. */
function leave(to) {
  location.replace(to);
  return new Promise(() => {});
}

/** @param {string} url @param {any} said */
const send = (url, said) => request('POST', url, {...said, ...(link() && {link: link()}), cookie: true});

export const signingIn = () => h('section', {id: 'signing-in', key: 'signing-in'},
  h('h1', {tabindex: -1}, joining.signIn),
  next() && h('p', {class: 'soft'}, joining.thenBack),
  form('sign-in', joining.signIn, said => request('POST', '/v1/sessions', {...said, cookie: true}).then(() => leave(next() || '/')),
    ['name', 'password', 'device'],
    field('sign-in', 'name', joining.name, {...signInName, required: true}),
    field('sign-in', 'password', joining.password, {...password, required: true}),
    deviceField('sign-in')),
  provider(false), warning(),
  h('p', {class: 'hint'}, state.ways.registration === 'open' ? [joining.areYouNew, ' ', h('a', {href: '#join'}, joining.join)] :
    state.ways.registration === 'invited' ? joining.needLink : joining.closed));

export function joiningView() {
  const {club, maker} = state.preview ?? {};
  return h('section', {id: 'joining', key: 'joining'},
    h('h1', {tabindex: -1}, club ? joining.joinClub(club.name) : joining.joinHere),
    h('p', {class: 'lead'}, maker ? joining.invites(maker.name, club?.name) : link() ? joining.invited : joining.isOpen),
    club?.description && h('blockquote', null, club.description),
    form('join', joining.join, said => send('/v1/accounts', said).then(() => leave(club ? `/clubs/${club.id}` : next() || '/')),
      ['readerName', 'name', 'password', 'device'],
      field('join', 'readerName', joining.readerName,
        {value: suggestedName(), autocomplete: 'name', autocapitalize: 'words', required: true, maxlength: 100}, joining.readerNameHint),
      field('join', 'name', joining.name, {...signInName, required: true}, joining.nameHint),
      field('join', 'password', joining.password, newPassword, joining.passwordHint),
      deviceField('join')),
    provider(true), warning(),
    h('p', {class: 'hint'}, joining.areYouHere, ' ', h('a', {href: '/sign-in'}, joining.signIn)));
}

/** A link to a new password. For an account without a name to sign in with, such as the first one, it is the first password. */
export function resetting() {
  const reader = state.preview?.reader;
  const isFirst = reader?.signInName === null;
  const change = async (/** @type {any} */ {readerName, everything, ...said}) => {
    await send('/v1/password-resets', {...said, ...(everything && {everything: true})});
    // The name can be changed later, too.
    if (readerName) await request('PATCH', '/v1/me', {name: readerName}).catch(() => {});
    return leave('/');
  };
  return h('section', {id: 'resetting', key: 'resetting'},
    h('h1', {tabindex: -1}, isFirst ? joining.newAccount : joining.newPassword),
    h('p', {class: 'soft'}, isFirst ? joining.newAccountHint : [reader && joining.resetOf(reader.name), joining.resetHint]),
    form('reset', isFirst ? joining.create : joining.change, change, ['readerName', 'name', 'password', 'device'],
      h('input', {hidden: true, autocomplete: 'username'}),
      isFirst && field('reset', 'readerName', joining.readerName, {value: reader.name === 'administrator' ? '' : reader.name, autocomplete: 'name', autocapitalize: 'words',
        required: true, maxlength: 100}, joining.readerNameHint),
      isFirst && field('reset', 'name', joining.name, {...signInName, required: true}, joining.nameHint),
      field('reset', 'password', isFirst ? joining.password : joining.newPassword, newPassword, joining.passwordHint),
      !isFirst && field('reset', 'name', joining.otherName, signInName, joining.otherNameHint),
      h('label', {class: 'check'}, h('input', {name: 'everything', type: 'checkbox', value: 'true'}), joining.everything),
      deviceField('reset')),
    warning());
}
