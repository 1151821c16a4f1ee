// The server's HTTP interface, as far as the page needs it.

// Where early.js has not run yet, nothing was asked for early, and nothing is any more.
globalThis.takeEarly ??= () => undefined;

const PROBLEM = 'urn:todomate:problem:';
const LONGEST_PAUSE = 3600;

/** Why a request was not done: what `application/problem+json` says, or `status` 0 when no answer came. */
export class Refusal extends Error {
  /** `retryAfter`: for so many seconds the server wants no request. */
  constructor(status, problem, headers) {
    super(problem.detail ?? `status ${status}`);
    Object.assign(this, { status, problem, retryAfter: pauseOf(headers) });
  }

  /** The last part of the problem's type; nothing for an answer that is none of the server's. */
  get kind() { return `${this.problem.type}`.split(PROBLEM)[1]; }

  /**
   * The same request may work later: no answer, a server that fails or is stopping, a Redis that is away, or somebody else on the way
   * who has answered, such as a proxy or a hotel's network.
   */
  get isPassing() { return this.status >= 500 || [0, 408, 429].includes(this.status) || (!this.kind && this.status !== 413); }

  /** Whoever asks is not signed in any more, or somebody else is, in another tab. */
  get isSignedOut() { return !this.isPassing && [401, 403].includes(this.status); }
}

// It says how many seconds, or until when: by its own clock, as this one may go wrong.
function pauseOf(headers) {
  const said = headers?.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(said) ? said : (Date.parse(said) - (Date.parse(headers?.get('Date')) || Date.now())) / 1000;
  return Math.min(Math.max(seconds, 0) || 0, LONGEST_PAUSE);
}

/** Asks for anything; gives up after `patience` milliseconds. What has the name of an `operation` is done once, however often it is asked for. */
export async function call(method, path, body, tag, patience = 15000, operation) {
  const headers = {};
  if (operation) headers['Idempotency-Key'] = `"${operation}"`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (tag !== undefined) headers['If-Match'] = `"${tag}"`;
  let response;
  try {
    response = await (method === 'GET' && globalThis.takeEarly(path) || fetch(path, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store', signal: AbortSignal.timeout(patience),
    }));
    if (response.status === 204) return null;
    const answer = await response.json();
    // The routines as they were when it was done: the stream has brought what they are since.
    if (response.headers.get('Idempotency-Replayed')) delete answer.routines;
    if (response.ok) return answer;
    throw new Refusal(response.status, answer, response.headers);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(response && !response.ok ? response.status : 0, {}, response?.headers);
  }
}

const todos = (uid) => `/v1/users/${encodeURIComponent(uid)}/todos`;
const item = (uid, id) => `${todos(uid)}/${encodeURIComponent(id)}`;

export const session = () => call('GET', '/v1/session');
/** `code` is asked for where the account has a second factor. */
export const signIn = (user, password, code) => call('POST', '/v1/session', { user, password, code });
export const signOut = () => call('DELETE', '/v1/session');
/** Ends all other sessions; this one goes on with the cookie of the answer. */
export const changePassword = (uid, current, password) =>
  call('POST', `/v1/users/${encodeURIComponent(uid)}/password`, { current, password });
