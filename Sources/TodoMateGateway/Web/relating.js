// What there is between me and another user: following, letting follow, blocking, and taking that back.
import './shared.js';
import './peopleWords.js';
import * as api from './api.js';
import { reason, t } from './words.js';

export class Relating {
  constructor(model, toasts, undo) {
    Object.assign(this, { model, toasts, undo, busy: new Set(), returning: new Set() });
  }

  /** Somebody who was invited follows me, or has accepted that I follow them. */
  came(uid, hasAccepted) {
    if (this.returning.has(uid)) return;
    if (hasAccepted) return void this.toasts.show(t('acceptedNow', { name: uid }));
    this.toasts.show(t('cameNow', { name: uid }), t('followBack'), () => this.act('follow', uid));
  }

  /** Follows a user, or asks to; returns why not. */
  follow(uid) { return this.undo.awaits(this.tryFollow(uid)); }

  async tryFollow(uid) {
    const me = this.model.uid;
    try {
      const relation = await api.follow(me, uid);
      // What they did is nothing to whoever has come after them.
      if (me !== this.model.uid) return undefined;
      this.took(relation);
      if (relation.following === 'none') return t('cannotFollow', { name: uid });
      // Nobody learns here which names have an account.
      const isThere = !this.model.signIn || this.model.circle.pages.following?.people.includes(uid);
      const asked = isThere ? 'askedNow' : 'askedMaybe';
      const words = t(relation.following === 'following' ? 'followsNow' : asked, { name: uid });
      this.undo.did(words, () => this.ask('unfollow', uid));
      return undefined;
    } catch (error) {
      return me === this.model.uid ? this.why(error, uid) : undefined;
    }
  }

  why(error, name) {
    if (error.status === 403) return t('cannotFollow', { name });
    return reason(error, { full: 'followsTooMany' });
  }

  // The answer and the event of it may come in either order: both say the same.
  took(relation) {
    if (relation?.uid === this.model.uid) this.model.circle.relation({ relation });
  }

  /** Carries out `follow`, `unfollow`, `accept`, `dismiss`, `block` or `unblock`, and answers whether; `button` shows that it is busy. */
  act(...what) { return this.undo.awaits(this.carryOut(...what)); }

  async carryOut(name, uid, button, isSure = false) {
    const { model, toasts } = this;
    const me = model.uid;
    if (this.busy.has(uid)) return null;
    if (name === 'dismiss' && !isSure) return this.makeSure(uid, button);
    this.busy.add(uid);
    button?.setAttribute('aria-busy', 'true');
    const was = this.between(uid);
    let done = null;
    if (name === 'follow') {
      const problem = await this.tryFollow(uid);
      done = !problem;
      if (problem) toasts.alert(problem);
    } else {
      done = await this.ask(name, uid);
    }
    this.busy.delete(uid);
    button?.removeAttribute('aria-busy');
    if (me !== model.uid) return null;
    const backs = { unfollow: () => this.followAgain(uid, was), block: () => this.bringBack(uid, was) };
    if (backs[name] && done) this.undo.did(t(`${name}Done`, { name: uid }), backs[name]);
    return done;
  }

  // Nothing of the kind can be taken back: only the other one may ask again.
  makeSure(uid, button) {
    const isFollower = this.model.circle.pages.following?.people.includes(uid);
    const [question, key] = isFollower ? ['removeAsk', 'removeFollower'] : ['refuseAsk', 'refuse'];
    this.closeQuestion?.();
    this.closeQuestion = this.toasts.decide(t(question, { name: uid }),
      [[t(key), () => this.act('dismiss', uid, button, true)], [t('cancel'), () => {}]]);
  }

  async ask(name, uid) {
    const relation = await this.toasts.ask(api[name](this.model.uid, uid));
    this.took(relation);
    return relation;
  }

  /** Undoes that I follow a user no more. Where they have to accept anew, it is not undone yet, which is said. */
  async followAgain(uid, was) {
    const { model, toasts } = this;
    try {
      const relation = await api.follow(model.uid, uid);
      this.took(relation);
      const { following } = relation;
      if (following === 'following' || following === 'requested' && !was.following) return true;
      toasts.alert(t(following === 'none' ? 'cannotFollow' : 'askedAgain', { name: uid }));
      return false;
    } catch (error) {
      toasts.alert(this.why(error, uid));
      return error.isPassing ? null : false;
    }
  }

  /** Whether I follow a user, and the user me, as far as is known. */
  between(uid) {
    const { circle } = this.model;
    const isFollower = circle.pages.following?.people.includes(uid) ?? circle.told.get(uid)?.following;
    return { following: circle.person(uid)?.state === 'following', follower: Boolean(isFollower) };
  }

  /** Undoes a block: what there `was` comes back, unless the other one has decided otherwise or much time has passed. */
  async bringBack(uid, was) {
    const { model, toasts } = this;
    // Who comes back is no news.
    this.returning.add(uid);
    const relation = await toasts.ask(api.unblock(model.uid, uid, true));
    this.took(relation);
    this.returning.delete(uid);
    if (!relation) return relation;
    const isLess = (side) => was[side] && relation[side] !== 'following';
    if (!isLess('following') && !isLess('follower')) return true;
    toasts.alert(t('notAllBack', { name: uid }));
    return false;
  }

  /** What a menu offers about a user. */
  items(uid, item) {
    const { circle } = this.model;
    const state = circle.person(uid)?.state;
    const isFollower = circle.pages.following?.people.includes(uid);
    return [
      state && item('openMonthShort', () => this.model.openMonth(uid), '', false),
      state && item(state === 'following' ? 'unfollow' : 'takeBack', () => this.act('unfollow', uid)),
      isFollower && item('removeFollower', () => this.act('dismiss', uid)),
      item('block', () => this.act('block', uid), 'danger'),
    ].filter(Boolean);
  }
}
