// The form that says of a routine what to do, how often, and at what time.
import './shared.js';
import { today } from './dates.js';
import { Verdict, field } from './fields.js';
import { said } from './routines.js';
import { element } from './row.js';
import { ruleIn } from './ruleText.js';
import { openSheet } from './sheet.js';
import { t } from './words.js';

/** `routine` is what it is now, without a rule for none; `save(fields)` gets what is to be different, and what to do. */
export function openRoutine({ title, note, submit, routine, save }) {
  const verdict = new Verdict('routine');
  const typed = routine.rule ? said(routine.rule, routine.from) : '';
  const content = field(t('routineContent'), { id: 'routine-content', value: routine.content, maxLength: 500, required: true });
  const days = field(t('routineDays'), { id: 'routine-days', value: typed || t('every_DAILY', { interval: 1 }), required: true });
  const time = field(t('routineTime'), { id: 'routine-time', type: 'time', value: routine.time ?? '' });
  const hint = element('p', { className: 'note', id: 'routine-hint', textContent: t('routineDaysHint') });
  const input = (label) => label.querySelector('input');
  input(days).setAttribute('aria-describedby', hint.id);
  const form = element('form', { className: 'fields', noValidate: true }, content, days, hint, time, verdict.error,
    element('button', { type: 'submit', className: 'primary', textContent: submit }));
  form.addEventListener('input', (event) => event.target.removeAttribute('aria-invalid'));
  let isSaving = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    verdict.clear();
    const words = input(content).value.trim();
    if (!words) return verdict.refuse(t('routineMissing'), input(content));
    // A rule may say more than there are words to type for it: what was not touched stays.
    const isSame = routine.rule && input(days).value === typed;
    const rule = isSame ? routine.rule : ruleIn(input(days).value, today());
    if (!rule) return verdict.refuse(t('routineDaysNotRead'), input(days));
    // What was typed stays until it is saved.
    if (isSaving) return undefined;
    isSaving = true;
    const isSaved = await save({ content: words, time: input(time).value, ...(rule !== routine.rule && { rule }) }, (why) => verdict.refuse(why));
    isSaving = false;
    return isSaved && sheet.close();
  });
  const sheet = openSheet('routine', title, [element('p', { className: 'note', textContent: note }), form],
    document.getElementById('account'));
  input(routine.rule ? content : days).focus();
}
