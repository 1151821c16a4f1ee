// What people do to todos: each shows at once, is sent, can be taken back, and says what became of it when that is not plain to see.
import { tagOf } from './api.js';
import { addDays, format, isDay } from './dates.js';
import { afterwards } from './device.js';
import { inGroups, ownGroup } from './groups.js';
import { line, lines } from './lines.js';
import { isNote, titleOf } from './notes.js';
import { atEnd, positionsFor } from './order.js';
import { Parked } from './parked.js';
import { explain, locale, short, t } from './words.js';
import { newID, Writer } from './writer.js';

const FULL = { type: 'too-much-waits' };

export class Actions {
  /**
   * `shelf` promises where writes are kept. `circle` says who sees what is new, and what todos are for; `resume(todo, words)` opens an
   * editor with these words, and `giveBack(todo, typed)` the composer with the line of a todo that was refused.
   */
  constructor(uid, store, { toasts, undo, drafts, journal, shelf, signedOut, isLive, circle, resume, giveBack }) {
    Object.assign(this, { store, toasts, undo, drafts, journal, circle, giveBack });
    this.parked = new Parked(toasts, {
      conflict: [['useMine', (record) => this.insist(record)]],
      refusedAdd: [['addAgain', (record) => this.addAgain(record)]],
      gone: [['addAgain', (record) => this.addAgain(record)]],
      refusedEdit: [['editAgain', ({ before, fields }) => resume(before, fields)]],
      refusedChange: [['tryAgain', (record) => this.insist(record)]],
    }, (key) => this.writer.unpark(key));
    this.writer = new Writer(uid, store, { drafts, journal, shelf }, {
      signedOut, isLive,
      waiting: () => toasts.show(t('laterSaved')),
      // The browser tries for some time only: it is asked anew with each of them.
      kept: () => afterwards().then((part) => part?.sendLater()),
      caughtUp: () => toasts.show(t('sentNow')),
      isTold: (lost, verdict, problem) => verdict === 'refused' && this.isTold(lost, problem),
      parked: (record) => this.parked.put(record),
      unparked: (key) => this.parked.take(key),
      full: (write) => this.noRoom(write),
      unkept: () => toasts.alert(t('notKept')),
    });
  }

  /** Takes up what a page before this one left. */
  restore() { return this.writer.restore(); }

  // What was refused while somebody looks on, and is plain to see or back where it was typed, need not be kept.
  isTold({ id, kind, todo, fields = {}, typed, isTried }, problem) {
    if (kind === 'add' && isNote(id)) return false;
    const added = { ...todo, ...fields };
    // More than a line has no room in the composer.
    if (kind === 'add' ? added.detail || added.status !== 'todo' : isTried || fields.content || fields.detail) return false;
    if (kind === 'add') this.giveBack(added, typed);
    this.toasts.alert(t('refused', { reason: explain(problem) }));
    return true;
  }

  // Words that the device has no room for wait for their writer all the same, at least as long as the page.
  noRoom(write) {
    const { id, kind, todo, before = todo, fields = { detail: todo?.detail } } = write;
    if (!this.isTold(write, FULL)) {
      this.writer.park({ key: newID(), kind: kind === 'add' && !isNote(id) ? 'refusedAdd' : 'refusedEdit', id, before, fields, problem: FULL });
    }
  }

  /** `typed`: the line that it was read from, for the composer; `isTold`: it is not plain to see where it is. */
  add(content, date, rest = {}, { typed, isTold = false } = {}) {
    const id = rest.id ?? newID();
    const fresh = { detail: '', status: 'todo', position: atEnd(this.store.day(date)), visibility: this.circle.profile?.visibility };
    const todo = { ...fresh, ...rest, id, date, content: line(content) };
    if (!todo.content) return id;
    this.writer.write({ kind: 'add', id, todo, typed, isNew: !rest.id });
    const words = isTold ? t('addedTo', { content: short(todo.content), day: dayName(date) }) : t('added', { content: short(content) });
    this.undo.did(words, () => this.takeAway(todo), isTold);
    return id;
  }

