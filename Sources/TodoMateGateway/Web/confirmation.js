// A link that was sent to a mail address asks whether it is somebody's. Fetched when one is opened: what reads mails to look for
// harm may open it as well, and must not say yes.
import './shared.js';
import * as api from './api.js';
import './mailWords.js';
import { element } from './row.js';
import { reason, t } from './words.js';

/** Asks, over whatever shows; `ticket` is what the link holds. */
export function ask({ user: name, secret }, toasts) {
  const title = element('h2', { id: 'mail-title', tabIndex: -1, autofocus: true, textContent: t('mailTitle') });
  const error = element('p', { className: 'error', id: 'mail-link-error' });
  error.setAttribute('role', 'alert');
  const yes = element('button', { type: 'button', className: 'primary', id: 'confirm-mail', textContent: t('confirmMail') });
  const no = element('button', { type: 'button', className: 'quiet', id: 'cancel-mail', textContent: t('cancelMail') });
  const dialog = element('dialog', { className: 'card', id: 'mail-link' }, title, element('p', { textContent: t('mailHint', { name }) }), error, yes, no);
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => dialog.remove());
  no.addEventListener('click', () => dialog.close());
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    try {
      const { address } = await api.call('POST', '/v1/mail-confirmation', { user: name, secret });
      dialog.close();
      toasts.show(t('mailConfirmed', { name, address }));
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      const words = { 404: t('mailOver'), 429: t('tooManyHere') };
      error.textContent = words[problem.status] ?? reason(problem);
    } finally {
      yes.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** What to say of a link that cannot be any. */
export const over = () => t('mailOver');
