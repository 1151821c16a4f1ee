// My list: one day's todos, to be written, changed and moved.
import { addDays, format } from './dates.js';
import { Greeting } from './greeting.js';
import { inGroups, isGrouped, setGrouped } from './groups.js';
import { onHold } from './hold.js';
import { show } from './inSight.js';
import { openMenu } from './menu.js';
import { relative } from './person.js';
import { editRow, fillRow, headRow, makeRow } from './row.js';
import { Rows } from './rows.js';
import { streakOf } from './weekDays.js';
import { locale, t } from './words.js';

const byID = (id) => document.getElementById(id);

export class TodayList extends Rows {
  stop = '.words';
  refuge = byID('new');

  constructor(model, reactions) {
    super(byID('list'));
    Object.assign(this, { model, reactions, greeting: new Greeting(model, () => this.render()) });
    this.list.addEventListener('click', (event) => this.clicked(event));
    onHold(this.list, '.status', (button) => this.act(button.closest('.row').dataset.id, (todo) => model.actions.toggle(todo, 'inProgress')));
    this.list.addEventListener('dblclick', (event) => {
      // Where a click does something by itself, two clicks do it twice.
      if (!event.target.closest('a, .chip, .status, .grip')) this.withTodo(event, (todo) => this.edit(todo));
    });
    this.list.addEventListener('keydown', (event) => this.pressed(event));
    byID('by-goal').addEventListener('click', () => {
      setGrouped(!isGrouped());
      this.render();
    });
    for (const [id, by] of [['day-before', -1], ['day-after', 1]]) byID(id).addEventListener('click', () => model.openDay(addDays(model.day, by)));
    byID('to-today').addEventListener('click', () => {
      model.openDay(model.today);
      byID('day-title').focus();
    });
  }

  /** From now on rows can be dragged. */
  learnToDrag(Drag) {
    this.drag ??= new Drag(this.list, {
      toIndex: (id, index) => this.act(id, (todo) => this.model.actions.reorder(todo, index)),
      toDay: (id, day) => this.act(id, (todo) => this.model.actions.move(todo, day)),
    });
  }

  render() {
    const { todos: store, actions, circle, day, today, isSocial } = this.model;
    const todos = inGroups(store.day(day), circle);
    const goals = todos.map((todo) => circle?.goal(todo));
    const isByGoal = isGrouped() && goals.some(Boolean);
    byID('by-goal').hidden = !circle?.goals.length;
    byID('by-goal').setAttribute('aria-pressed', isGrouped());
    this.draw(todos, day, makeRow, (row, todo, index) => {
      const goal = goals[index];
      fillRow(row, todo, this.reactions, circle?.isShared, isByGoal ? undefined : goal);
      const isFirst = isByGoal && (index === 0 || goal !== goals[index - 1]);
      headRow(row, isFirst && (goal ?? { name: t('noGoal') }));
    });
    const isToday = day === today;
    byID('day-eyebrow').textContent = relative(day, today);
    byID('day-title').textContent = format(day, locale(),
      { weekday: isSocial ? 'short' : 'long', month: 'long', day: 'numeric' });
    byID('to-today').hidden = isToday;
    byID('week').hidden = !isToday;
    const streak = isToday ? streakOf(store.days, today) : 0;
    byID('week').lastElementChild.textContent = streak > 1 ? t('inARow', { days: streak }) : '';
    byID('week').setAttribute('aria-label', streak > 1 ? t('myWeekStreak', { days: streak }) : t('myWeek'));
    byID('week').title = byID('week').getAttribute('aria-label');
    const done = todos.filter((todo) => todo.status === 'complete').length;
    byID('count').textContent = todos.length ? t('done', { done, count: todos.length }) : '';
    byID('bar').style.setProperty('--done', todos.length ? done / todos.length : 0);
    this.greeting.render();
    byID('empty').hidden = todos.length > 0 || !store.isLoaded || !byID('greeting').hidden;
    byID('empty').textContent = t(isToday ? 'nothingToday' : 'nothingThatDay');
    if (!store.isLoaded || this.hasResumed) return;
    this.hasResumed = true;
    const draft = actions.drafts.get('edit');
    if (draft) this.resume(draft.todo, draft.fields);
  }