  /** `before`: the todo that it is made on, if not this one; `words`: what is done, where its undoing is offered in sight. */
  patch(todo, fields, { before = todo, tag, words } = {}) {
    // It may have changed since the menu or the editor was opened.
    const now = this.store.todo(todo.id) ?? todo;
    const changed = Object.entries(fields).filter(([name, value]) => now[name] !== value);
    if (!changed.length) return;
    // A place is one of its day: on another one, a todo without it is put elsewhere.
    if (fields.date && fields.position === now.position) changed.push(['position', now.position]);
    // A routine's day that was made elsewhere meanwhile is another todo than this one.
    this.writer.write({ kind: 'patch', id: todo.id, before, fields: Object.fromEntries(changed), tag: now.isUnmade ? '0' : tag });
    const were = Object.fromEntries(changed.map(([name]) => [name, now[name]]));
    // A todo that comes to another day gets another place there, asked for or not.
    if ('date' in were) were.position = now.position;
    const back = now.isUnmade ? () => this.unmake(now, fields) : () => this.takeBack(todo.id, were, fields, titleOf(now));
    this.undo.did(words ?? t('changed', { content: short(titleOf(now)) }), back, Boolean(words));
  }

  /** Finishes a todo, or opens it again. */
  finish(todo) { this.setStatus(todo, todo.status === 'complete' ? 'todo' : 'complete'); }

  /** Gives a todo a status, or takes that one away again. */
  toggle(todo, status) { this.setStatus(todo, todo.status === status ? 'todo' : status); }

  setStatus(todo, status) {
    const words = status === 'complete' ? t('finished', { content: short(todo.content) }) : undefined;
    this.patch(todo, { status }, { words });
  }

  /** Saves an edit that began with `before`: a change of the same words elsewhere in between is a conflict. */
  edit(before, fields) {
    const words = { content: line(fields.content) || before.content, detail: lines(fields.detail), time: clockTime(fields.time, before.time) };
    const says = (todo) => Object.entries(words).every(([name, value]) => todo[name] === value);
    if (says(before)) return;
    const now = this.store.todo(before.id);
    if (!now) return this.park('gone', { id: before.id, before, fields: words });
    const isSame = Object.keys(words).every((name) => now[name] === before[name]);
    this.patch(isSame ? now : before, words, { tag: isSame ? undefined : tagOf(before) });
  }

  /** What a todo was for, if it can be so again. */
  usableGoal(todo) { return (this.circle.profile ? this.circle.goal(todo)?.id : todo.goal) ?? ''; }

  /** Puts a todo at a place of its day, as that shows: among those of the same goal, where they stand by goals. */
  reorder(todo, index) {
    const todos = this.shown(todo.date);
    if (index < 0 || index >= todos.length || todos[index].id === todo.id) return;
    const group = ownGroup(todos, todo, this.circle);
    const place = index - todos.indexOf(group[0]);
    if (place < 0 || place >= group.length) return this.toasts.alert(t('orderedByGoal', { content: short(todo.content) }));
    const places = positionsFor(group, todo.id, place);
    if (!places) return this.toasts.alert(t(todo.time ? 'orderedByTime' : 'orderedUntimed', { content: short(todo.content) }));
    return this.undo.together(t('changed', { content: short(todo.content) }), () => {
      for (const { id, position } of places) this.patch(this.store.todo(id), { position });
    }, false);
  }

  shown(day) { return inGroups(this.store.day(day), this.circle); }

  step(todo, by) { this.reorder(todo, this.shown(todo.date).findIndex((other) => other.id === todo.id) + by); }

  moveBy(todo, days) { this.move(todo, addDays(todo.date, days)); }

  move(todo, date) {
    if (!isDay(date) || date === todo.date) return;
    const words = t('moved', { content: short(todo.content), day: dayName(date) });
    this.patch(todo, { date, position: atEnd(this.store.day(date)) }, { words });
  }

  remove(todo) {
    if (todo.isUnmade) return this.store.routines.skip(todo);
    this.writer.write({ kind: 'remove', id: todo.id, before: todo });
    const hasReactions = Object.keys(todo.reactions ?? {}).length > 0;
    return this.undo.did(t(hasReactions ? 'removedReacted' : 'removed', { content: short(titleOf(todo)) }), () => this.putBack(todo));
  }

  /**
   * Makes a todo what it was: `past`. `seen`: what it was on the server when that was looked up; nothing for one that was gone.
   * Answers `false` where it has gone or come again since.
   */
  bringBack(past, seen, words) {
    const { id, content, detail, status, date, time = '', visibility } = past;
    const now = this.store.todo(id);
    if (Boolean(now) !== Boolean(seen)) return false;
    if (now) {
      // What somebody else has made of it since is not overwritten, but asked about.
      const goal = this.usableGoal(past);
      this.patch(now, { content, detail, status, date, time, goal, visibility }, { before: seen, tag: tagOf(seen), words });
    } else {
      this.undo.did(words, this.putBack(past));
    }
    return true;
  }

