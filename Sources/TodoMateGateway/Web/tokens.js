// Tokens, with which programs act as me: what they may do, until when, and how to end them.
import * as api from './api.js';
import { entry, Entries, moment } from './entries.js';
import { choice, field, Verdict } from './fields.js';
import { element } from './row.js';
import { device, reason, t } from './words.js';

export const tokensSection = { key: 'tokens', build };

const SCOPES = ['read', 'write', 'feed'];
const DAYS = [30, 7, 90, 365];

function build({ model }) {
  const { uid } = model;
  const verdict = new Verdict('tokens');
  const entries = new Entries(t('settings_tokens'), verdict, async () => {
    const { sessions } = await api.sessions(uid);
    return sessions.filter(({ kind }) => kind === 'token').reverse().map((one) => entry(
      one.name ?? t('unnamed'),
      [t(`scope_${one.scope}`), one.device && device(one.device), one.from, t('since', { time: moment(one.made) }), t('untilTime', { time: moment(one.expires) }), one.lastUsed ? t('lastUsed', { time: moment(one.lastUsed) }) : t('neverUsed')],
      t('end'), () => entries.act(() => api.endSession(uid, one.id), () => t('ended'))));
  });
  const name = field(t('tokenName'), { maxLength: 64, id: 'token-name', placeholder: t('tokenNameHint') });
  const scope = choice(t('tokenScope'), 'token-scope', SCOPES.map((key) => [key, t(`scope_${key}`)]));
  const days = choice(t('tokenDays'), 'token-days', DAYS.map((count) => [count, t('days', { count })]));
  const button = element('button', { type: 'submit', className: 'primary', textContent: t('makeToken') });
  const made = element('div', { className: 'made', hidden: true });
  const input = name.lastChild;
  input.setAttribute('aria-errormessage', verdict.error.id);
  const form = element('form', { className: 'fields', noValidate: true }, name, scope, days, verdict.error, button, made, verdict.done);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    verdict.clear();
    input.removeAttribute('aria-invalid');
    if (!input.value.trim()) return verdict.refuse(t('tokenNameMissing'), input);
    button.disabled = true;
    try {
      const token = await api.makeToken(uid, { name: input.value.trim(), scope: scope.lastChild.value, days: Number(days.lastChild.value) });
      input.value = '';
      await entries.load();
      show(made, token.token, verdict);
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      verdict.refuse(reason(problem, { full: 'tooManyTokens' }), input);
    } finally {
      button.disabled = false;
    }
    return undefined;
  });
  return element('div', {}, entries.list, form);
}

// It shows once: nobody can read it again later.
function show(place, token, verdict) {
  const shown = field(t('tokenMade'), { readOnly: true, value: token, id: 'new-token' });
  const copy = element('button', { type: 'button', className: 'quiet', id: 'copy-token', textContent: t('copy') });
  copy.addEventListener('click', async () => {
    shown.lastChild.select();
    try {
      // Browsers offer it over TLS and to this machine alone; what is selected can be copied by hand.
      await navigator.clipboard.writeText(token);
      verdict.praise(t('copied'));
    } catch { verdict.praise(t('copyByHand')); }
  });
  place.replaceChildren(shown, copy);
  place.hidden = false;
  shown.lastChild.focus();
  shown.lastChild.select();
}
