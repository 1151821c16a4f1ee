// What else can be done to one of my todos.
import { AUDIENCES } from './audiences.js';
import { openPopup } from './popup.js';
import { element, statusIcon } from './row.js';
import { harmless, t } from './words.js';

const STATUSES = ['todo', 'inProgress', 'complete', 'incomplete'];

export function openMenu(anchor, todo, model, reactions, edit) {
  const { actions, circle } = model;
  openPopup(anchor, t('menuButton', { content: todo.content }), (item, close) => {
    const choices = (name, label, values, value, words, choose) => {
      const group = element('div', { className: name });
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', label);
      group.append(...values.map((key) => {
        const button = item(words + key, () => choose(key));
        button.dataset[name === 'statuses' ? 'status' : 'visibility'] = key;
        button.setAttribute('aria-pressed', String(value === key));
        return button;
      }));
      return group;
    };
    const statuses = choices('statuses', t('status'), STATUSES, todo.status, '', (status) => actions.setStatus(todo, status));
    for (const button of statuses.children) button.prepend(statusIcon());

    const date = element('input', { type: 'date', value: todo.date, min: '1900-01-01', max: '2999-12-31' });
    const move = () => {
      if (!date.value || date.value === todo.date) return;
      close();
      actions.move(todo, date.value);
    };
    // Typing a year passes through other years: only what is finished moves the todo.
    date.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); move(); } });
    const go = element('button', { type: 'button', className: 'go', textContent: '→' });
    go.setAttribute('aria-label', t('moveTo'));
    go.addEventListener('click', move);

    // Those that are put away are offered where they are chosen already.
    const goals = (circle?.goals ?? []).filter(({ id, archived }) => !archived || id === todo.goal);
    const goal = element('select', {}, element('option', { value: '', textContent: t('noGoal') }),
      ...goals.map(({ id, name }) => element('option', { value: id, textContent: harmless(name) })));
    goal.value = goals.some(({ id }) => id === todo.goal) ? todo.goal : '';
    goal.addEventListener('change', () => {
      close();
      actions.patch(todo, { goal: goal.value });
    });
    const purpose = goals.length ? [element('div', { className: 'move' },
      element('label', {}, element('span', { textContent: t('goal') }), goal))] : [];

    // A private audience leaves nothing to choose.
    const shared = circle.isShared ? [
      element('p', { className: 'legend', textContent: t('visibility') }),
      choices('visibilities', t('visibility'), AUDIENCES, todo.visibility ?? circle.profile?.visibility,
        'visibility_', (visibility) => actions.patch(todo, { visibility })),
      item('react', () => reactions.open(anchor, todo), '', false),
    ] : [];
    return [
      statuses,
      element('div', { className: 'pair' },
        item('moveUp', () => actions.step(todo, -1)), item('moveDown', () => actions.step(todo, 1))),
      element('div', { className: 'pair' },
        item('dayBefore', () => actions.moveBy(todo, -1)), item('dayAfter', () => actions.moveBy(todo, 1))),
      element('div', { className: 'move' },
        element('label', {}, element('span', { textContent: t('moveTo') }), date), go),
      ...purpose,
      ...shared,
      item('edit', edit, '', false),
      ...(model.todos.routines?.items(todo, item) ?? [item('repeat', () => model.emit('repeated', todo))]),
      ...(todo.isUnmade ? [] : [item('history', () => model.emit('past', todo.id))]),
      item(todo.isUnmade ? 'skipDay' : 'remove', () => actions.remove(todo), 'danger'),
    ];
  });
}
