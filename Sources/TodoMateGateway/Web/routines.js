// What I do again and again: the days of routines that are not todos yet, among my todos, and what can be done with them.
import './shared.js';
import './routineWords.js';
import * as api from './api.js';
import { addDays, clock, format, yearOf } from './dates.js';
import { fetched } from './later.js';
import { instance } from './madeDays.js';
import { asDay, asNumber, dayFrom, daysOf, LAST, parsed } from './routineDays.js';
import { current, locale, reason, short, t } from './words.js';

// What was not done by then does not wait for ever.
const SHOWN_BACK = 31;
// So far a search looks for the next day of one: a year.
const AHEAD = 366;

/** The routines of the user whose todos these are; made once. */
export function routinesOf(model, todos) {
  todos.routines ??= new Routines(model, todos);
  todos.routines.changed();
  return todos.routines;
}

class Routines {
  constructor(model, store) {
    Object.assign(this, { model, store, uid: model.uid, circle: model.circle, actions: model.actions });
    model.on('today language', () => { if (model.todos === store) this.changed(); });
  }

  get all() { return this.circle.profile?.routines ?? []; }

  /** Others than before: the days are worked out anew. */
  changed() {
    this.days = new Map();
    this.store.note();
  }

  /** The routine whose day a todo is, if it is one, and that day. */
  of(id) {
    const [, name, day] = id.match(instance) ?? [];
    const routine = name && this.all.find((each) => each.id === name);
    return routine && { routine, day: asDay(day) };
  }

  /** The todos of a day that are not made yet. */
  on(date) {
    if (date < addDays(this.model.today, -SHOWN_BACK)) return [];
    if (!this.days.has(date)) {
      const number = asNumber(date);
      this.days.set(date, this.all
        .filter(({ rule, from, made = [] }) => !made.includes(number) && daysOf(rule, from, date, date).length)
        .map((routine) => this.unmade(routine, date, number)));
    }
    return this.days.get(date).filter(({ id }) => !this.store.gone.has(id));
  }

  /** The next day of each, from today on, that is not made yet; none of what comes in a year only. */
  get next() {
    const last = addDays(this.model.today, AHEAD);
    return this.all.flatMap((routine) => {
      const day = this.nextOf(routine, last);
      return day ? [this.unmade(routine, day, asNumber(day))] : [];
    });
  }

  /** The next day of a routine, from today on, that is not made yet. */
  nextOf({ id, rule, from, made = [] }, last = LAST) {
    const { store } = this;
    // What is done here is among the todos before the routine knows of it.
    const isLeft = (day) => {
      const [number, todo] = [asNumber(day), `${id}--${asNumber(day)}`];
      return !made.includes(number) && !store.gone.has(todo) && !store.known.has(todo) && !store.writes.has(todo);
    };
    let day = dayFrom(rule, from, this.model.today);
    while (day && day < last && !isLeft(day)) day = dayFrom(rule, from, addDays(day, 1));
    return day && day <= last && isLeft(day) ? day : undefined;
  }

  unmade({ id, content, rule, from, position, time = '', goal = '', visibility }, date, number) {
    return {
      id: `${id}--${number}`, uid: this.uid, date, content, time, goal, position, visibility: visibility ?? this.usual(goal), detail: '', status: 'todo',
      revision: 0, createdAt: '', isUnmade: true, repeats: said(rule, from),
    };
  }

  /** What new todos of a goal, or of none, are. */
  usual(goal) {
    const { profile } = this.circle;
    return profile?.goals?.find((each) => each.id === goal)?.visibility ?? profile?.visibility;
  }

  /** The todo with this id, if it is a day that is not made yet. */
  todo(id) {
    const found = this.of(id);
    return found && this.on(found.day).find((todo) => todo.id === id);
  }

  /** What a todo's menu has besides. */
  items(todo, item) {
    const found = this.of(todo.id);
    if (!found) return [item('repeat', () => this.repeat(todo))];
    return [item('changeFromHere', () => this.openSheet(found)), item('endRoutine', () => this.end(found), 'danger')];
  }

