// The form that says of a routine what to do, how often, and at what time.
import './shared.js';
import { AUDIENCES } from './audiences.js';
import { Verdict, choice, field } from './fields.js';
import { said } from './routines.js';
import { element } from './row.js';
import { ruleIn } from './ruleText.js';
import { openSheet } from './sheet.js';
import { harmless, t } from './words.js';

/**
 * `routine` is what it is now, without a rule for none, and `day` the first that is to be different; `save(fields)` gets what is to be
 * different, and what to do. `circle` has the goals, and says whether anybody else sees todos.
 */
export function openRoutine({ title, note, submit, routine, day, circle, save }) {
  const verdict = new Verdict('routine');
  // With its year an end stays what it was, on whatever day it is read.
  const typed = routine.rule ? said(routine.rule, routine.from, () => 'numeric') : '';
  const content = field(t('routineContent'), { id: 'routine-content', value: routine.content, maxLength: 500, required: true });
  const days = field(t('routineDays'), { id: 'routine-days', value: typed || t('every_DAILY', { interval: 1 }), required: true });
  const time = field(t('routineTime'), { id: 'routine-time', type: 'time', value: routine.time ?? '' });
  const purposes = choices(routine, circle);
  const hint = element('p', { className: 'note', id: 'routine-hint', textContent: t('routineDaysHint') });
  const input = (label) => label.querySelector('input');
  input(days).setAttribute('aria-describedby', hint.id);
  const form = element('form', { className: 'fields', noValidate: true }, content, days, hint, time, ...Object.values(purposes), verdict.error,
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
    const rule = isSame ? routine.rule : ruleIn(input(days).value, day);
    if (!rule) return verdict.refuse(t('routineDaysNotRead'), input(days));
    // What was typed stays until it is saved.
    if (isSaving) return undefined;
    isSaving = true;
    const chosen = Object.entries(purposes).map(([name, label]) => [name, label.querySelector('select').value]);
    const fields = { content: words, time: input(time).value, ...(rule !== routine.rule && { rule }), ...Object.fromEntries(chosen) };
    const isSaved = await save(fields, (why) => sheet.isConnected && (verdict.refuse(why), true));
    isSaving = false;
    return isSaved && sheet.close();
  });
  const sheet = openSheet('routine', title, [element('p', { className: 'note', textContent: note }), form],
    document.getElementById('account'));
  input(routine.rule ? content : days).focus();
}

/** What else there is to choose: a goal where there are some, and who sees its todos where anybody may. */
function choices({ goal, visibility }, circle) {
  // Those that are put away are offered where they are chosen already.
  const goals = circle.goals.filter(({ id, archived }) => !archived || id === goal);
  const audiences = [['', t('routineUsual')], ...AUDIENCES.map((value) => [value, t(`visibility_${value}`)])];
  const made = {
    ...(goals.length && { goal: choice(t('goal'), 'routine-goal', [['', t('noGoal')], ...goals.map(({ id, name }) => [id, harmless(name)])]) }),
    ...(circle.isShared && { visibility: choice(t('visibility'), 'routine-visibility', audiences) }),
  };
  if (made.goal) made.goal.querySelector('select').value = goals.some(({ id }) => id === goal) ? goal : '';
  if (made.visibility) made.visibility.querySelector('select').value = visibility ?? '';
  return made;
}
