// The door: who signs in, or, in a server without sign-in, whose board to open.
import * as api from './api.js';
import { fetched } from './later.js';
import { isUser } from './names.js';
import { reason, t } from './words.js';

const byID = (id) => document.getElementById(id);

export class Welcome {
  /** `entered(uid)` is called once a user is in. */
  constructor(model, entered) {
    Object.assign(this, { model, entered });
    byID('to-join').addEventListener('click', () => model.openTicket({ kind: 'open' }));
    byID('door').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  get needsPassword() { return this.model.signIn; }

  toggle() {
    byID('welcome').hidden = this.model.place !== 'welcome';
    if (!byID('welcome').hidden && !this.model.ticket) this.show();
  }

  /** Who has a ticket sees another card. */
  turn() {
    const { ticket, registration, signIn } = this.model;
    byID('door').hidden = Boolean(ticket);
    byID('to-join').hidden = !signIn || registration !== 'open';
  }

  show() {
    const { needsPassword } = this;
    byID('user').value ||= this.model.uid ?? '';
    byID('password-field').hidden = !needsPassword;
    byID('password').value = '';
    if (!needsPassword && !byID('user').value) byID('user').value = 'alice';
    this.step?.clear();
    this.fault('');
    this.translate();
    byID(needsPassword && byID('user').value ? 'password' : 'user').focus();
  }

  translate() {
    const kind = this.needsPassword ? 'signIn' : 'open';
    byID('door-title').textContent = t(`${kind}Title`);
    byID('door-hint').textContent = t(`${kind}Hint`);
    byID('enter').textContent = t(kind);
    if (this.problem) this.fault(this.problem());
    const { providers, mail } = this.model;
    if (providers.length) fetched(() => import('./providers.js'), this.model).then((module) => module?.offer(providers, byID('door')));
    if (mail) fetched(() => import('./forgotten.js'), this.model).then((module) => module?.offer(this, isUser));
  }

  /** Says why somebody is here. */
  tell(say) {
    this.problem = say;
    this.fault(say());
  }

  fault(text) { byID('door-error').textContent = text; }

  async submit() {
    const user = byID('user').value.trim();
    const password = byID('password').value;
    const refuse = (say, field) => {
      this.problem = say;
      this.fault(say());
      byID(field).setAttribute('aria-invalid', 'true');
      byID(field).focus();
    };
    for (const field of byID('door').querySelectorAll('input')) field.removeAttribute('aria-invalid');
    this.problem = null;
    if (!isUser(user)) return refuse(() => t('userRule'), 'user');
    if (!this.needsPassword) return this.entered(user);
    if (!password) return refuse(() => t('passwordMissing'), 'password');
    byID('enter').disabled = true;
    this.fault('');
    try {
      const { uid } = await api.signIn(user, password, this.step?.code);
      byID('password').value = '';
      this.entered(uid);
    } catch (error) {
      if (await this.asks(error)) return undefined;
      refuse(() => reason(error), error.kind === 'wrong-code' ? 'code' : 'password');
      document.activeElement.select();
    } finally {
      byID('enter').disabled = false;
    }
    return undefined;
  }

  /** Whether the server asks for the code of a second factor, which is shown from then on. */
  async asks(error) {
    if (!error.kind?.startsWith('second-factor')) return false;
    const module = await fetched(() => import('./secondStep.js'), this.model);
    if (!module) return false;
    this.step ??= new module.SecondStep(byID('door-error'), 'code');
    this.step.ask(error);
    return true;
  }
}
