// A server that stands for itself, with one todo of one user.
export const UID = 'u';

/** What the HTTP interface promises of one todo. */
export class Server {
  constructor() { Object.assign(this, { version: 4, moment: 400, todo: null, done: new Map(), events: [], log: [], isReplaced: false, answer: null }); }

  get id() { return `${this.version}-${this.moment}`; }

  write(type, todo) {
    this.version += 1;
    this.moment += 1;
    const written = { ...todo, uid: UID, revision: this.version, micros: this.moment };
    this.todo = type === 'removed' ? null : written;
    this.events.push([type, { id: this.id, todo: written }]);
    this.log.push({ id: this.id, type, todo: written });
    return written;
  }

  replace(version, todo) {
    Object.assign(this, { version, moment: 9000, todo: null, done: new Map(), log: [], isReplaced: true });
    if (todo) this.write('added', todo);
  }

  fetch(path, { method, headers, body }) {
    if (this.answer) return this.answer();
    const key = headers['Idempotency-Key'];
    if (this.done.has(key)) return reply(...this.done.get(key));
    if (path.includes('/history?')) {
      return this.log.length ? reply(200, { todo: this.todo ?? undefined, reach: 'trimmed', changes: this.log.toReversed() }) : refusal(404, 'not-found');
    }
    if (method === 'GET') return this.todo ? reply(200, this.todo) : refusal(404, 'not-found');
    if (method === 'POST' ? this.todo : !this.todo) return method === 'POST' ? refusal(409, 'exists') : refusal(404, 'not-found');
    const tag = headers['If-Match'];
    if (tag && tag !== `"${this.todo.revision}-${this.todo.micros}"`) return refusal(412, 'conflict', { current: this.todo });
    const type = { POST: 'added', PATCH: 'modified', DELETE: 'removed' }[method];
    const written = this.write(type, { ...this.todo, ...(body && JSON.parse(body)) });
    const answer = method === 'DELETE' ? [204] : [method === 'POST' ? 201 : 200, written];
    this.done.set(key, answer);
    return reply(...answer);
  }

  tell(store) {
    const events = this.events.splice(0);
    if (this.isReplaced) store.snapshot({ id: this.id, todos: this.todo ? [this.todo] : [] });
    else for (const event of events) store.change(...event);
    this.isReplaced = false;
  }
}

export const reply = (status, body) => new Response(body && JSON.stringify(body), { status });
/** What somebody on the way says. */
export const stranger = (status) => new Response('<h1>Not here</h1>', { status });
export const refusal = (status, kind, more) => reply(status, { type: `urn:todomate:problem:${kind}`, title: kind, status, ...more });
