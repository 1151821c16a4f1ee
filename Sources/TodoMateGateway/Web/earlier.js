// What was left unfinished on days before, above today's list: to be finished, or moved to today.
import { arrange } from './rows.js';
import { relative } from './person.js';
import { element, statusIcon } from './row.js';
import { clock } from './dates.js';
import { current, harmless, locale, t } from './words.js';

const SHOWN = 20;
const byID = (id) => document.getElementById(id);

export class Earlier {
  constructor(model) {
    Object.assign(this, { model, isWhole: false });
    this.list = byID('earlier').querySelector('ul');
    byID('earlier-all').addEventListener('click', () => this.moveAll());
    byID('earlier-more').addEventListener('click', () => {
      this.isWhole = true;
      this.render();
      this.list.children[SHOWN]?.querySelector('button').focus();
    });
    this.list.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      const todo = button && model.todos.todo(button.closest('li').dataset.id);
      // The second click of two is meant for the todo that was there before.
      if (!todo || event.detail > 1) return;
      if (button.matches('.status')) model.actions.finish(todo);
      else if (button.matches('.words')) model.openDay(todo.date, model.uid);
      else model.actions.move(todo, model.today);
    });
  }

  /** The latest days first. */
  get todos() {
    const { days } = this.model.todos;
    const before = [...days.keys()].filter((day) => day < this.model.today).sort().reverse();
    return before.flatMap((day) => days.get(day).filter(({ status, isOnlyShown }) => !isOnlyShown && (status === 'todo' || status === 'inProgress')));
  }

  render() {
    const { day, today } = this.model;
    const section = byID('earlier');
    const hadFocus = this.list.contains(document.activeElement) && document.activeElement;
    // Those stay for the way back to today.
    if (day !== today) {
      section.hidden = true;
      return hadFocus && byID('day-title').focus();
    }
    const { todos } = this;
    section.hidden = !todos.length;
    byID('earlier-title').textContent = t('earlier', { count: todos.length });
    byID('earlier-more').hidden = this.isWhole || todos.length <= SHOWN;
    // Those that say the same stay as they are, and keep the focus.
    const stand = new Map([...this.list.children].map((row) => [row.looks, row]));
    arrange(this.list, todos.slice(0, this.isWhole ? undefined : SHOWN).map((todo) => {
      const looks = JSON.stringify([current(), today, todo.id, todo.date, todo.time, todo.status, todo.content]);
      return stand.get(looks) ?? Object.assign(line(todo, today), { looks });
    }));
    return hadFocus && !hadFocus.isConnected && (this.list.querySelector('button.move') ?? byID('day-title')).focus();
  }

  // The oldest day first, and those of a day in their order.
  moveAll() {
    const { actions, today } = this.model;
    const todos = this.todos.sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
    actions.undo.together(t('movedAll', { count: todos.length }), () => { for (const todo of todos) actions.move(todo, today); });
    byID('day-title').focus();
  }

  clear() { this.isWhole = false; }
}

function line(todo, today) {
  const words = element('button', { type: 'button', className: 'words' },
    element('span', { className: 'content', textContent: harmless(todo.content) }),
    element('span', { className: 'note', textContent: [relative(todo.date, today), clock(todo.time, locale())].filter(Boolean).join(' · ') }));
  const made = element('li', { className: 'left' },
    element('button', { type: 'button', className: 'status' }, statusIcon()), words,
    element('button', { type: 'button', className: 'quiet move', textContent: t('toToday') }));
  Object.assign(made.dataset, { id: todo.id, status: todo.status });
  made.querySelector('.status').setAttribute('aria-label', t('statusButton', { content: todo.content, status: t(todo.status) }));
  made.querySelector('.move').setAttribute('aria-label', t('moveToToday', { content: todo.content }));
  return made;
}