  // Taking back: each answers what does it again, or false.

  takeBack(id, were, wrote, title) {
    const now = this.store.todo(id);
    // What somebody else has changed since is theirs.
    const isMine = (name) => now?.[name] === wrote[name];
    const fields = Object.fromEntries(Object.entries(were).filter(([name]) => isMine(name === 'position' && 'date' in were ? 'date' : name)));
    if (!Object.keys(fields).length) return this.isTheirs(now ? titleOf(now) : title);
    this.writer.write({ kind: 'patch', id, before: now, fields });
    const again = Object.fromEntries(Object.keys(fields).filter((name) => name in wrote).map((name) => [name, wrote[name]]));
    // The day from which it goes has a place for it.
    if ('date' in fields) again.position = now.position;
    return () => this.takeBack(id, again, fields, title);
  }

  /** Takes back what has made a todo of a routine's day. */
  unmake(before, wrote) {
    const now = this.store.todo(before.id);
    if (!now) return this.isTheirs(before.content);
    // What somebody else has made of it since stays, and with it the todo.
    const left = { ...before, ...wrote };
    const isMine = ['content', 'detail', 'status', 'date', 'time', 'goal', 'visibility'].every((name) => now[name] === left[name])
      && ('date' in wrote || now.position === left.position);
    if (!isMine) return this.takeBack(before.id, Object.fromEntries(Object.keys(wrote).map((name) => [name, before[name]])), wrote, before.content);
    this.writer.write({ kind: 'remove', id: before.id, before: now, isUnmaking: true });
    return () => this.makeAgain(before, wrote);
  }

  makeAgain(before, wrote) {
    const isUnmaking = this.store.writes.get(before.id)?.some((write) => write.isUnmaking);
    if (!isUnmaking && !this.store.todo(before.id)?.isUnmade) return this.isTheirs(before.content);
    this.writer.write({ kind: 'patch', id: before.id, before, fields: wrote, tag: '0' });
    return () => this.unmake(before, wrote);
  }

  takeAway(todo) {
    const now = this.store.todo(todo.id);
    const isMine = now && now.time === (todo.time ?? '') && ['content', 'detail', 'status', 'date'].every((name) => now[name] === todo[name]);
    if (!isMine) return this.isTheirs(titleOf(todo));
    this.writer.write({ kind: 'remove', id: todo.id, before: now });
    return () => this.putBack(now);
  }

  putBack(todo) {
    const { id, content, detail, status, position, date, time, visibility } = todo;
    if (this.store.todo(id)) return this.isTheirs(titleOf(todo));
    const goal = this.usableGoal(todo);
    const again = { id, content, date, ...(time && { time }), ...(goal && { goal }), detail, status, position, visibility };
    this.writer.write({ kind: 'add', id, todo: again });
    return () => this.takeAway(again);
  }

  /** Nothing is taken back: somebody else has changed it since. */
  isTheirs(content) {
    this.toasts.alert(t('notUndone', { content: short(content) }));
    return false;
  }

  // What was not taken

  park(kind, { id, before, fields }) {
    this.writer.park({ key: newID(), kind, id, wrote: 'patch', before, fields });
  }

  addAgain({ before, fields }) {
    const { content, date, time, goal, detail, status, position, visibility } = { ...before, ...fields };
    this.add(content, date, { ...(isNote(before.id) && { id: before.id }), ...(time && { time }), ...(goal && { goal }), detail, status, position, visibility });
  }

  insist({ id, wrote, before, fields, isBack }) {
    if (wrote === 'skip') return this.writer.write({ kind: 'skip', id, before, isBack });
    const now = this.store.todo(id);
    if (!now) return this.park('gone', { id, before, fields });
    return wrote === 'remove' ? this.remove(now) : this.patch(now, fields);
  }
}

const dayName = (date) => format(date, locale(), { weekday: 'short', month: 'short', day: 'numeric' });
/** A time as the server takes it; what is none leaves it as it was. (Some browsers have a plain field for it.) */
const clockTime = (text = '', before = '') => (!text || /^([01]?\d|2[0-3]):[0-5]\d$/.test(text) ? text && text.padStart(5, '0') : before);
