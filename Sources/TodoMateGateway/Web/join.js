// The card of those who have no password yet, or forgot it: by an invitation, by a link for a new password, or where anyone may come.
import './shared.js';
import * as api from './api.js';
import { revealing } from './fields.js';
import { fetched } from './later.js';
import { isUser } from './names.js';
import { reason, t } from './words.js';

const byID = (id) => document.getElementById(id);
const SHORTEST = 8;

export class Join {
  /** `entered(uid, following)` is called once a user is in, `left()` when somebody wants to sign in instead. */
  constructor(model, entered, left) {
    Object.assign(this, { model, entered, left });
    byID('join').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.revealing = revealing(byID('join-password'), '');
    this.revealing.dataset.withPassword = '';
    byID('join-rule').after(this.revealing);
    byID('to-door').addEventListener('click', () => this.left());
  }

  render() {
    const { ticket } = this.model;
    byID('join').hidden = !ticket;
    if (!ticket) return;
    const { kind, user } = ticket;
    const isReset = kind === 'reset';
    const name = ticket.provider?.name ?? user;
    for (const part of byID('join').querySelectorAll('[data-with-password]')) part.hidden = kind === 'arrive';
    byID('join-title').textContent = t(`${kind}JoinTitle`, { name });
    this.revealing.lastChild.textContent = t('showPassword');
    byID('join-hint').textContent = t(`${kind}JoinHint`, { name });
    byID('join-enter').textContent = t(isReset ? 'setPassword' : 'makeAccount');
    byID('join-user').readOnly = isReset;
    byID('join-password-label').textContent = t(isReset ? 'newPassword' : 'password');
    for (const tick of ['join-follow', 'join-shown']) byID(tick).parentElement.hidden = kind !== 'join';
    byID('join-follow-words').textContent = t(ticket.welcome ? 'followInviter' : 'askInviter', { name: user });
    byID('join-shown-words').textContent = t('letFollowBack', { name: user });
    if (this.problem) byID('join-error').textContent = this.problem();
  }

  /** The card was opened, for another ticket than before. */
  opened() {
    const { ticket } = this.model;
    this.fault(null);
    this.step?.clear();
    byID('join-password').value = '';
    byID('join-password').type = 'password';
    this.revealing.firstChild.checked = false;
    if (!ticket) return;
    byID('join-user').value = ['reset', 'arrive'].includes(ticket.kind) ? ticket.user : '';
    byID('join-follow').checked = true;
    // Who sees their todos is theirs to say.
    byID('join-shown').checked = false;
    this.render();
    byID(ticket.kind === 'reset' ? 'join-password' : 'join-user').focus();
  }

  fault(say, field) {
    this.problem = say;
    byID('join-error').textContent = say ? say() : '';
    for (const name of ['join-user', 'join-password', 'join-code'].filter(byID)) {
      if (name === field) byID(name).setAttribute('aria-invalid', 'true');
      else byID(name).removeAttribute('aria-invalid');
    }
    if (field) byID(field).focus();
  }

  async submit() {
    const { ticket } = this.model;
    const name = byID('join-user').value.trim();
    const password = byID('join-password').value;
    if (!isUser(name) || !/[A-Za-z0-9]/.test(name)) return this.fault(() => t('userRule'), 'join-user');
    const needsPassword = ticket.kind !== 'arrive';
    if (needsPassword && [...password].length < SHORTEST) return this.fault(() => t('passwordRule'), 'join-password');
    if (needsPassword && password.toLowerCase() === name.toLowerCase()) return this.fault(() => t('passwordIsName'), 'join-password');
    byID('join-enter').disabled = true;
    this.fault(null);
    try {
      const { uid, following } = await this.ask(ticket, name, password);
      byID('join-password').value = '';
      this.entered(uid, ticket.kind === 'join' && following ? { name: ticket.user, following } : null);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      const { kind } = error;
      const isAsked = ticket.kind === 'reset' && kind?.startsWith('second-factor');
      const module = isAsked && await fetched(() => import('./secondStep.js'), this.model);
      if (module) {
        this.step ??= new module.SecondStep(byID('join-error'), 'join-code');
        return this.step.ask(error);
      }
      const isOfName = kind === 'exists';
      const field = kind === 'wrong-code' ? 'join-code' : 'join-password';
      this.fault(() => this.why(error, kind, ticket.kind, name), isOfName || !needsPassword ? 'join-user' : field);
      if (isOfName) byID('join-user').select();
    } finally {
      byID('join-enter').disabled = false;
    }
    return undefined;
  }

  ask({ kind, secret, code, provider }, name, password) {
    if (kind === 'arrive') return api.arrive(provider.id, name);
    if (kind === 'reset') return api.resetPassword(name, secret, password, this.step?.code);
    if (kind !== 'join') return api.join(name, password, {});
    return api.join(name, password, { invitation: code, follow: byID('join-follow').checked, followBack: byID('join-shown').checked });
  }

  why(error, kind, ticket, name) {
    if (kind === 'exists') return t('nameTaken', { name });
    if (kind === 'not-found' && ticket === 'arrive') return t('journey_state');
    if (kind === 'not-found') return t(ticket === 'reset' ? 'resetOver' : 'invitationOver');
    if (kind === 'too-many-attempts') return t('tooManyHere');
    if (kind === 'forbidden') return t('joinForbidden');
    if (kind === 'invalid') return t('passwordRule');
    return reason(error);
  }
}