  /** The form; nothing where somebody else's board has opened meanwhile. */
  async sheet() {
    const module = await fetched(() => import('./routineSheet.js'), this.model);
    return this.model.todos === this.store ? module : null;
  }

  async openSheet({ routine, day }) {
    const module = await this.sheet();
    // However often it is saved, it is made once.
    const id = newID();
    module?.openRoutine({
      title: t('routineFrom', { day: format(day, locale(), { weekday: 'long', month: 'long', day: 'numeric' }) }),
      note: t('routineNote'), submit: t('routineSave'), routine, day, circle: this.circle,
      save: (fields, refuse) => this.change(routine, day, { ...fields, id }, refuse),
    });
  }

  /** Asks how often a todo is to be done again; it stays, as the first of them. */
  async repeat({ content, date, time, goal, visibility }) {
    const module = await this.sheet();
    const seen = visibility === this.usual(goal) ? {} : { visibility };
    const id = newID();
    module?.openRoutine({
      title: t('repeatTitle'), note: t('repeatNote'), submit: t('repeatSave'), routine: { content, time, goal, ...seen }, day: date,
      circle: this.circle,
      save: (fields, refuse) => this.add({ ...(goal && { goal }), ...seen, ...fields, from: date, made: [asNumber(date)] }, id, refuse),
    });
  }

  // What is done

  /**
   * Asks for something; answers as `Toasts.ask` does, true once it is done. The stream says so as well, but later. `refuse(words)` says
   * why it is not, and answers whether that shows.
   */
  async ask(request, refuse = () => false) {
    try {
      const { routines } = await request();
      // What they did is nothing to whoever has come after them.
      if (this.circle.isOver) return null;
      this.take(routines);
      return true;
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (this.circle.isOver) return null;
      const why = error.status ? reason(error, { full: 'tooManyRoutines' }) : t('routinesNeedServer');
      const words = t('refused', { reason: why });
      if (!refuse(words)) this.actions.toasts.alert(words);
      return error.isPassing ? null : false;
    }
  }

  /** Takes the routines as the server has them. */
  take(routines) {
    if (this.circle.isOver || !this.circle.profile) return;
    this.circle.settings({ settings: { ...this.circle.profile, routines } });
  }

  skip(todo) {
    const { writer, undo } = this.actions;
    const write = (isBack) => {
      const now = this.store.todo(todo.id);
      // It was finished elsewhere since.
      if (!isBack && now && !now.isUnmade) return this.actions.isTheirs(todo.content);
      writer.write({ kind: 'skip', id: todo.id, before: todo, isBack });
      return () => write(!isBack);
    };
    const back = write(false);
    if (back) undo.did(t('skipped', { content: short(todo.content), day: dayName(todo.date) }), back);
  }

  /** Adds a routine; answers whether it was done. */
  add(...what) { return this.actions.undo.awaits(this.tryAdd(...what)); }

  async tryAdd(fields, id = newID(), refuse = undefined) {
    if (!await this.ask(() => api.setRoutines(this.uid, [{ ...fields, id }]), refuse)) return false;
    const rule = [said(fields.rule, fields.from), this.start(fields)].filter(Boolean).join(', ');
    const words = t('routineAdded', { content: short(fields.content), rule });
    this.actions.undo.did(words, () => this.ask(() => api.setRoutines(this.uid, [{ id, ended: true, seen: fields.rule }])));
    return true;
  }

  // At what time, and where nothing of it is to be seen today, from when on.
  start({ rule, from, time, made }) {
    const { today } = this.model;
    const day = !made && dayFrom(rule, from, from);
    return [clock(time, locale()), day && day !== today && t('firstOn', { day: dayName(day, yearOf(day)) })].filter(Boolean).join(', ');
  }

  /** Ends a routine before a day. */
  end(todo) { return this.actions.undo.awaits(this.tryEnd(todo)); }

  async tryEnd({ routine, day }) {
    const isDone = await this.ask(() => api.splitRoutine(this.uid, routine, day));
    const words = t('routineEnded', { content: short(routine.content), day: dayName(day) });
    const [left] = this.as([routine]);
    if (isDone) this.actions.undo.did(words, () => this.restore([{ ...routine, seen: left?.rule }]));
  }

