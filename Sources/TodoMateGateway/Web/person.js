// The live list of a followed user: to read, and to react to.
import { daysBetween, format, formatter } from './dates.js';
import { hueOf } from './hues.js';
import { faceOf, inFull, nameOf } from './names.js';
import { DOTS, element, fillReadRow, makeReadRow, svg } from './row.js';
import { Rows } from './rows.js';
import { harmless, locale, t } from './words.js';

/** A person's sign: the emoji of their choice, or the first letter of their name, in a colour of their own. */
export function avatar(uid) {
  const face = faceOf(uid);
  const letter = [...nameOf(uid).trim()][0].toUpperCase();
  const made = element('span', { className: face ? 'avatar face' : 'avatar', textContent: face || letter });
  made.setAttribute('aria-hidden', 'true');
  made.style.setProperty('--hue', hueOf(uid));
  return made;
}

/** Fills what stands for a person with their sign and name, where it shows another one or none. */
export function showPerson(holder, uid) {
  const called = `${uid} ${hueOf(uid)} ${faceOf(uid)} ${nameOf(uid)}`;
  if (holder.dataset.called === called) return;
  holder.dataset.called = called;
  holder.replaceChildren(avatar(uid), element('span', { textContent: nameOf(uid) }));
}

/** How far a day is from today, in words. */
export function relative(day, today) {
  if (day === today) return t('today');
  return formatter('RelativeTimeFormat', locale(), { numeric: 'auto' }).format(daysBetween(today, day), 'day');
}

export class PersonList extends Rows {
  stop = '.react';

  /** `hooks`: menu(uid, anchor) and step(uid, by). */
  constructor(uid, model, reactions, hooks) {
    super(element('ul', { className: 'list' }));
    Object.assign(this, { uid, model, reactions });
    this.name = element('button', { type: 'button', className: 'name' });
    this.grip = element('button', { type: 'button', className: 'grip', ariaHasPopup: 'dialog' }, svg(DOTS));
    this.eyebrow = element('p', { className: 'eyebrow' });
    this.count = element('p', { className: 'count' });
    this.bar = element('i');
    this.empty = element('p', { className: 'nothing' });
    this.note = element('section', { className: 'day-note' }, element('h3', { id: `note-${uid}` }), element('p', { className: 'said' }));
    this.note.setAttribute('aria-labelledby', `note-${uid}`);
    const title = element('h2', { id: `person-${uid}` }, this.name);
    const bar = element('div', { className: 'bar' }, this.bar);
    bar.setAttribute('aria-hidden', 'true');
    this.panel = element('section', { className: 'panel person' },
      element('div', { className: 'panel-head' }, this.eyebrow, title, this.grip, this.count, bar),
      element('div', { className: 'list-area' }, this.empty, this.list, this.note));
    this.panel.dataset.uid = uid;
    for (const part of [this.panel, this.list]) part.setAttribute('aria-labelledby', title.id);
    this.refuge = this.name;
    this.name.addEventListener('click', () => model.openMonth(uid));
    this.grip.addEventListener('click', () => hooks.menu(uid, this.grip));
    this.list.addEventListener('click', (event) => this.clicked(event));
    this.panel.addEventListener('keydown', (event) => this.pressed(event, hooks));
  }

  render() {
    const { circle, day, today } = this.model;
    const { state } = circle.person(this.uid);
    const store = circle.store(this.uid);
    const todos = store?.day(day) ?? [];
    const isClosed = circle.shares.get(this.uid)?.access === 'none';
    this.draw(todos, day, makeReadRow, (row, todo) => fillReadRow(row, todo, this.reactions));
    const done = todos.filter((todo) => todo.status === 'complete').length;
    const waits = state !== 'following';
    this.eyebrow.textContent = waits ? t('asked') : relative(day, today);
    showPerson(this.name, this.uid);
    this.name.title = t('openMonth', { name: inFull(this.uid) });
    this.name.setAttribute('aria-label', this.name.title);
    this.grip.setAttribute('aria-label', t('menuButton', { content: inFull(this.uid) }));
    this.count.textContent = todos.length ? t('done', { done, count: todos.length }) : '';
    this.bar.style.setProperty('--done', todos.length ? done / todos.length : 0);
    const said = store?.noteOf(day)?.detail ?? '';
    this.note.hidden = !said;
    this.note.querySelector('h3').textContent = t('dayNote');
    if (this.note.lastChild.textContent !== harmless(said)) this.note.lastChild.textContent = harmless(said);
    this.empty.hidden = todos.length > 0 || Boolean(said) || !(isClosed || store?.isLoaded);
    const date = format(day, locale(), { month: 'long', day: 'numeric' });
    this.empty.textContent = waits ? t('askedHint', { name: nameOf(this.uid) }) : isClosed ? t('closedHint', { name: nameOf(this.uid) })
      : day === today ? t('nothingOf') : t('nothingOfOn', { date });
  }

  clicked(event) {
    const button = event.target.closest('button');
    const todo = button && this.model.circle.store(this.uid)?.todo(button.closest('.row').dataset.id);
    if (!todo) return;
    if (button.matches('.chip')) this.reactions.toggle(todo, button.dataset.emoji);
    else this.reactions.open(button, todo);
  }

  pressed(event, hooks) {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const isAlong = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (event.altKey && isAlong) hooks.step(this.uid, by);
    else if (!event.altKey && !isAlong && event.target.closest('.row')) this.walk(by);
    else return;
    event.preventDefault();
  }
}
