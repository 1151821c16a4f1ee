// The server's HTTP interface, as far as the page needs it.

/** Why a request was not done: what `application/problem+json` says, or `status` 0 when no answer came. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
  }

  /** The same request may work later: no answer, a server that is stopping, or a Redis that is away. */
  get isPassing() { return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504; }
}

async function call(method, path, body, revision) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (revision !== undefined) headers['If-Match'] = `"${revision}"`;
  let response;
  try {
    response = await fetch(path, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store', signal: AbortSignal.timeout(15000),
    });
    if (response.status === 204) return null;
    const answer = await response.json();
    if (response.ok) return answer;
    throw new Refusal(response.status, answer);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(response && !response.ok ? response.status : 0, {});
  }
}

const todos = (uid) => `/v1/users/${encodeURIComponent(uid)}/todos`;
const item = (uid, id) => `${todos(uid)}/${encodeURIComponent(id)}`;

export const session = () => call('GET', '/v1/session');
export const signIn = (user, password) => call('POST', '/v1/session', { user, password });
export const signOut = () => call('DELETE', '/v1/session');
export const add = (uid, todo) => call('POST', todos(uid), todo);
export const update = (uid, id, fields, revision) => call('PATCH', item(uid, id), fields, revision);
export const remove = (uid, id, revision) => call('DELETE', item(uid, id), undefined, revision);
export const changesPath = (uid) => `/v1/users/${encodeURIComponent(uid)}/changes`;