/** Where one is signed in, and the tokens of one's programs. */
export const sessions = (uid) => call('GET', `/v1/users/${encodeURIComponent(uid)}/sessions`);
export const endSession = (uid, id) => call('DELETE', `/v1/users/${encodeURIComponent(uid)}/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = (uid) => call('DELETE', `/v1/users/${encodeURIComponent(uid)}/sessions`);
/** The answer alone has the token. */
export const makeToken = (uid, wish) => call('POST', `/v1/users/${encodeURIComponent(uid)}/tokens`, wish);
/** What happened to the account. */
export const events = (uid) => call('GET', `/v1/users/${encodeURIComponent(uid)}/events`);
/** Who invites, and until when. A POST, as a path would be written into logs. */
export const lookAt = (invitation) => call('POST', '/v1/invitations/look', { invitation });
export const join = (user, password, how) => call('POST', '/v1/accounts', { user, password, ...how });
/** Makes an account for whom a provider knows, as a cookie says. */
export const arrive = (provider, user) => call('POST', `/v1/providers/${encodeURIComponent(provider)}/accounts`, { user });
/** By which identities at providers one signs in. */
export const identities = (uid) => call('GET', `/v1/users/${encodeURIComponent(uid)}/identities`);
/** Where to go to link one, or without the password to set another. */
export const beginLink = (uid, provider, password) => call('POST', `/v1/users/${encodeURIComponent(uid)}/identities`, { provider, password });
export const unlink = (uid, id) => call('DELETE', `/v1/users/${encodeURIComponent(uid)}/identities/${id}`);
export const resetPassword = (user, secret, password, code) => call('POST', '/v1/password-reset', { user, secret, password, code });
/** All todos of somebody, which take a while on a slow line. */
export const list = (uid) => call('GET', todos(uid), undefined, undefined, 30000);
export const todo = (uid, id) => call('GET', item(uid, id));
export const add = (uid, todo, operation) => call('POST', todos(uid), todo, undefined, undefined, operation);
export const update = (uid, id, fields, tag, operation) => call('PATCH', item(uid, id), fields, tag, undefined, operation);
export const remove = (uid, id, tag, operation) => call('DELETE', item(uid, id), undefined, tag, undefined, operation);
/** What became of a todo, also of one that is gone; `before` is the change to go on from. */
export const history = (uid, id, before) => call('GET', `${item(uid, id)}/history${query({ before })}`);
/** The todos that were removed and are not there now. */
export const removed = (uid, before) => call('GET', `/v1/users/${encodeURIComponent(uid)}/removed${query({ before })}`);
export const goals = (uid) => call('GET', `/v1/users/${encodeURIComponent(uid)}/goals`);
/** Makes a goal, or changes what `fields` has of it. */
export const setGoal = (uid, id, fields) => call('PUT', between(uid, 'goals', id), fields);
/** Removes a goal, and takes it from some of its todos; `from` is where the answer before ended. */
export const removeGoal = (uid, id, from) => call('DELETE', `${between(uid, 'goals', id)}${query({ from })}`);
/** Gives some of a goal's todos its visibility; `from` is where the answer before ended. */
export const spreadGoal = (uid, { id, visibility }, from) => call('POST', `${between(uid, 'goals', id)}/spread${query({ visibility, from })}`);
/** Makes, changes and takes away routines, all at once. */
export const setRoutines = (uid, routines) => call('POST', `${user(uid)}/routines`, { routines });
/** Ends a routine, whose rule is the one that was `seen`, before a day; `other` begins then, if there is one. */
export const splitRoutine = (uid, { id, rule: seen }, from, other) => (other
  ? call('POST', `${between(uid, 'routines', id)}/split${query({ from })}`, { ...other, seen })
  : call('DELETE', `${between(uid, 'routines', id)}${query({ from, seen })}`));
/** Leaves out a day of a routine, or has it again. */
export const skipDay = (uid, id, day, isBack, operation) =>
  call(isBack ? 'DELETE' : 'PUT', `${between(uid, 'routines', id)}/skipped/${day}`, undefined, undefined, undefined, operation);
/** What a todo is at: the change that wrote it. A revision alone may come back with other words. */
export const tagOf = ({ revision, micros }) => (micros ? `${revision}-${micros}` : `${revision}`);

// The shared board. `me` is the viewer; a server without sign-in learns it from `viewer`.

const user = (uid) => `/v1/users/${encodeURIComponent(uid)}`;
const between = (me, kind, other) => `${user(me)}/${kind}/${encodeURIComponent(other)}`;
const query = (values) => `?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined))}`;

/** The event stream of several people, heard every `heartbeat` seconds; `since` is where an earlier one ended, or what a list of mine is as of. */
export const boardPath = (me, users, zone, heartbeat, since) =>
  `/v1/changes?users=${users.map(encodeURIComponent)}&${query({ viewer: me, zone, heartbeat, since: since || undefined }).slice(1)}`;

export const profile = (me) => call('GET', `${user(me)}/profile`);
export const people = (me, uids) => call('GET', `/v1/people?users=${uids.map(encodeURIComponent)}&viewer=${encodeURIComponent(me)}`);
export const setProfile = (me, fields) => call('PATCH', `${user(me)}/profile`, fields);
export const following = (me) => call('GET', `${user(me)}/following`);
export const follow = (me, other, position) =>
  call('PUT', between(me, 'following', other), position === undefined ? undefined : { position });
export const unfollow = (me, other) => call('DELETE', between(me, 'following', other));
export const followers = (me, state, after) => call('GET', `${user(me)}/followers${query({ state, after })}`);
export const accept = (me, other) => call('PUT', between(me, 'followers', other));
export const dismiss = (me, other) => call('DELETE', between(me, 'followers', other));
export const block = (me, other) => call('PUT', between(me, 'blocked', other));
/** `isBack`: what the block took away comes back, where it still can. */
export const unblock = (me, other, isBack = false) => call('DELETE', `${between(me, 'blocked', other)}${isBack ? '?back=true' : ''}`);
export const reactions = (owner, id, viewer) => call('GET', `${item(owner, id)}/reactions${query({ viewer })}`);
export const react = (owner, id, me, emoji) =>
  call('PUT', `${item(owner, id)}/reactions/${encodeURIComponent(me)}`, { emoji });
export const unreact = (owner, id, me) => call('DELETE', `${item(owner, id)}/reactions/${encodeURIComponent(me)}`);
export const feed = (me, zone, before) => call('GET', `${user(me)}/feed${query({ zone, before })}`);
export const feedSeen = (me, seen) => call('PUT', `${user(me)}/feed/seen`, { seen });
export const invitations = (me) => call('GET', `${user(me)}/invitations`);
export const invite = (me, draft) => call('POST', `${user(me)}/invitations`, draft);
export const endInvitation = (me, id) => call('DELETE', between(me, 'invitations', id));
export const badges = (me, zone) => call('GET', `${user(me)}/badges${query({ zone })}`);
