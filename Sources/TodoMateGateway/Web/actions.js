// What people do to todos: each shows at once, is sent, and says what became of it when that is not plain to see.
import { tagOf } from './api.js';
import { addDays, format, isDay } from './dates.js';
import { atEnd, positionsFor } from './order.js';
import { explain, locale, t } from './words.js';
import { Writer } from './writer.js';

const NEXT = { todo: 'inProgress', inProgress: 'complete', complete: 'todo', incomplete: 'todo' };

export class Actions {
  /** `visibility()` is who sees what is new. */
  constructor(uid, store, toasts, signedOut, visibility) {
    Object.assign(this, { store, toasts, visibility });
    this.writer = new Writer(uid, store, {
      signedOut,
      waiting: () => toasts.show(t('laterSaved')),
      caughtUp: () => toasts.show(t('sentNow')),
      refused: (write, problem) => toasts.alert(t('refused', { reason: explain(problem) })),
      gone: (write) => this.offerAgain(write.todo ?? write.before, write.fields),
      conflict: (write, current) => this.offerMine(write, current),
    });
  }

  add(content, date, rest = {}) {
    const id = rest.id ?? `w${crypto.getRandomValues(new Uint32Array(4)).reduce((text, part) => text + part.toString(36), '')}`;
    const fresh = { detail: '', status: 'todo', position: atEnd(this.store.day(date)), visibility: this.visibility() };
    const todo = { ...fresh, ...rest, id, date, content: line(content) };
    if (todo.content) this.writer.write({ kind: 'add', id, todo });
    return id;
  }

  patch(todo, fields, tag) {
    // It may have changed since the menu or the editor was opened.
    const now = this.store.todo(todo.id) ?? todo;
    const changed = Object.entries(fields).filter(([name, value]) => now[name] !== value);
    if (!changed.length) return;
    this.writer.write({ kind: 'patch', id: todo.id, before: todo, fields: Object.fromEntries(changed), tag });
  }

  nextStatus(todo) { this.setStatus(todo, NEXT[todo.status]); }

  setStatus(todo, status) { this.patch(todo, { status }); }

  /** Saves an edit that began with `before`: a change of the same words elsewhere in between is a conflict. */
  edit(before, fields) {
    const words = { content: line(fields.content) || before.content, detail: lines(fields.detail) };
    if (words.content === before.content && words.detail === before.detail) return;
    const now = this.store.todo(before.id);
    if (!now) return this.offerAgain(before, words);
    const isSame = now.content === before.content && now.detail === before.detail;
    this.patch(isSame ? now : before, words, isSame ? undefined : tagOf(before));
  }

  reorder(todo, index) {
    const todos = this.store.day(todo.date);
    if (index < 0 || index >= todos.length || todos[index].id === todo.id) return;
    for (const { id, position } of positionsFor(todos, todo.id, index)) this.patch(this.store.todo(id), { position });
  }

  step(todo, by) { this.reorder(todo, this.store.day(todo.date).findIndex((other) => other.id === todo.id) + by); }

  moveBy(todo, days) { this.move(todo, addDays(todo.date, days)); }

  move(todo, date) {
    if (!isDay(date) || date === todo.date) return;
    this.patch(todo, { date, position: atEnd(this.store.day(date)) });
    const day = format(date, locale(), { weekday: 'short', month: 'short', day: 'numeric' });
    this.toasts.show(t('moved', { content: short(todo.content), day }), t('undo'), () => {
      const now = this.store.todo(todo.id);
      if (now) this.patch(now, { date: todo.date, position: todo.position });
    });
  }

  remove(todo) {
    this.writer.write({ kind: 'remove', id: todo.id, before: todo });
    const { id, content, detail, status, position, date, visibility } = todo;
    this.toasts.show(t('removed', { content: short(content) }), t('undo'), () => {
      if (!this.store.todo(id)) this.add(content, date, { id, detail, status, position, visibility });
    });
  }

  offerAgain(before, fields) {
    const { content, date, detail, status, position, visibility } = { ...before, ...fields };
    this.toasts.alert(t('goneWhileEditing', { content: short(before.content) }), t('addAgain'), () => {
      this.add(content, date, { detail, status, position, visibility });
    });
  }

  offerMine(write, current) {
    const text = t('conflict', { content: short(current.content) });
    const useMine = () => {
      const now = this.store.todo(write.id);
      if (!now) return this.offerAgain(current, write.fields);
      if (write.kind === 'remove') this.remove(now);
      else this.patch(now, write.fields);
    };
    this.toasts.alert(text, t('useMine'), useMine);
  }
}

/** A text as the server takes content: one line, without control characters. */
const line = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
const lines = (text) => text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').trimEnd();
const short = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
