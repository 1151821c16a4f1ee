// The month: six weeks of days, each with its first todos; a grid to walk through by arrows (WAI-ARIA grid pattern).
import { addDays, addMonths, clock, format, weekday, weeksOf } from './dates.js';
import { nameOf } from './names.js';
import { element } from './row.js';
import { current, firstWeekday, harmless, locale, t } from './words.js';

const SHOWN = 3;
const byID = (id) => document.getElementById(id);

export class Calendar {
  constructor(model) {
    this.model = model;
    this.grid = byID('grid');
    const row = (name) => {
      const made = element('div', { className: name, role: 'row' });
      this.grid.append(made);
      return made;
    };
    const names = row('weekdays');
    this.names = Array.from({ length: 7 }, () => {
      const name = element('div', { role: 'columnheader' });
      names.append(name);
      return name;
    });
    this.cells = Array.from({ length: 6 }, () => row('week')).flatMap((week) => Array.from({ length: 7 }, () => {
      const cell = element('div', { className: 'cell', role: 'gridcell', tabIndex: -1 },
        element('span', { className: 'number' }), element('span', { className: 'more' }), element('span', { className: 'lines' }));
      week.append(cell);
      return cell;
    }));
    this.grid.addEventListener('click', (event) => this.pick(event.target.closest('.cell')));
    this.grid.addEventListener('keydown', (event) => this.pressed(event));
    byID('month-before').addEventListener('click', () => this.turn(-1));
    byID('month-after').addEventListener('click', () => this.turn(1));
    byID('my-month').addEventListener('click', () => model.openMonth(model.uid));
    byID('this-month').addEventListener('click', () => model.setCursor(model.today));
  }

  render() {
    const { day, today, cursor, owner, circle } = this.model;
    const store = owner ? circle.store(owner) : this.model.todos;
    byID('my-month').hidden = !owner;
    this.grid.classList.toggle('theirs', Boolean(owner));
    const first = firstWeekday();
    const days = weeksOf(cursor, first);
    const month = format(cursor, locale(), { month: owner ? 'short' : 'long', year: 'numeric' });
    byID('month-title').textContent = owner ? t('monthOf', { name: nameOf(owner), month }) : month;
    byID('this-month').hidden = cursor.slice(0, 7) === today.slice(0, 7);
    const named = `${locale()} ${first}`;
    if (this.named !== named) this.name(days);
    this.named = named;
    // What others' todos are for is for them alone to know.
    const color = (todo) => (!owner && circle?.goal(todo)?.color) || '';
    this.cells.forEach((cell, index) => this.fill(cell, days[index], store?.day(days[index]) ?? [], color));
    // Once the focus has moved on, and only where it changes: Chromium lays the page out for the day that has it.
    setTimeout(() => this.markStop());
  }

  name(days) {
    this.names.forEach((name, index) => {
      name.textContent = format(days[index], locale(), { weekday: 'short' });
      name.setAttribute('aria-label', format(days[index], locale(), { weekday: 'long' }));
    });
  }

  // One day is on the Tab key's way.
  markStop() {
    for (const cell of this.cells) {
      const stop = cell.dataset.day === this.model.cursor ? 0 : -1;
      if (cell.tabIndex !== stop) cell.tabIndex = stop;
    }
  }

  fill(cell, day, todos, color) {
    const { day: selected, today, cursor } = this.model;
    const shown = todos.slice(0, SHOWN);
    // Most days stay as they are, whatever has changed.
    const isOutside = day.slice(0, 7) !== cursor.slice(0, 7);
    const looks = JSON.stringify([
      current(), day, isOutside, day === selected, day === today, todos.length,
      shown.map((todo) => [todo.status, todo.time, todo.content, color(todo)])]);
    if (cell.looks === looks) return;
    cell.looks = looks;
    const [number, more, lines] = cell.children;
    if (cell.dataset.day !== day) {
      cell.dataset.day = day;
      cell.classList.toggle('weekend', [0, 6].includes(weekday(day)));
      cell.classList.toggle('sunday', weekday(day) === 0);
      number.textContent = Number(day.slice(8));
    }
    cell.classList.toggle('outside', isOutside);
    cell.setAttribute('aria-selected', String(day === selected));
    if (day === today) cell.setAttribute('aria-current', 'date');
    else cell.removeAttribute('aria-current');
    const words = format(day, locale(), { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
    cell.setAttribute('aria-label', t('cell', { day: words, count: todos.length }));
    more.textContent = todos.length > SHOWN ? `+${todos.length - SHOWN}` : '';
    while (lines.children.length > shown.length) lines.lastElementChild.remove();
    shown.forEach((todo, index) => {
      const line = lines.children[index] ?? lines.appendChild(element('span'));
      line.dataset.status = todo.status;
      line.dataset.color = color(todo);
      const words = harmless([clock(todo.time, locale()), todo.content].filter(Boolean).join(' '));
      if (line.textContent !== words) line.textContent = words;
    });
  }

  turn(by) { this.model.setCursor(addMonths(this.model.cursor, by)); }

  pick(cell) {
    if (!cell) return;
    this.open(cell.dataset.day);
    // What was clicked is in sight, unless another month has come: to scroll to it would only lay the page out again.
    this.focus({ preventScroll: cell.dataset.day === this.model.cursor });
    // Alone on a phone the list stands above the month, maybe out of sight.
    if (!this.model.isSocial) byID('day-title').parentElement.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  open(day) { this.model.openDay(day, this.model.owner ?? this.model.uid); }

  reveal() { byID('month-title').scrollIntoView({ block: 'nearest' }); }

  focus(how) { this.cells.find((cell) => cell.dataset.day === this.model.cursor)?.focus(how); }

  pressed(event) {
    const { cursor } = this.model;
    const column = (weekday(cursor) - firstWeekday() + 7) % 7;
    const steps = {
      ArrowLeft: () => addDays(cursor, -1), ArrowRight: () => addDays(cursor, 1),
      ArrowUp: () => addDays(cursor, -7), ArrowDown: () => addDays(cursor, 7),
      Home: () => addDays(cursor, -column), End: () => addDays(cursor, 6 - column),
      PageUp: () => addMonths(cursor, event.shiftKey ? -12 : -1),
      PageDown: () => addMonths(cursor, event.shiftKey ? 12 : 1),
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.open(cursor);
    else if (steps[event.key]) this.model.setCursor(steps[event.key]());
    else return;
    event.preventDefault();
    this.focus();
  }
}
