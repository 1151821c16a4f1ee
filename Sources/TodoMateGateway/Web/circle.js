// The users I follow and my followers, what I share, and what they share with me: read once, then updated by the stream.
import * as api from './api.js';
import { isKnown, learn } from './names.js';
import { positionsFor } from './order.js';
import { Store } from './store.js';

const MOST = 100;           // people on one stream, me among them
const LONGEST_PATH = 3500;  // so that the address stays below what a server takes
const CALM = 500;
const AGAIN = 5000;

export class Circle {
  /** `emit(event)`: 'circle', 'watched', 'came' with who follows me without having asked, or has let me follow, and 'todos' where another user's changed. */
  constructor(me, emit, toasts) {
    Object.assign(this, { me, emit, toasts, following: [], profile: null, shares: new Map(), pages: {}, heard: 0, told: new Map() });
    this.placing = Promise.resolve();
  }

  /** Whether there is anything to show beside my own todos. */
  get isSocial() { return this.following.length > 0; }

  get isShared() {
    const { audience, visibility, followers, requests } = this.profile ?? {};
    return this.isSocial || Boolean(followers || requests)
      || [audience, visibility].some((value) => value && value !== 'followers');
  }

  /** Those whose lists the board shows, in my order. */
  get shown() {
    let length = 0;
    return this.following.slice(0, MOST - 1).filter(({ uid }) => (length += uid.length + 1) < LONGEST_PATH);
  }

  /** Whoever has not accepted yet, or is nobody, stands in no column of their own until there is something to see. */
  hasColumn({ uid, state }) { return state === 'following' || this.store(uid)?.known.size > 0; }

  person(uid) { return this.following.find((person) => person.uid === uid); }

  store(uid) { return this.shares.get(uid)?.store; }

  // Requests

  /** Reads the users I follow and what I share; retries later when the server does not answer. */
  async load() {
    clearTimeout(this.later);
    const { heard } = this;
    try {
      const [{ following }, profile] = await Promise.all([api.following(this.me), api.profile(this.me)]);
      // What the stream has delivered meanwhile is newer, and starts another read anyway.
      if (this.isOver || heard !== this.heard) return;
      this.profile = profile;
      this.isGuessed = false;
      learn([{ uid: this.me, name: profile.name, face: profile.face }]);
      this.regroup(following);
      this.emit('profile');
      this.call(following.map(({ uid }) => uid));
    } catch (error) {
      if (error.isPassing) this.loadSoon(AGAIN);
    }
  }

  /** Takes what was known when there was a network last. */
  restore({ profile, following, people, lists, owners }) {
    this.profile = profile;
    learn(people);
    for (const { uid } of following) {
      const { access, asOf } = owners[uid] ?? {};
      if (access) this.snapshot({ uid, access, id: asOf, todos: lists[uid] ?? [] });
    }
    this.regroup(following);
    if (profile) this.emit('profile');
  }

  loadSoon(wait = CALM) {
    clearTimeout(this.later);
    if (!this.isOver) this.later = setTimeout(() => this.load(), wait);
  }

  /** Reads requests, followers or blocks; `more` continues after the last page. */
  async loadPage(state, more = false) {
    const { heard } = this;
    const before = more ? this.pages[state] : null;
    const page = await api.followers(this.me, state, before?.next);
    if (this.isOver) return;
    const people = [...(before?.people ?? []), ...page.followers.map(({ uid }) => uid)];
    this.pages[state] = { people: [...new Set(people)], count: page.count, next: page.next };
    this.call(page.followers.map(({ uid }) => uid).filter((uid) => !isKnown(uid)));
    // What the stream has delivered meanwhile may not be in it.
    for (const [uid, told] of this.told) if (told.heard > heard) this.move(uid, state, told[state]);
    this.emit('circle');
  }

  /** Learns what these are called: nothing waits for it. */
  async call(uids) {
    for (let index = 0; index < uids.length; index += MOST) {
      try {
        const { people } = await api.people(this.me, uids.slice(index, index + MOST));
        if (this.isOver) return;
        if (learn(people)) this.emit('circle');
      } catch {
        // With the next read of the circle.
        return;
      }
    }
  }

  regroup(following) {
    const watched = String(this.shown.map(({ uid }) => uid).sort());
    this.following = following.toSorted((left, right) => left.position - right.position);
    for (const uid of this.shares.keys()) if (!this.person(uid)) this.shares.delete(uid);
    if (String(this.shown.map(({ uid }) => uid).sort()) !== watched) this.emit('watched');
    this.emit('circle');
  }

