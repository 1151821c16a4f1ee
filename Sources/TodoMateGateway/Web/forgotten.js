// Whoever has forgotten the password has a link sent, to the mail address of the account. Fetched where the server sends mail.
import './shared.js';
import * as api from './api.js';
import './mailWords.js';
import { element } from './row.js';
import { reason, t } from './words.js';

const byID = (id) => document.getElementById(id);

/** Puts what one presses under the door's own buttons. */
export function offer(welcome, isUser) {
  const button = byID('forgotten') ?? make(welcome, isUser);
  button.textContent = t('forgotten');
  byID('forgotten-done').textContent = '';
}

function make(welcome, isUser) {
  const done = element('p', { className: 'note', id: 'forgotten-done' });
  done.setAttribute('role', 'status');
  const button = element('button', { type: 'button', className: 'quiet', id: 'forgotten' });
  button.addEventListener('click', async () => {
    const field = byID('user');
    const name = field.value.trim();
    const refuse = (say) => {
      welcome.tell(say);
      field.setAttribute('aria-invalid', 'true');
      field.focus();
    };
    field.removeAttribute('aria-invalid');
    done.textContent = '';
    welcome.tell(() => '');
    if (!isUser(name)) return refuse(() => t('forgottenName'));
    button.disabled = true;
    try {
      await api.call('POST', '/v1/password-reset/mail', { user: name });
      done.textContent = t('forgottenDone', { name });
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      refuse(() => (error.status === 429 ? t('tooManyHere') : reason(error)));
    } finally {
      button.disabled = false;
    }
    return undefined;
  });
  byID('door').append(button, done);
  return button;
}
