// The list of one day's todos: drawn by id, so that focus, fields and motion survive each change.
import { daysBetween, format } from './dates.js';
import { Drag } from './drag.js';
import { openMenu } from './menu.js';
import { editRow, fillRow, makeRow } from './row.js';
import { locale, t } from './words.js';

const byID = (id) => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class TodayList {
  /** `board`: actions, store, day, today, and show(day). */
  constructor(board) {
    this.board = board;
    this.list = byID('list');
    this.rows = new Map();
    this.drag = new Drag(this.list, {
      toIndex: (id, index) => this.act(id, (todo) => board.actions.reorder(todo, index)),
      toDay: (id, day) => this.act(id, (todo) => board.actions.move(todo, day)),
    });
    this.list.addEventListener('click', (event) => this.clicked(event));
    this.list.addEventListener('dblclick', (event) => this.withTodo(event, (todo) => this.edit(todo)));
    this.list.addEventListener('keydown', (event) => this.pressed(event));
    this.list.addEventListener('focusin', (event) => this.setCurrent(event.target.closest('.row')));
    byID('composer').addEventListener('submit', (event) => {
      event.preventDefault();
      this.added();
    });
    byID('to-today').addEventListener('click', () => {
      board.show(null);
      byID('day-title').focus();
    });
  }

  render() {
    const { store, day, today } = this.board;
    const todos = store.day(day);
    const focused = document.activeElement;
    const before = this.day === day ? this.places() : null;
    const ids = new Set(todos.map((todo) => todo.id));
    for (const [id, row] of this.rows) if (!ids.has(id)) this.leave(id, row);
    todos.forEach((todo, index) => {
      const row = this.rows.get(todo.id) ?? makeRow(todo.id);
      this.rows.set(todo.id, row);
      fillRow(row, todo);
      if (this.list.children[index] !== row) this.list.insertBefore(row, this.list.children[index] ?? null);
    });
    // A row that is put elsewhere loses the focus; it is the same row, so it gets it back.
    if (focused !== document.activeElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    this.setCurrent(this.current?.isConnected ? this.current : this.list.firstElementChild);
    if (before) this.glide(before);
    this.day = day;
    this.head(todos, day, today);
  }

  head(todos, day, today) {
    const isToday = day === today;
    const distance = daysBetween(today, day);
    const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(distance, 'day');
    byID('day-eyebrow').textContent = isToday ? t('today') : relative;
    byID('day-title').textContent = format(day, locale(), { weekday: 'long', month: 'long', day: 'numeric' });
    byID('to-today').hidden = isToday;
    const done = todos.filter((todo) => todo.status === 'complete').length;
    byID('count').textContent = todos.length ? t('done', { done, count: todos.length }) : '';
    byID('bar').style.setProperty('--done', todos.length ? done / todos.length : 0);
    byID('empty').hidden = todos.length > 0 || !this.board.store.isLoaded;
    byID('empty').textContent = t(isToday ? 'nothingToday' : 'nothingThatDay');
  }

  // The others close the gap, and who walks by keyboard goes on from where it was.
  leave(id, row) {
    if (this.editing?.id === id) this.editing.save();
    const hadFocus = row.contains(document.activeElement);
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    this.rows.delete(id);
    if (this.current === row) this.current = next;
    if (hadFocus) (next?.querySelector('.words') ?? byID('new')).focus();
  }

  /** Empties the list; an edit under way is saved. */
  clear() {
    this.editing?.save();
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.editing = this.current = null;
  }

  places() { return new Map([...this.rows].map(([id, row]) => [id, row.offsetTop])); }

  glide(before) {
    if (calm.matches) return;
    for (const [id, row] of this.rows) {
      const from = before.get(id);
      const by = from === undefined ? 0 : from - row.offsetTop;
      if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
      else if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 });
    }
  }

  // One row at a time is on the Tab key's way; arrows walk through the rest.
  setCurrent(row) {
    if (!row) return;
    this.current = row;
    for (const other of this.rows.values()) {
      for (const button of other.querySelectorAll('button')) button.tabIndex = other === row ? 0 : -1;
    }
  }

  added() {
    const field = byID('new');
    if (!field.value.trim()) return;
    const id = this.board.actions.add(field.value, this.board.day);
    field.value = '';
    this.board.draw();
    this.rows.get(id)?.scrollIntoView({ block: 'nearest' });
  }

  edit(todo) {
    const row = this.rows.get(todo.id);
    if (!row || this.editing?.id === todo.id) return;
    const editor = editRow(row, todo, (fields) => {
      this.editing = null;
      if (fields) this.board.actions.edit(todo, fields);
    });
    this.editing = { id: todo.id, save: editor.save };
  }

  menu(todo) { openMenu(this.rows.get(todo.id).querySelector('.grip'), todo, this.board.actions, () => this.edit(todo)); }

  act(id, action) {
    const todo = this.board.store.todo(id);
    if (todo) action(todo);
  }

  withTodo(event, action) {
    const row = event.target.closest('.row');
    if (row && !event.target.closest('.editor')) this.act(row.dataset.id, action);
  }

  clicked(event) {
    const button = event.target.closest('button');
    if (!button || this.drag.swallowsClick()) return;
    this.withTodo(event, (todo) => {
      if (button.matches('.grip')) this.menu(todo);
      else if (button.matches('.status') && event.shiftKey) this.board.actions.setStatus(todo, 'incomplete');
      else if (button.matches('.status')) this.board.actions.nextStatus(todo);
      // Enter on the words arrives as a click without a pointer.
      else if (event.detail === 0 || event.pointerType === 'touch') this.edit(todo);
    });
  }

  pressed(event) {
    const { actions } = this.board;
    const plain = {
      ArrowDown: () => this.walk(1), ArrowUp: () => this.walk(-1), F2: (todo) => this.edit(todo),
      x: (todo) => actions.setStatus(todo, todo.status === 'incomplete' ? 'todo' : 'incomplete'),
      m: (todo) => this.menu(todo), Delete: (todo) => actions.remove(todo),
    };
    if (event.target.matches('.words')) plain[' '] = (todo) => actions.nextStatus(todo);
    const alt = {
      ArrowDown: (todo) => actions.step(todo, 1), ArrowUp: (todo) => actions.step(todo, -1),
      ArrowRight: (todo) => actions.moveBy(todo, 1), ArrowLeft: (todo) => actions.moveBy(todo, -1),
    };
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    const keys = event.altKey ? alt : plain;
    // With a Korean layout the X key gives ㅌ: then it counts where the key lies.
    const isLatin = event.key.charCodeAt(0) < 0x80;
    const action = keys[event.key] ?? (isLatin ? null : keys[event.code.replace('Key', '').toLowerCase()]);
    if (!action || event.target.closest('.editor')) return;
    event.preventDefault();
    this.withTodo(event, action);
  }

  walk(by) {
    const kind = document.activeElement.className;
    const row = by > 0 ? this.current.nextElementSibling : this.current.previousElementSibling;
    row?.querySelector(`.${kind}`)?.focus();
  }
}