  /** Moves a user's list by some places. */
  step(uid, by) { return this.arrange(uid, this.shown.findIndex((person) => person.uid === uid) + by); }

  /** Puts a list at a place among the others: at once here, and then on the server. */
  async arrange(uid, index) {
    if (this.isGuessed) await this.load();
    if (this.isOver || this.isGuessed) return;
    const order = this.following.map((person) => ({ id: person.uid, position: person.position }));
    if (index < 0 || index >= order.length || order[index].id === uid) return;
    const moved = positionsFor(order, uid, index);
    for (const { id, position } of moved) this.person(id).position = position;
    this.regroup(this.following);
    // One after another: the last word is the one that counts.
    for (const { id, position } of moved) this.placing = this.placing.then(() => this.place(id, position));
  }

  async place(uid, position) {
    if (!await this.toasts.ask(api.follow(this.me, uid, position))) this.loadSoon();
  }

  end() {
    this.isOver = true;
    clearTimeout(this.later);
  }

  // Events of the stream

  snapshot(data) {
    const share = this.shares.get(data.uid) ?? this.newShare();
    this.shares.set(data.uid, Object.assign(share, { access: data.access }));
    share.store.snapshot(data);
  }

  change(type, data) { this.store(data.todo.uid)?.change(type, data); }

  /** Nothing of theirs is to be seen any more. */
  closed({ uid }) {
    this.shares.set(uid, Object.assign(this.newShare(), { access: 'none' }));
    this.emit('circle');
  }

  newShare() { return { store: new Store(() => this.emit('todos')) }; }

  relation({ relation }) {
    const { with: uid, following, follower, blocked } = relation;
    const known = this.person(uid);
    if (follower === 'following' && following === 'none' && !known && !this.isHeardOf(uid)) this.emit('came', uid);
    this.heard += 1;
    if (following === 'none') {
      if (known) this.regroup(this.following.filter((person) => person !== known));
    } else if (known) {
      if (known.state === 'requested' && following === 'following') this.emit('came', uid, true);
      known.state = following;
    } else {
      // The event does not have the place.
      this.isGuessed = true;
      this.regroup([...this.following, { uid, state: following, position: (this.following.at(-1)?.position ?? 0) + 1 }]);
    }
    // The next read says how many there are; until then the audience must show at once.
    const counted = { requested: 'requests', following: 'followers' }[follower];
    if (this.profile && counted) this.profile[counted] ||= 1;
    const states = { requested: follower === 'requested', following: follower === 'following', blocked };
    this.told.set(uid, { heard: this.heard, ...states });
    for (const [state, isThere] of Object.entries(states)) this.move(uid, state, isThere);
    this.emit('circle');
    this.loadSoon();
  }

  // Where anyone may follow, that is no news; otherwise they came by my invitation, unless they asked.
  isHeardOf(uid) {
    const { requested, following, blocked } = this.told.get(uid) ?? {};
    return this.profile?.audience !== 'followers' || requested || following || blocked
      || Object.values(this.pages).some(({ people }) => people.includes(uid));
  }

  /** My goals, those that are put away last. */
  get goals() {
    return [...this.profile?.goals ?? []].sort((left, right) =>
      left.archived - right.archived || left.position - right.position || (left.id < right.id ? -1 : 1));
  }

  /** What a todo of mine is for, if I know it. */
  goal({ goal }) { return goal ? this.profile?.goals?.find(({ id }) => id === goal) : undefined; }

  settings({ settings }) {
    // A reading that was under way does not know of it.
    this.heard += 1;
    const { name, face, language, timeZone, weekStart, routines } = settings;
    // What was taken away is not in it.
    if (this.profile) Object.assign(this.profile, settings, { name, face, language, timeZone, weekStart, routines });
    learn([{ uid: this.me, name, face }]);
    this.emit('profile');
    this.emit('circle');
    this.loadSoon();
  }

  // Newest first, as the server lists them.
  move(uid, state, isThere) {
    const page = this.pages[state];
    if (!page || page.people.includes(uid) === isThere) return;
    page.people = isThere ? [uid, ...page.people] : page.people.filter((other) => other !== uid);
    page.count += isThere ? 1 : -1;
  }
}
