// All todos of one user: as the server sent them, and on top what was written here and is not acknowledged yet.
//
// A write only lays itself over the server's todo, so a refusal takes it away and nothing has to be undone; and an event
// that comes before the answer to a later write changes what lies underneath, without a flicker.
import { tagOf } from './api.js';
import { isNote, noteID } from './notes.js';
import { rank } from './order.js';
import { isAfter, isPast } from './versions.js';

const inListOrder = (left, right) =>
  compare(rank(left), rank(right)) || compare(left.position, right.position) || compare(left.createdAt, right.createdAt) || compare(left.id, right.id);
const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
// A write may have become one with others.
const isSame = (write, ops) => write.ops.some((operation) => ops.includes(operation));
// A plain publish may leave these out.
const whole = (todo) =>
  ({ time: '', goal: '', detail: '', status: 'todo', position: 2 ** 53, revision: 0, createdAt: '', visibility: 'followers', ...todo });

export class Store {
  constructor(changed) {
    this.changed = changed;
    this.known = new Map();
    this.writes = new Map();
    this.asOf = undefined;
    this.isLoaded = false;
    // The todos of which an answer has told more than the stream, since that was asked for.
    this.ahead = new Set();
    // What works out the days of routines that are not todos yet, and the ids of todos that were removed since it was told which.
    this.routines = null;
    this.gone = new Set();
    // The ids of those that are to be put in their place among `byDay`, where `placed` stand: null for all.
    this.unplaced = null;
  }

  // Events of the stream

  /** The stream is asked for anew: what is answered from now on may be newer than its snapshot. */
  asked() { this.ahead.clear(); }

  snapshot({ id, todos }) {
    const before = this.known;
    this.known = new Map(todos.map((todo) => [todo.id, whole(todo)]));
    this.gone.clear();
    this.asOf = id;
    this.isLoaded = true;
    const isSeen = (todo) => this.known.has(todo) && before.has(todo) && tagOf(this.known.get(todo)) === tagOf(before.get(todo));
    // A removal that it does not know of yet stays on top.
    const isNewer = (todo) => isAfter(id, before.get(todo) ?? {});
    for (const todo of this.writes.keys()) if (!this.ahead.has(todo) || !(isSeen(todo) || isNewer(todo))) this.forgetDone(todo);
    for (const todo of this.ahead) {
      if (isNewer(todo)) this.known.set(todo, before.get(todo));
      else if (!this.writes.has(todo)) this.ahead.delete(todo);
    }
    this.note();
  }

  change(type, { id, todo }) {
    const known = this.known.get(todo.id);
    // The answer to a write here is newer than an event from before it.
    // (A todo that is only hidden from here goes without its revision.)
    const isOld = id !== undefined && known?.revision > todo.revision;
    if (!isOld) {
      if (type === 'removed') this.leave(todo.id);
      else this.known.set(todo.id, whole(id === undefined ? { ...this.shown(known), ...todo } : todo));
      this.forgetDone(todo.id);
      this.ahead.delete(todo.id);
    }
    if (id !== undefined) this.asOf = id;
    this.note(todo.id);
  }

  /** A todo is gone, and if it was a routine's day, that does not come back. */
  leave(id) {
    this.known.delete(id);
    if (/--\d{8}$/.test(id)) this.gone.add(id);
  }

  // What is published without an id is stored nowhere, unless it is about a todo that is.
  shown(known) { return known && !known.isOnlyShown ? known : { isOnlyShown: true }; }

  // Answers to writes

  /** A write is done, and this became of its todo. */
  settled(write, todo) {
    if (write.kind === 'remove') return this.removalAnswered(write);
    this.drop(write);
    if (write.kind === 'skip') this.gone[write.isBack ? 'delete' : 'add'](write.id);
    if (todo) this.learn(todo);
    return this.note(write.id);
  }

  /** A removal is done, but an event from before it may still come: it stays on top until the stream has delivered it. */
  removalAnswered({ id, ops, isUnmaking }) {
    for (const write of this.writes.get(id) ?? []) write.isDone ||= isSame(write, ops);
    this.ahead.add(id);
    if (!this.known.has(id)) {
      // A routine's day that was made by mistake is there again.
      if (!isUnmaking) this.leave(id);
      this.forgetDone(id);
    }
    this.note(id);
  }

  /** Takes a todo from an answer, unless the stream is past it: it may have delivered a removal since. */
  learn(todo) {
    const known = this.known.get(todo.id);
    if (isPast(this.asOf, todo) || (known && isPast(tagOf(known), todo))) return;
    this.known.set(todo.id, whole(todo));
    this.ahead.add(todo.id);
    // It is there again.
    this.forgetDone(todo.id);
  }

