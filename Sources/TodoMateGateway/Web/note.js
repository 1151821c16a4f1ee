// My note of the day: written in place, below the list, and saved as it is typed. What was not taken is kept, as all edits are.
import { tagOf } from './api.js';
import { lines } from './lines.js';
import { newNote, noteID } from './notes.js';
import { t } from './words.js';

const PAUSE = 1500;
const TALLEST = 12;
const VISIBILITIES = ['private', 'followers', 'public'];
const byID = (id) => document.getElementById(id);
const isGrowing = CSS.supports('field-sizing', 'content');

export class DayNote {
  constructor(model) {
    Object.assign(this, { model, field: byID('day-note-text'), choice: byID('day-note-visibility'), isTyped: false });
    this.choice.append(...VISIBILITIES.map((value) => Object.assign(document.createElement('option'), { value })));
    this.field.addEventListener('input', () => this.typed());
    this.field.addEventListener('focus', () => {
      if (!this.isEntered) this.before = this.note;
      this.isEntered = true;
    });
    this.field.addEventListener('blur', () => {
      // Switching to another window or tab does not leave the field, but may be the last that is heard of it.
      this.save();
      if (document.hasFocus()) this.finish();
    });
    this.field.addEventListener('keydown', (event) => {
      if (event.isComposing || !['Enter', 'Escape'].includes(event.key)) return;
      if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.field.blur();
    });
    this.choice.addEventListener('change', () => this.show(this.choice.value));
    byID('day-note-past').addEventListener('click', () => {
      this.save();
      model.emit('past', noteID(this.day));
    });
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.save(); });
    // Before the page asks whether all is saved.
    addEventListener('beforeunload', () => this.save(), { capture: true });
  }

  /** The note as it shows, if there is one. */
  get note() { return this.model.todos.noteOf(this.day); }

  render() {
    const { day, actions, todos } = this.model;
    if (this.day !== day) this.open(day);
    if (!actions || !todos.isLoaded) return;
    this.takeUp(actions.drafts);
    const { note, field, choice } = this;
    if (!this.isTyped) this.fill(note);
    byID('day-note').classList.toggle('waiting', Boolean(note?.isWaiting));
    byID('day-note-state').textContent = note?.isWaiting ? t('waiting') : note?.isOnlyShown ? t('shownOnly') : '';
    field.readOnly = Boolean(note?.isOnlyShown);
    choice.disabled = field.readOnly;
    choice.value = note?.visibility ?? this.chosen ?? 'private';
    for (const option of choice.options) option.textContent = t(`visibility_${option.value}`);
    byID('day-note-foot').hidden = !note && !field.value.trim();
    byID('day-note-past').hidden = !note;
  }

  /** Turns to another day; what was typed is saved for the one before. */
  open(day) {
    this.save();
    this.finish();
    this.day = day;
    this.chosen = undefined;
    this.base = undefined;
  }

  clear() {
    this.open(undefined);
    this.hasTakenUp = false;
    this.fill(undefined);
  }

  focus() {
    this.field.focus();
    this.field.scrollIntoView({ block: 'nearest' });
  }

  /** Goes on with words that were not taken. */
  resume(before, words) {
    const { model, field } = this;
    model.openDay(before.date, model.uid);
    model.flush();
    field.value = words.detail ?? before.detail;
    this.base = before.revision ? before : undefined;
    this.typed();
    field.focus();
  }

  // What is typed

  // What a reload has interrupted is saved as if nothing had happened.
  takeUp(drafts) {
    if (this.hasTakenUp) return;
    this.hasTakenUp = true;
    const draft = drafts.get('note');
    if (!draft) return;
    const { day, text, base, chosen } = draft;
    drafts.set('note');
    this.write(day, text, base, chosen);
  }

  fill(note) {
    const { field } = this;
    this.base = note;
    const text = note?.detail ?? '';
    // What is as good as the same is left alone: a line break at the end may be the beginning of a line.
    if (lines(field.value) !== text) {
      const { selectionStart, selectionEnd } = field;
      field.value = text;
      if (document.activeElement === field) field.setSelectionRange(selectionStart, selectionEnd);
    }
    this.grow();
  }

  /** As high as what it says, up to some lines; browsers that know `field-sizing` do better. */
  grow() {
    const { field } = this;
    if (isGrowing) return;
    field.rows = 1;
    while (field.rows < TALLEST && field.scrollHeight > field.clientHeight + 2) field.rows += 1;
  }

  typed() {
    const { model, field, day, base, chosen } = this;
    this.isTyped = true;
    this.grow();
    model.actions.drafts.set('note', { day, text: field.value, base, chosen });
    byID('day-note-foot').hidden = !base && !field.value.trim();
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.save(), PAUSE);
  }

  /** Saves what was typed; it stays in the field. */
  save() {
    clearTimeout(this.pause);
    if (!this.isTyped) return;
    const { model, day, field, base, chosen } = this;
    this.isTyped = false;
    model.actions.drafts.set('note');
    this.write(day, field.value, base, chosen);
    // From here on that is what the field began with.
    this.base = this.note;
  }

  /** What was done since the field was entered is taken back at once. */
  finish() {
    const { before, note, day, model, isEntered } = this;
    this.isEntered = false;
    if (!isEntered || !day || !model.actions || (before?.detail ?? '') === (note?.detail ?? '')) return;
    model.actions.undo.did(t('noteChanged'), () => this.takeBack(day, before, note), false);
  }

  // What is written

  /** Makes a day's note say `text`; `base` is what it was when that was begun: what it has become elsewhere since is not overwritten. */
  write(day, text, base, visibility) {
    const { todos, actions: { writer } } = this.model;
    const [id, now, detail] = [noteID(day), todos.noteOf(day), lines(text)];
    if (detail === (now?.detail ?? '')) return;
    if (!now) return writer.write({ kind: 'add', id, todo: newNote(day, detail, base?.visibility ?? visibility) });
    // The server has another one: it refuses, and one chooses.
    const isSame = now.detail === (base?.detail ?? '');
    const tag = isSame ? undefined : base ? tagOf(base) : '0';
    const before = isSame ? now : base ?? { ...now, detail: '' };
    if (!detail) return writer.write({ kind: 'remove', id, before, tag });
    return writer.write({ kind: 'patch', id, before, fields: { detail }, tag });
  }

  takeBack(day, before, after) {
    const { model } = this;
    const now = model.todos.noteOf(day);
    if ((now?.detail ?? '') !== (after?.detail ?? '')) return model.actions.isTheirs(t('dayNote'));
    this.write(day, before?.detail ?? '', now, before?.visibility);
    return () => this.takeBack(day, after, before);
  }

  /** Says who may see it; of one that is not written yet, who will. */
  show(visibility) {
    this.save();
    const { note, model } = this;
    if (note) model.actions.patch(note, { visibility });
    else this.chosen = visibility;
  }
}