  /** Changes a routine from a day on. */
  change(...what) { return this.actions.undo.awaits(this.tryChange(...what)); }

  async tryChange(routine, day, fields, refuse) {
    const isDone = await this.ask(() => this.split(routine, day, fields), refuse);
    const words = t('routineChanged', { content: short(fields.content), day: dayName(day) });
    const [left, other] = this.as([routine, fields]);
    // What was done of the other one meanwhile stays done.
    const ended = { id: fields.id, ended: true, into: routine.id, seen: other?.rule };
    if (isDone) this.actions.undo.did(words, () => this.restore([{ ...routine, seen: left?.rule, made: [] }, ended]));
    return isDone;
  }

  // Where the answer was lost it was done: what was typed since is changed.
  async split(routine, day, fields) {
    try {
      return await api.splitRoutine(this.uid, routine, day, fields);
    } catch (error) {
      if (error.kind !== 'exists') throw error;
      return api.setRoutines(this.uid, [fields]).catch((again) => { throw again.isPassing ? again : error; });
    }
  }

  /** Routines as they are now; nothing for those that are gone. */
  as(routines) { return routines.map(({ id }) => this.all.find((each) => each.id === id)); }

  /** Makes routines what they were, unless they are not as they were left any more. */
  restore(routines) {
    const whole = ({ id, content, rule, from, position, time = '', goal = '', visibility = '', made = [], ended, into, seen }) =>
      (ended ? { id, ended, into, seen }
        : { id, content, rule, from, position, time, goal: this.actions.usableGoal({ goal }), visibility, made, seen });
    return this.ask(() => api.setRoutines(this.uid, routines.map(whole)));
  }
}

/**
 * Adds a routine; answers the id of its first day's todo. What is refused goes back to the composer as it was `typed`, and so does what
 * was not answered before a reload; entered once more it is the same, as it may have been done and only the answer lost.
 */
export function addRoutine(model, fields, typed) {
  const { circle, actions: { drafts } } = model;
  const asked = () => drafts.get('routines') ?? [];
  const words = JSON.stringify(fields);
  const id = asked().find((other) => other.words === words && !other.line)?.id ?? newID();
  const others = () => asked().filter((other) => other.id !== id);
  drafts.set('routines', [...others(), { words, id, ...typed }]);
  routinesOf(model, model.todos).add(fields, id).then((isDone) => {
    drafts.set('routines', isDone ? others() : [...others(), { words, id }]);
    if (!isDone && !circle.isOver) model.emit('givenBack', { content: fields.content }, typed);
  });
  return `${id}--${asNumber(fields.from)}`;
}

const newID = () => `r${crypto.getRandomValues(new Uint32Array(4)).reduce((text, part) => text + part.toString(36), '')}`;
export const dayName = (date, year = undefined) => format(date, locale(), { weekday: 'short', year, month: 'short', day: 'numeric' });
/** The name of a weekday, 0 for Monday. */
const weekdayName = (day, isOne) => format(`2026-11-${23 + day}`, locale(), { weekday: current() === 'ko' && !isOne ? 'short' : 'long' });

/** A rule in words, which `ruleIn` reads. `from` says which day is meant where the rule does not, `year` how that of its end is said. */
export function said(text, from, year = yearOf) {
  const rule = parsed(text);
  if (!rule) return text;
  const { frequency, interval, weekdays, monthDay, until, count } = rule;
  const days = weekdays?.join('');
  const on = weekdays ? weekdays.map((day) => weekdayName(day, weekdays.length === 1)).join(', ') : '';
  const ofMonth = monthDay ?? (frequency === 'MONTHLY' && from ? Number(from.slice(8)) : undefined);
  const named = interval === 1 && { '01234': t('everyWeekday'), '56': t('everyWeekend') }[days];
  const every = named || t(`every_${frequency}`, { interval, on, day: ofMonth });
  return [every, until && t('untilDay', { day: dayName(until, year(until)) }), count && t('soOften', { count })].filter(Boolean).join(', ');
}
