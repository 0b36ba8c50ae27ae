'use strict';
const all = name => document.querySelectorAll(name);
const one = name => document.querySelector(name);

function say(text, isBad = false) {
  one('#say').textContent = text;
  one('#say').className = isBad ? 'bad' : '';
}

// The one way to the service: its answers, and its refusals as a person reads them.
async function ask(method, path, body) {
  const init = {method, headers: {Accept: 'application/json'}, cache: 'no-store'};
  if (body) {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(path, init);
  const text = await answer.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    // A proxy's page, perhaps: the status says it.
  }
  if (answer.ok) return value;
  const violations = (value?.violations ?? []).map(({pointer, detail}) => `${names[pointer] ?? pointer.slice(1)} ${detail}`);
  const wait = answer.headers.get('Retry-After');
  const later = answer.status === 429 && wait ? ` Try again in ${wait} s.` : '';
  const error = new Error((violations.join('; ') || value?.detail || `The service answers ${answer.status}.`) + later);
  error.status = answer.status;
  throw error;
}

const names = {'/name': 'The name', '/password': 'The password', '/device': 'The device', '/readerName': 'What others see', '/link': 'The link', '/current': 'The password now'};

// The secret of a link stands behind the #, which no server is sent: #invitation_… lets somebody in, #reset_… lets somebody choose another
// password. #join is for a newcomer without a link.
const link = location.hash === '#join' ? '' : location.hash.slice(1);
addEventListener('hashchange', () => location.reload());

function device() {
  const agent = navigator.userAgent;
  const browser = [['Firefox/', 'Firefox'], ['Edg/', 'Edge'], ['OPR/', 'Opera'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']].find(([mark]) => agent.includes(mark));
  const system = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Windows', 'Windows'], ['Mac OS', 'Mac'], ['Linux', 'Linux']].find(([mark]) => agent.includes(mark));
  return `${browser?.[1] ?? 'Browser'}${system ? ` on ${system[1]}` : ''}`;
}

function show(name) {
  for (const section of all('section')) section.hidden = section.id !== name;
  one(`#${name} input:not([name=device])`)?.focus();
}

// Does something once at a time, and says what went wrong.
function when(target, event, act) {
  target.addEventListener(event, async happened => {
    happened.preventDefault();
    const buttons = target.matches('form') ? target.querySelectorAll('button') : [target];
    for (const button of buttons) button.disabled = true;
    say('');
    try {
      await act(target.matches('form') ? Object.fromEntries([...new FormData(target)].filter(([, text]) => text !== '')) : undefined);
    } catch (error) {
      say(error.message, true);
      if (error.status === 401) await begin();
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  });
}

function forget() {
  history.replaceState(null, '', '/sign-in');
}

when(one('#sign-in'), 'submit', async said => {
  await ask('POST', '/v1/sessions', {...said, cookie: true});
  one('#sign-in').reset();
  await begin();
});
when(one('#join'), 'submit', async said => {
  await ask('POST', '/v1/accounts', {...said, ...(link && {link}), cookie: true});
  forget();
  await begin();
});
when(one('#reset'), 'submit', async said => {
  await ask('POST', '/v1/password-resets', {...said, ...(said.everything && {everything: true}), link, cookie: true});
  forget();
  await begin();
  say('The password is changed.');
});
when(one('#change'), 'submit', async said => {
  await ask('PUT', '/v1/me/password', said);
  one('#change').reset();
  one('#password-part').open = false;
  say('The password is changed. Your other sessions have ended.');
  await list();
});
when(one('#out'), 'click', async () => {
  await ask('DELETE', '/v1/sessions/current');
  await begin();
  say('You are signed out.');
});
when(one('#out-everywhere'), 'click', async () => {
  await ask('DELETE', '/v1/sessions');
  await begin();
  say('You are signed out everywhere.');
});
for (const button of all('.provider')) {
  when(button, 'click', async () => {
    const isNew = !one('#joining').hidden;
    const {url} = await ask('POST', '/v1/oidc/begin', {device: device(), ...(isNew && link && {link})});
    location.assign(url);
  });
}
when(one('#connecting'), 'submit', async said => {
  const {url} = await ask('POST', '/v1/identities', said);
  location.assign(url);
});

function row(title, detail, label, act) {
  const [item, text, small, button] = ['li', 'span', 'small', 'button'].map(name => document.createElement(name));
  text.textContent = title;
  small.textContent = detail;
  text.append(small);
  item.append(text);
  if (label) {
    button.textContent = label;
    button.className = 'quiet';
    button.type = 'button';
    when(button, 'click', act);
    item.append(button);
  }
  return item;
}

// What belongs to who is signed in.
async function list() {
  const [current, sessions, {items: identities}] = await Promise.all(
    [ask('GET', '/v1/sessions/current'), ask('GET', '/v1/sessions'), ask('GET', '/v1/identities')]);
  one('#devices').replaceChildren(...sessions.items.map(session => row(
    session.name, session.id === current.id ? 'this device' : `last used on ${session.lastUsedOn ?? 'no day yet'}`,
    session.id === current.id ? null : 'Sign out', async () => {
      await ask('DELETE', `/v1/tokens/${session.id}`);
      await list();
    })));
  one('#identities').replaceChildren(...identities.map(identity => row(
    identity.issuer.replace(/^https?:\/\//, ''), `since ${identity.createdAt.slice(0, 10)}`, 'Disconnect', async () => {
      await ask('DELETE', `/v1/identities/${identity.id}`);
      await list();
    })));
}

let watching = null;

// The page follows who one is: another name shows by itself, and so does the end of the session.
function watch() {
  watching?.close();
  watching = new EventSource('/v1/me');
  for (const name of ['snapshot', 'updated']) {
    watching.addEventListener(name, ({data}) => {
      const said = JSON.parse(data);
      const me = said.value ?? said;
      if (me.name) one('#who').textContent = me.name;
      document.documentElement.dataset.watched = name;
    });
  }
  watching.onerror = () => {
    if (watching.readyState === EventSource.CLOSED) begin().catch(error => say(error.message, true));
  };
}

async function begin() {
  watching?.close();
  const ways = await ask('GET', '/v1/sign-in');
  for (const button of all('.provider')) {
    button.hidden = !ways.provider;
    button.textContent = `Sign in with ${ways.provider}`;
  }
  one('#coming-hint').hidden = ways.registration !== 'invited';
  one('#coming-open').hidden = ways.registration !== 'open';
  for (const input of all('input[name=device]')) input.value ||= device();
  one('#identities-part').hidden = !ways.provider;
  one('#connect').textContent = `Connect ${ways.provider}`;
  if (location.hash.startsWith('#reset_')) return show('resetting');
  let me = null;
  try {
    me = await ask('GET', '/v1/me');
  } catch (error) {
    if (error.status !== 401) throw error;
  }
  const isJoining = location.hash.startsWith('#invitation_') || location.hash === '#join' && ways.registration === 'open';
  if (!me) return show(isJoining ? 'joining' : 'signing-in');
  one('#who').textContent = me.name;
  one('#what').textContent = me.role === 'administrator' ? 'You are an administrator here.' : 'You are signed in.';
  await list();
  show('being-here');
  watch();
}

begin().catch(error => say(error.message, true));
