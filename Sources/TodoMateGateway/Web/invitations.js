// The section of the people panel where one invites others: makes links, shows who came by them, takes them back.
import './shared.js';
import * as api from './api.js';
import { element } from './row.js';
import { arrange } from './rows.js';
import { locale, reason, t } from './words.js';

const byID = (id) => document.getElementById(id);
const WEEK = 7 * 24 * 3600;

export class Invitations {
  constructor(model, toasts) {
    Object.assign(this, { model, toasts, all: [], link: null, most: null });
    byID('invite').addEventListener('submit', (event) => {
      event.preventDefault();
      this.make();
    });
    // A link for several goes from hand to hand: those who come by it ask.
    byID('invite-uses').addEventListener('change', () => { byID('invite-welcome').parentElement.hidden = this.uses > 1; });
    byID('copy-link').addEventListener('click', () => this.copy());
    byID('my-invitations').addEventListener('click', (event) => {
      const button = event.target.closest('button[data-id]');
      if (button) this.end(button.dataset.id);
    });
  }

  get uses() { return Number(byID('invite-uses').value); }

  get isAllowed() {
    const { signIn, inviters, registration } = this.model;
    // What an operator allows one user is known once the panel was opened.
    return Boolean(signIn) && registration !== 'closed' && (this.most === null ? inviters === 'everyone' : this.most > 0);
  }

  /** Forgets what belongs to a user who left. */
  clear() {
    Object.assign(this, { all: [], link: null, most: null });
    byID('invite-label').value = '';
    this.render();
  }

  /** The panel was opened. */
  async opened() {
    const { uid, signIn, registration } = this.model;
    if (!signIn || registration === 'closed') return;
    const answer = await this.toasts.ask(api.invitations(uid));
    if (!answer || uid !== this.model.uid) return;
    Object.assign(this, { all: answer.invitations, most: answer.most });
    this.render();
  }

  render() {
    // Who may make no more still takes back what is open.
    byID('inviting').hidden = !this.isAllowed && !this.all.length;
    byID('invite').hidden = !this.isAllowed;
    byID('made-link').hidden = !this.link;
    byID('link').value = this.link ?? '';
    const list = byID('my-invitations');
    const lines = this.all.map((one) => this.line(one));
    const stand = [...list.children];
    arrange(list, lines.map((made) => stand.find((other) => other.isEqualNode(made)) ?? made));
  }

  line({ id, label, uses, left, expires, welcome, came }) {
    const until = new Date(expires).toLocaleDateString(locale(), { day: 'numeric', month: 'long' });
    const facts = [t('usesLeft', { left, uses }), t('until', { day: until })];
    if (welcome) facts.push(t('welcomed'));
    if (came.length) facts.push(t('cameBy', { names: came.map(({ uid }) => uid || t('someoneGone')).join(', ') }));
    const words = element('div', { className: 'invitation' },
      element('span', { textContent: label || t('invitation') }), element('span', { className: 'note', textContent: facts.join(' · ') }));
    const button = element('button', { type: 'button', className: 'quiet', textContent: t('endInvitation') });
    button.dataset.id = id;
    button.setAttribute('aria-label', `${t('endInvitation')}: ${label || until}`);
    return element('li', { className: 'someone' }, words, button);
  }

  async make() {
    const { uid } = this.model;
    const label = byID('invite-label').value.trim();
    byID('make-link').disabled = true;
    const welcome = this.uses === 1 && byID('invite-welcome').checked;
    const draft = { uses: this.uses, seconds: WEEK, welcome, ...(label && { label }) };
    const made = await this.ask(api.invite(uid, draft), { full: 'tooManyInvitations', forbidden: 'mayNotInvite' });
    byID('make-link').disabled = false;
    if (!made || uid !== this.model.uid) return;
    byID('invite-label').value = '';
    this.link = `${location.origin}/#join=${made.invitation}`;
    const { invitation, ...rest } = made;
    this.all = [...this.all, rest];
    this.render();
    byID('link').focus();
    byID('link').select();
  }

  /** Waits for an answer; `words` has what to say for some kinds of problems. */
  async ask(promise, words) {
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      const key = words[error.problem.type?.split(':').pop()];
      this.toasts.alert(key ? t(key) : reason(error));
      return null;
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.link);
      this.toasts.show(t('copied'));
    } catch {
      // Not allowed here: the person copies it.
      byID('link').focus();
      byID('link').select();
    }
  }

  async end(id) {
    const { uid } = this.model;
    // One that is over already is taken back as well.
    const isOver = (error) => { if (error.status !== 404) throw error; };
    if (!await this.toasts.ask(api.endInvitation(uid, id).catch(isOver).then(() => true))) return;
    if (uid !== this.model.uid) return;
    this.all = this.all.filter((one) => one.id !== id);
    this.link = null;
    this.render();
    (this.isAllowed ? byID('invite-label') : byID('my-audience')).focus();
  }
}
