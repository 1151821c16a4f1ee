// What else can be done to one todo: a small panel by its grip, a sheet at the foot of a phone.
import { element, statusIcon } from './row.js';
import { t } from './words.js';

const STATUSES = ['todo', 'inProgress', 'complete', 'incomplete'];

export function openMenu(anchor, todo, actions, edit) {
  const menu = element('dialog', { className: 'menu' });
  menu.setAttribute('aria-label', t('menuButton', { content: todo.content }));
  const act = (action, returnsFocus = true) => () => {
    returnFocus = returnsFocus;
    menu.close();
    action();
  };
  let returnFocus = true;
  const item = (key, action, name = '', returnsFocus = true) => {
    const button = element('button', { type: 'button', className: name, textContent: t(key) });
    button.addEventListener('click', act(action, returnsFocus));
    return button;
  };

  const statuses = element('div', { className: 'statuses' });
  statuses.setAttribute('role', 'group');
  statuses.setAttribute('aria-label', t('status'));
  for (const status of STATUSES) {
    const button = item(status, () => actions.setStatus(todo, status));
    button.dataset.status = status;
    button.prepend(statusIcon());
    button.setAttribute('aria-pressed', String(todo.status === status));
    statuses.append(button);
  }

  const date = element('input', { type: 'date', value: todo.date, min: '1900-01-01', max: '2999-12-31' });
  const move = () => { if (date.value && date.value !== todo.date) act(() => actions.move(todo, date.value))(); };
  // Typing a year passes through other years: only what is finished moves the todo.
  date.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); move(); } });
  const go = element('button', { type: 'button', className: 'go', textContent: '→' });
  go.setAttribute('aria-label', t('moveTo'));
  go.addEventListener('click', move);

  menu.append(
    statuses,
    element('div', { className: 'pair' },
      item('moveUp', () => actions.step(todo, -1)), item('moveDown', () => actions.step(todo, 1))),
    element('div', { className: 'pair' },
      item('dayBefore', () => actions.moveBy(todo, -1)), item('dayAfter', () => actions.moveBy(todo, 1))),
    element('div', { className: 'move' },
      element('label', {}, element('span', { textContent: t('moveTo') }), date), go),
    item('edit', edit, '', false),
    item('remove', () => actions.remove(todo), 'danger'));

  menu.addEventListener('keydown', (event) => walk(menu, event));
  menu.addEventListener('click', (event) => { if (event.target === menu) menu.close(); });
  menu.addEventListener('close', () => {
    menu.remove();
    if (returnFocus && anchor.isConnected) anchor.focus();
  });
  document.body.append(menu);
  menu.showModal();
  place(menu, anchor);
}

function walk(menu, event) {
  event.stopPropagation();
  if (event.target.matches('input') || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
  const stops = [...menu.querySelectorAll('button, input')];
  const index = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  event.preventDefault();
  stops.at(index % stops.length).focus();
}

function place(menu, anchor) {
  const at = anchor.getBoundingClientRect();
  const top = Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8);
  const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
  menu.style.setProperty('--top', `${Math.max(8, top)}px`);
  menu.style.setProperty('--left', `${Math.max(8, left)}px`);
}
