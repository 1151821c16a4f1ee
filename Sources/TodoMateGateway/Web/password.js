// Another password: all other sessions end, and this one goes on.
import * as api from './api.js';
import { field, revealing, Verdict } from './fields.js';
import { element } from './row.js';
import { reason, t } from './words.js';

export const passwordSection = { key: 'password', build };

const LONGEST = 1024;
const SHORTEST = 8;

function build({ model, session }) {
  const name = element('input', { type: 'text', autocomplete: 'username', value: model.uid, hidden: true, readOnly: true });
  const current = field(t('currentPassword'), { type: 'password', autocomplete: 'current-password', maxLength: LONGEST, id: 'current-password' });
  const chosen = field(t('newPassword'), { type: 'password', autocomplete: 'new-password', maxLength: LONGEST, id: 'new-password' });
  const rule = element('p', { className: 'note', id: 'password-rule', textContent: t('ownPasswordRule') });
  const verdict = new Verdict('password');
  const button = element('button', { type: 'submit', className: 'primary', textContent: t('changePassword') });
  const form = element('form', { className: 'fields', noValidate: true }, name, current, chosen, rule, revealing(chosen.lastChild, t('showPassword')), verdict.error, button, verdict.done);
  const inputs = { current: current.lastChild, chosen: chosen.lastChild };
  inputs.chosen.setAttribute('aria-describedby', rule.id);
  for (const input of Object.values(inputs)) input.setAttribute('aria-errormessage', verdict.error.id);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    for (const input of Object.values(inputs)) input.removeAttribute('aria-invalid');
    verdict.clear();
    if (!inputs.current.value) return verdict.refuse(t('passwordMissing'), inputs.current);
    if ([...inputs.chosen.value].length < SHORTEST || inputs.chosen.value.toLowerCase() === model.uid.toLowerCase()) {
      return verdict.refuse(t('ownPasswordRule'), inputs.chosen);
    }
    button.disabled = true;
    try {
      await session.exchange(() => api.changePassword(model.uid, inputs.current.value, inputs.chosen.value));
      for (const input of Object.values(inputs)) input.value = '';
      verdict.praise(t('passwordChanged'));
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      if (problem.status === 422) verdict.refuse(t('ownPasswordRule'), inputs.chosen);
      else verdict.refuse(reason(problem), inputs.current);
    } finally {
      button.disabled = false;
    }
    return undefined;
  });
  return form;
}
