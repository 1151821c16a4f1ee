// Where mail of my account goes: an address that I confirm by a link sent to it.
import * as api from './api.js';
import { moment } from './entries.js';
import { field, Verdict } from './fields.js';
import { passwordHint } from './identities.js';
import './mailWords.js';
import { element } from './row.js';
import { reason, t } from './words.js';

export const mailSection = { key: 'mail', build, isFor: ({ mail }) => mail };

/** Letters before the @ that mail servers do not take. */
const FOREIGN = /[^ -~].*@/;
const path = (uid) => `/v1/users/${encodeURIComponent(uid)}/mail`;

function build({ model }) {
  const { uid } = model;
  const name = element('input', { type: 'text', autocomplete: 'username', value: uid, hidden: true, readOnly: true });
  const state = element('p', { className: 'note', id: 'mail-state' });
  const address = field(t('mailAddress'), { type: 'email', id: 'mail-address', autocomplete: 'email', maxLength: 254, spellcheck: false });
  const password = field(t('currentPassword'), { type: 'password', id: 'mail-password', autocomplete: 'current-password', maxLength: 1024 });
  const verdict = new Verdict('mail');
  const save = element('button', { type: 'submit', className: 'primary', id: 'save-mail', textContent: t('saveMail') });
  const remove = element('button', { type: 'button', className: 'quiet', id: 'remove-mail', hidden: true, textContent: t('removeMail') });
  const form = element('form', { className: 'fields', noValidate: true },
    state, name, address, password, ...passwordHint(model), verdict.error, save, remove, verdict.done);
  const inputs = [address.lastChild, password.lastChild];
  for (const input of inputs) input.setAttribute('aria-errormessage', verdict.error.id);

  const show = (mail) => {
    const words = [mail.address && t('mailIs', mail), mail.pending && t('mailPending', { address: mail.pending, time: moment(mail.until) })];
    state.textContent = words.filter(Boolean).join(' ') || t('mailNone');
    remove.hidden = !mail.address && !mail.pending;
  };

  async function change(wanted, done) {
    const [, secret] = inputs;
    verdict.clear();
    for (const input of inputs) input.removeAttribute('aria-invalid');
    if (wanted === null) return verdict.refuse(t('wrongMail'), inputs[0]);
    if (!secret.value) return verdict.refuse(t('passwordMissing'), secret);
    save.disabled = remove.disabled = true;
    try {
      show(await api.call('PUT', path(uid), { address: wanted, password: secret.value }));
      for (const input of inputs) input.value = '';
      verdict.praise(t(done));
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      if (problem.status === 422) verdict.refuse(t(FOREIGN.test(wanted) ? 'foreignMail' : 'wrongMail'), inputs[0]);
      else verdict.refuse(problem.status === 429 ? t('tooManyHere') : reason(problem), secret);
    } finally {
      save.disabled = remove.disabled = false;
    }
    return undefined;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [{ value }] = inputs;
    change(value.trim() || null, 'mailSent');
  });
  remove.addEventListener('click', () => change('', 'mailRemoved'));
  api.call('GET', path(uid)).then(show).catch((problem) => {
    if (!(problem instanceof api.Refusal)) throw problem;
    verdict.refuse(reason(problem));
  });
  return form;
}
