// My goals: to be made, called and coloured, set to be seen by some, and put away.
import './shared.js';
import './goalWords.js';
import * as api from './api.js';
import { AUDIENCES } from './audiences.js';
import { Verdict, choice, field } from './fields.js';
import { positionsFor } from './order.js';
import { element } from './row.js';
import { arrange } from './rows.js';
import { openSheet } from './sheet.js';
import { harmless, reason, t } from './words.js';

const COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'indigo', 'purple', 'pink', 'gray'];

// A new one is told apart from those that are there.
const freeColor = (goals) => [...COLORS.slice(3), ...COLORS].find((value) => goals.every(({ color }) => color !== value)) ?? 'green';
export const newGoalID = () => `g${crypto.getRandomValues(new Uint32Array(3)).reduce((text, part) => text + part.toString(36), '')}`;

/** The goals as they are now; the stream says so as well, but later. */
async function refresh(uid, circle) {
  const { goals } = await api.goals(uid);
  circle.settings({ settings: { ...circle.profile, goals } });
}

/** Makes a goal by its name alone, whose new todos are seen as those without one are; answers whether it is there. */
export async function makeGoal({ uid, circle, toasts }, id, name) {
  const fields = { name, color: freeColor(circle.goals), visibility: circle.profile?.visibility ?? 'followers' };
  try {
    await api.setGoal(uid, id, fields);
  } catch (problem) {
    if (!(problem instanceof api.Refusal)) throw problem;
    if (!circle.isOver) toasts.alert(t('refused', { reason: reason(problem, { full: 'tooManyGoals' }) }));
    return false;
  }
  // Where that fails, the stream says it later.
  if (!circle.isOver) await refresh(uid, circle).catch(() => {});
  return true;
}

