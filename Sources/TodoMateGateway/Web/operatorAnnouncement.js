// The form by which an operator tells everybody something.
import { Refusal } from './api.js';
import { moment } from './entries.js';
import { choice, field, Verdict } from './fields.js';
import * as api from './operatorAPI.js';
import { element } from './row.js';
import { reason, t } from './words.js';

const LONGEST = 280;
const HOURS = [1, 4, 24, 72, 168];

export function announcing() {
  const text = field(t('announceText'), { id: 'announce-text', maxLength: LONGEST, autocomplete: 'off' });
  const korean = field(t('announceKorean'), { id: 'announce-ko', maxLength: LONGEST, autocomplete: 'off', lang: 'ko' });
  const level = choice(t('announceLevel'), 'announce-level', ['info', 'warning'].map((each) => [each, t(`level_${each}`)]));
  const hours = choice(t('announceHours'), 'announce-hours', HOURS.map((count) => [count, t('hours', { count })]));
  hours.lastChild.value = 24;
  const verdict = new Verdict('announce');
  const button = element('button', { type: 'submit', className: 'primary', textContent: t('announce') });
  const end = element('button', { type: 'button', className: 'quiet', id: 'announce-end', textContent: t('endAnnouncement') });
  const form = element('form', { className: 'fields', noValidate: true }, text, korean, level, hours, verdict.error, button, end, verdict.done);
  const input = text.lastChild;
  input.setAttribute('aria-errormessage', verdict.error.id);

  const guard = async (ask, words) => {
    verdict.clear();
    input.removeAttribute('aria-invalid');
    button.disabled = end.disabled = true;
    try {
      const answer = await ask();
      verdict.praise(words(answer));
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      verdict.refuse(problem.status === 403 ? t('noOperator') : reason(problem), problem.status === 422 ? input : undefined);
    } finally {
      button.disabled = end.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!input.value.trim()) return verdict.refuse(t('announceMissing'), input);
    const ko = korean.lastChild.value.trim();
    const wish = { text: input.value.trim(), level: level.lastChild.value, hours: Number(hours.lastChild.value), ...(ko && { ko }) };
    return guard(() => api.announce(wish), ({ until }) => t('announced', { time: moment(until) }));
  });
  end.addEventListener('click', () => guard(() => api.endAnnouncement(), () => t('announcementEnded')));
  return form;
}
