// The deletion of my account: what goes with it, until when I may change my mind, and whether I mean it.
import * as api from './api.js';
import { field, Verdict } from './fields.js';
import { passwordHint } from './identities.js';
import './parting.js';
import { element } from './row.js';
import { locale, reason, t } from './words.js';

export const deletionSection = { key: 'deletion', build };

const path = (uid) => `/v1/users/${encodeURIComponent(uid)}/deletion`;
/** Whether the account is to be deleted, and how long one may change one's mind. */
export const readDeletion = (uid) => api.call('GET', path(uid));
export const keepAccount = (uid) => api.call('DELETE', path(uid));
const deleteAccount = (uid, password) => api.call('POST', path(uid), { password });

const UNITS = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

/** A time in words, such as `7 days`, in the greatest unit of which it is a whole number. */
function span(seconds) {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0);
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

function build({ model, session }) {
  const { uid } = model;
  const name = element('input', { type: 'text', autocomplete: 'username', value: uid, hidden: true, readOnly: true });
  const time = element('p', { className: 'note', id: 'deletion-time' });
  const password = field(t('currentPassword'), { type: 'password', autocomplete: 'current-password', maxLength: 1024, id: 'deletion-password' });
  const verdict = new Verdict('deletion');
  const ask = element('button', { type: 'submit', className: 'primary', id: 'ask-deletion', textContent: t('settings_deletion') });
  const question = element('p', { id: 'deletion-question', tabIndex: -1, textContent: t('deletionAsk', { name: uid }) });
  const yes = element('button', { type: 'button', className: 'primary', id: 'confirm-deletion', textContent: t('deletionYes') });
  const no = element('button', { type: 'button', className: 'quiet', id: 'cancel-deletion', textContent: t('cancel') });
  const confirmation = element('div', { className: 'fields', hidden: true }, question, yes, no);
  confirmation.setAttribute('role', 'group');
  confirmation.setAttribute('aria-labelledby', question.id);
  question.setAttribute('aria-describedby', time.id);
  const form = element('form', { className: 'fields', noValidate: true },
    element('p', { className: 'note', textContent: t('deletionNote') }), time, name, password, ...passwordHint(model), verdict.error, ask, confirmation);
  const input = password.lastChild;
  input.setAttribute('aria-errormessage', verdict.error.id);

  const show = (isAsking) => {
    confirmation.hidden = !isAsking;
    ask.hidden = isAsking;
    (isAsking ? question : input).focus();
  };
  const refuse = (problem) => {
    if (!(problem instanceof api.Refusal)) throw problem;
    show(false);
    verdict.refuse(reason(problem), input);
  };
  // Nothing is asked before one knows until when one may change one's mind.
  ask.disabled = true;
  let isAtOnce = false;
  readDeletion(uid).then(({ graceSeconds }) => {
    isAtOnce = !graceSeconds;
    time.textContent = graceSeconds ? t('deletionTime', { time: span(graceSeconds) }) : t('deletionAtOnce');
    ask.disabled = false;
  }).catch((problem) => {
    if (!(problem instanceof api.Refusal)) throw problem;
    verdict.refuse(reason(problem));
  });

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    verdict.clear();
    input.removeAttribute('aria-invalid');
    if (!confirmation.hidden) return;
    if (input.value) show(true);
    else verdict.refuse(t('passwordMissing'), input);
  });
  no.addEventListener('click', () => show(false));
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    try {
      await deleteAccount(uid, input.value);
      if (isAtOnce) session.erase(uid);
      session.tabs.postMessage(isAtOnce ? 'gone' : 'changed');
      session.bid(uid);
    } catch (problem) {
      refuse(problem);
    } finally {
      yes.disabled = false;
    }
  });
  return form;
}