  /** Others take the place of some writes of a todo: of what was refused, say, what is left. */
  replace(id, some, writes, current) {
    const isOne = (write) => some.some(({ ops }) => isSame(write, ops));
    const all = this.writes.get(id) ?? [];
    // Where they were: what comes before them goes on doing so.
    const place = all.findIndex(isOne);
    const others = all.filter((write) => !isOne(write));
    others.splice(place < 0 ? others.length : place, 0, ...writes);
    if (others.length) this.writes.set(id, others);
    else this.writes.delete(id);
    if (current) this.learn(current);
    this.note(id);
  }

  // What is written here

  /** Says which state of its todo a write is made on, unless another one before it still waits. */
  tag(write) {
    const known = this.known.get(write.id);
    if (known && !this.writes.get(write.id)?.some((other) => !other.isDone)) write.tag ??= tagOf(known);
  }

  /** `later`: those before which it was written. */
  hold(write, later = []) {
    const writes = this.writes.get(write.id) ?? [];
    if (writes.some((other) => isSame(other, write.ops))) return;
    const index = writes.findIndex((other) => later.includes(other));
    this.writes.set(write.id, writes.toSpliced(index < 0 ? writes.length : index, 0, write));
    this.note(write.id);
  }

  get unsaved() { return [...this.writes.values()].flat().filter((write) => !write.isDone); }

  forgetDone(id) { this.writes.get(id)?.filter((write) => write.isDone).forEach((write) => this.drop(write)); }

  drop(write) {
    const writes = (this.writes.get(write.id) ?? []).filter((other) => !isSame(other, write.ops));
    if (writes.length) this.writes.set(write.id, writes);
    else this.writes.delete(write.id);
  }

  // What is shown

  todo(id) {
    let todo = this.known.get(id) ?? this.routines?.todo(id);
    for (const write of this.writes.get(id) ?? []) {
      if (write.kind === 'add') todo ??= whole({ ...write.todo, createdAt: '~' });
      else if (write.kind === 'remove') todo = undefined;
      else if (write.kind === 'skip') todo = this.known.get(id) ?? (write.isBack ? write.before : undefined);
      // What is done with a routine's day makes a todo of it.
      else if (todo ?? write.before?.isUnmade) todo = { ...(todo ?? write.before), ...write.fields, isUnmade: undefined };
      if (todo && write.isWaiting) todo = { ...todo, isWaiting: true };
    }
    return todo;
  }

  /** What is written about a day, if anything is. */
  noteOf(day) { return day && this.todo(noteID(day)); }

  /** What is written about all days, in no order. */
  get notes() { return [...this.known.keys()].filter(isNote).map((id) => this.todo(id)).filter(Boolean); }

  /** The todos by day, each day in list order, without the notes of the days. */
  get days() {
    const ids = this.unplaced ?? [...this.known.keys(), ...this.writes.keys()];
    if (!this.unplaced) Object.assign(this, { byDay: new Map(), placed: new Map() });
    // Until all stand where they belong: whatever goes wrong, they are put there anew.
    this.unplaced = null;
    // Who holds a day's list holds it as it was.
    const changed = new Map();
    const on = (day) => changed.get(day) ?? changed.set(day, [...this.byDay.get(day) ?? []]).get(day);
    for (const id of ids) {
      // A routine's day that is no todo yet comes with the day.
      const todo = !isNote(id) && (this.known.has(id) || this.writes.has(id)) && this.todo(id);
      const before = this.placed.get(id);
      if (before) on(before.date).splice(on(before.date).indexOf(before), 1);
      if (todo) on(todo.date).push(todo);
      this.placed.set(id, todo);
    }
    for (const [day, todos] of changed) {
      if (todos.length) this.byDay.set(day, todos.sort(inListOrder));
      else this.byDay.delete(day);
    }
    this.unplaced = new Set();
    return this.byDay;
  }

  day(date) {
    const todos = this.days.get(date) ?? [];
    const unmade = (this.routines?.on(date) ?? []).filter(({ id }) => !this.known.has(id) && !this.writes.has(id));
    return unmade.length ? [...todos, ...unmade].sort(inListOrder) : todos;
  }

  /** Something has changed: of one todo, or of any. */
  note(id) {
    this.unplaced = id && this.unplaced?.add(id);
    this.changed();
  }
}