export function openGoals(model) {
  const { uid, circle } = model;
  const verdict = new Verdict('goals');
  const list = element('div', { className: 'goal-list' });
  const none = element('p', { className: 'note', textContent: t('noGoals') });

  /** Does something, and shows the goals as they are then. */
  const act = async (ask, words, keep = undefined) => {
    verdict.clear();
    try {
      const answer = await ask();
      await refresh(uid, circle);
      render(answer?.id);
      verdict.praise(words(answer));
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      // What was refused, or has become another elsewhere, is not to stand there as if it were so.
      const { goals } = await api.goals(uid).catch(() => circle.profile ?? {});
      circle.settings({ settings: { ...circle.profile, goals } });
      render();
      const { activeElement: field } = document;
      const input = keep?.();
      // Whoever types elsewhere by now goes on there.
      const isElsewhere = field !== input && field.matches('input, textarea');
      verdict.refuse(t('refused', { reason: reason(problem, { full: 'tooManyGoals' }) }), isElsewhere ? null : input);
      if (isElsewhere) input?.setAttribute('aria-invalid', 'true');
    }
  };
  const change = (goal, fields, keep) => act(() => api.setGoal(uid, goal.id, fields), () => t('goalSaved'), keep);
  // What was typed stays where it was typed.
  const rename = (goal, called) => change(goal, { name: called }, () => {
    const input = list.querySelector(`[data-id="${goal.id}"] input`);
    if (input) input.value = called;
    return input;
  });

  const todosOf = ({ id }) => [...model.todos.known.values()].filter(({ goal }) => goal === id);
  // Those that spreading would change.
  const leftOf = (goal) => todosOf(goal).filter(({ visibility }) => visibility !== goal.visibility).length;
  // Part after part, each of which says how many are left.
  const sweep = async ({ id }, count, ask) => {
    let [changed, broken, from] = [0, 0];
    do {
      const part = await ask(from);
      [changed, broken, from] = [changed + part.changed, broken + part.broken, part.next];
      if (from) verdict.praise(t('goalsLeft', { count: Math.max(0, count - changed) }));
    } while (from);
    return { id, changed, broken };
  };
  const spread = (goal) => sweep(goal, leftOf(goal), (from) => api.spreadGoal(uid, goal, from));
  const remove = (goal) => sweep(goal, todosOf(goal).length, (from) => api.removeGoal(uid, goal.id, from));
  // Among those that are put away like it.
  const step = (goal, by) => act(async () => {
    const order = circle.goals.filter(({ archived }) => archived === goal.archived);
    const place = order.findIndex(({ id }) => id === goal.id) + by;
    // It has come there meanwhile.
    if (!order[place]) return { id: goal.id };
    const places = positionsFor(order, goal.id, place);
    for (const { id, position } of places) await api.setGoal(uid, id, { position });
    return { id: goal.id };
  }, () => t('goalSaved'));

  const selects = (goal) => {
    const color = choice(t('goalColor'), `goal-color-${goal.id}`, COLORS.map((value) => [value, t(`color_${value}`)])).querySelector('select');
    const visibility = choice(t('goalVisibility'), `goal-visibility-${goal.id}`, AUDIENCES.map((value) => [value, t(`visibility_${value}`)])).querySelector('select');
    Object.assign(color, { value: goal.color ?? freeColor(circle.goals) });
    Object.assign(visibility, { value: goal.visibility ?? circle.profile?.visibility ?? 'followers' });
    return { color, visibility };
  };
  const line = (goal) => {
    const named = (target, words) => { target.setAttribute('aria-label', t('goalNamed', { words: t(words), name: goal.name })); return target; };
    const name = named(element('input', { value: goal.name, maxLength: 40 }), 'goalName');
    const { color, visibility } = selects(goal);
    name.addEventListener('change', () => (name.value.trim() ? rename(goal, name.value.trim()) : render(goal.id)));
    color.addEventListener('change', () => change(goal, { color: color.value }));
    visibility.addEventListener('change', () => change(goal, { visibility: visibility.value }));
    const button = (words, action) => {
      const made = named(element('button', { type: 'button', className: 'quiet', textContent: t(words) }), words);
      made.addEventListener('click', action);
      return made;
    };
    const others = circle.goals.filter(({ archived }) => archived === goal.archived);
    const left = leftOf(goal);
    const spreads = button('spreadGoal', () => act(() => spread(goal), ({ changed, broken }) => t('spreadDone', { count: changed, broken })));
    const isLeft = element('span', { className: 'note', textContent: left ? t('goalsLeft', { count: left }) : '' });
    // A goal that is removed is gone; its todos are not.
    const ask = (acts, { name: called }) => {
      const yes = button('reallyRemoveGoal', () => act(() => remove(goal), ({ changed }) => t('goalRemoved', { name: called, count: changed })));
      acts.replaceChildren(element('p', { className: 'note', textContent: t('removeGoalNote', { count: todosOf(goal).length }) }),
        yes, button('cancel', () => render(goal.id)));
      yes.focus();
    };
    const made = element('fieldset', { className: 'goal-fields' },
      element('legend', { className: 'goal', textContent: harmless(goal.name) + (goal.archived ? ` (${t('isArchived')})` : '') }),
      name, named(color, 'goalColor'), named(visibility, 'goalVisibility'),
      element('div', { className: 'acts' },
        spreads, isLeft, button(goal.archived ? 'unarchiveGoal' : 'archiveGoal', () => change(goal, { archived: !goal.archived })),
        ...others.indexOf(goal) > 0 ? [button('moveUp', () => step(goal, -1))] : [],
        ...others.at(-1) !== goal ? [button('moveDown', () => step(goal, 1))] : [],
        button('removeGoal', (event) => ask(event.target.closest('.acts'), goal))));
    made.dataset.id = goal.id;
    made.querySelector('legend').dataset.color = goal.color;
    return made;
  };

  const draft = { id: 'new' };
  let [id, sent] = [newGoalID(), ''];
  const name = field(t('newGoal'), { id: 'goal-name', maxLength: 40, autocomplete: 'off' });
  const { color, visibility } = selects(draft);
  const form = element('form', { className: 'fields', noValidate: true }, name,
    element('label', {}, element('span', { textContent: t('goalColor') }), color),
    element('label', {}, element('span', { textContent: t('goalVisibility') }), visibility),
    element('button', { type: 'submit', className: 'primary', textContent: t('makeGoal') }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = name.querySelector('input');
    if (!input.value.trim()) return verdict.refuse(t('goalMissing'), input);
    const fields = { name: input.value.trim(), color: color.value, visibility: visibility.value };
    input.removeAttribute('aria-invalid');
    // However often it is saved, it is made once; with another name it is another one.
    if (sent !== fields.name) [id, sent] = [newGoalID(), fields.name];
    return act(() => api.setGoal(uid, id, fields), () => {
      if (sent === fields.name) sent = '';
      // What was typed meanwhile is the next one.
      if (input.value.trim() === fields.name) [input.value, color.value] = ['', selects(draft).color.value];
      return t('goalSaved');
    });
  });

  const render = (focused) => {
    const active = document.activeElement;
    const held = list.contains(active) ? active.closest('[data-id]') : null;
    const goals = circle.goals;
    // Where somebody types a name that is not saved yet, or is about to, that line stays as it is.
    const isSaved = ({ id: goal, name: called }) => goal === focused && [called, ''].includes(active.value.trim());
    const typed = held && active.matches('input') && !goals.some((goal) => goal.id === held.dataset.id && isSaved(goal)) ? held : null;
    none.hidden = goals.length > 0;
    arrange(list, goals.map((goal) => (goal.id === typed?.dataset.id ? typed : line(goal))));
    if (!held || list.contains(document.activeElement)) return;
    const lineOf = (goal) => list.querySelector(`[data-id="${goal}"]`);
    const place = [...held.querySelectorAll('select')].indexOf(active);
    const same = place < 0 ? lineOf(focused)?.querySelector('input') : lineOf(held.dataset.id)?.querySelectorAll('select')[place];
    (same ?? name.querySelector('input')).focus();
  };
  render();
  openSheet('goals', t('goals'), [element('p', { className: 'note', textContent: t('goalNote') }), form, verdict.error, verdict.done, none, list],
    document.getElementById('account'));
}