  leave(id, row) {
    if (this.editing?.id === id) this.editing.save();
    super.leave(id, row);
  }

  /** Empties the list; an edit under way is saved. */
  clear() {
    this.editing?.save();
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.editing = this.current = null;
    this.hasResumed = false;
  }

  show(id, isFocused) {
    const row = this.rows.get(id);
    if (row) show(row);
    if (isFocused) row?.querySelector('.words').focus();
  }

  /** Opens the fields of a todo, which hold what it says, or what was `typed` before. */
  edit(todo, typed = todo) {
    const row = this.rows.get(todo.id);
    if (!row || this.editing?.id === todo.id) return;
    const { actions } = this.model;
    // What a reload has interrupted may be interrupted again before anything more is typed.
    if (typed !== todo) actions.drafts.set('edit', { todo, fields: { content: typed.content, detail: typed.detail, time: typed.time } });
    const editor = editRow(row, typed, {
      typing: (fields) => actions.drafts.set('edit', { todo, fields }),
      done: (fields) => {
        this.editing = null;
        actions.drafts.set('edit');
        if (fields) actions.edit(todo, fields);
      },
    });
    this.editing = { id: todo.id, save: editor.save };
  }

  /** Goes on with an edit that was not taken, or that a reload has interrupted. */
  resume(before, words) {
    const { model } = this;
    const now = model.todos.todo(before.id);
    model.actions.drafts.set('edit');
    if (!now) return model.actions.edit(before, { ...before, ...words });
    model.openDay(now.date, model.uid);
    model.flush();
    return this.edit({ ...now, content: before.content, detail: before.detail, time: before.time ?? '', revision: before.revision, micros: before.micros },
      { ...now, ...words });
  }

  menu(todo) { openMenu(this.rows.get(todo.id).querySelector('.grip'), todo, this.model, this.reactions, () => this.edit(todo)); }

  act(id, action) {
    const { todos, actions } = this.model;
    const todo = todos.todo(id);
    if (todo?.isOnlyShown) actions.toasts.show(t('onlyShown'));
    else if (todo) action(todo);
  }

  withTodo(event, action) {
    const row = event.target.closest('.row');
    if (row && !event.target.closest('.editor')) this.act(row.dataset.id, action);
  }

  clicked(event) {
    const button = event.target.closest('button');
    if (!button || this.drag?.swallowsClick()) return;
    this.withTodo(event, (todo) => {
      if (button.matches('.grip')) this.menu(todo);
      else if (button.matches('.chip')) this.reactions.who(button, todo);
      else if (button.matches('.status') && event.shiftKey) this.model.actions.setStatus(todo, 'incomplete');
      else if (button.matches('.status')) this.model.actions.finish(todo);
      // Enter on the words arrives as a click without a pointer.
      else if (event.detail === 0 || event.pointerType === 'touch') this.edit(todo);
    });
  }

  pressed(event) {
    const { actions } = this.model;
    const plain = {
      ArrowDown: () => this.walk(1), ArrowUp: () => this.walk(-1), F2: (todo) => this.edit(todo),
      x: (todo) => actions.toggle(todo, 'incomplete'), i: (todo) => actions.toggle(todo, 'inProgress'),
      m: (todo) => this.menu(todo), Delete: (todo) => actions.remove(todo),
    };
    if (event.target.matches('.words')) plain[' '] = (todo) => actions.finish(todo);
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
    // A key that is held walks and reorders; nothing else is meant for whatever comes under it.
    if (event.repeat && !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    this.withTodo(event, action);
  }
}
