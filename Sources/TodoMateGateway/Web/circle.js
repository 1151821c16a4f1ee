// Whom I follow, who follows me, what I share, and what they share with me: as the server told, kept up by the stream.
import * as api from './api.js';
import { Store } from './store.js';

const MOST = 100;           // people on one stream, me among them
const LONGEST_PATH = 3500;  // so that the address stays below what a server takes
const CALM = 500;
const AGAIN = 5000;

export class Circle {
  /** `changed()` after each change, `regrouped()` once other people are to be watched. */
  constructor(me, changed, regrouped) {
    Object.assign(this, { me, changed, regrouped, following: [], profile: null, shares: new Map(), pages: {}, heard: 0, told: new Map(), version: 0 });
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

  person(uid) { return this.following.find((person) => person.uid === uid); }

  store(uid) { return this.shares.get(uid)?.store; }

  // What I ask

  /** Reads whom I follow and what I share; a server that does not answer is asked again later. */
  async load() {
    clearTimeout(this.later);
    const { heard } = this;
    try {
      const [{ following }, profile] = await Promise.all([api.following(this.me), api.profile(this.me)]);
      // What the stream has told meanwhile is newer, and asks again anyway.
      if (this.isOver || heard !== this.heard) return;
      this.profile = profile;
      this.isGuessed = false;
      this.regroup(following);
    } catch (error) {
      if (error.isPassing) this.loadSoon(AGAIN);
    }
  }

  loadSoon(wait = CALM) {
    clearTimeout(this.later);
    if (!this.isOver) this.later = setTimeout(() => this.load(), wait);
  }

  /** Reads those who ask, follow or are blocked; `more` goes on where the last page ended. */
  async loadPage(state, more = false) {
    const { heard } = this;
    const before = more ? this.pages[state] : null;
    const page = await api.followers(this.me, state, before?.next);
    if (this.isOver) return;
    const people = [...(before?.people ?? []), ...page.followers.map(({ uid }) => uid)];
    this.pages[state] = { people: [...new Set(people)], count: page.count, next: page.next };
    // What the stream has told meanwhile may not be in it.
    for (const [uid, told] of this.told) if (told.heard > heard) this.move(uid, state, told[state]);
    this.note();
  }

  regroup(following) {
    const watched = String(this.shown.map(({ uid }) => uid).sort());
    this.following = following.toSorted((left, right) => left.position - right.position);
    for (const uid of this.shares.keys()) if (!this.person(uid)) this.shares.delete(uid);
    if (String(this.shown.map(({ uid }) => uid).sort()) !== watched) this.regrouped();
    this.note();
  }

  // `version` moves with people and settings, not with their todos.
  note() {
    this.version += 1;
    this.changed();
  }

  end() {
    this.isOver = true;
    clearTimeout(this.later);
  }

  // What the stream tells

  snapshot(data) {
    const share = this.shares.get(data.uid) ?? { store: new Store(this.changed) };
    this.shares.set(data.uid, Object.assign(share, { access: data.access }));
    share.store.snapshot(data);
  }

  change(type, data) { this.store(data.todo.uid)?.change(type, data); }

  /** Nothing of theirs is to be seen any more. */
  closed({ uid }) {
    this.shares.set(uid, { store: new Store(this.changed), access: 'none' });
    this.note();
  }

  relation({ relation }) {
    const { with: uid, following, follower, blocked } = relation;
    const known = this.person(uid);
    this.heard += 1;
    if (following === 'none') {
      if (known) this.regroup(this.following.filter((person) => person !== known));
    } else if (known) {
      known.state = following;
    } else {
      // The place is not told with it.
      this.isGuessed = true;
      this.regroup([...this.following, { uid, state: following, position: (this.following.at(-1)?.position ?? 0) + 1 }]);
    }
    // The next reading tells how many there are; until then what there is to share with must show at once.
    const counted = { requested: 'requests', following: 'followers' }[follower];
    if (this.profile && counted) this.profile[counted] ||= 1;
    const states = { requested: follower === 'requested', following: follower === 'following', blocked };
    this.told.set(uid, { heard: this.heard, ...states });
    for (const [state, isThere] of Object.entries(states)) this.move(uid, state, isThere);
    this.note();
    this.loadSoon();
  }

  settings({ settings }) {
    // A reading that was under way does not know of it.
    this.heard += 1;
    if (this.profile) Object.assign(this.profile, settings);
    this.note();
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
