// Where todos are written, a line each. What is typed stays through a reload, and what was refused comes back.
import { t } from './words.js';

const LONGEST = 500;
const MOST = 50;
const TALLEST = 6;
const byID = (id) => document.getElementById(id);

export class Composer {
  /** `added(id)` shows the todo that was added last. */
  constructor(model, added) {
    Object.assign(this, { model, added, field: byID('new') });
    byID('composer').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.field.addEventListener('keydown', (event) => {
      // Enter that ends a Korean syllable is no Enter yet.
      if (event.key !== 'Enter' || event.isComposing) return;
      this.isNewLine = event.shiftKey;
      if (event.shiftKey) return;
      event.preventDefault();
      this.submit();
    });
    this.field.addEventListener('input', (event) => {
      // A phone's keyboard may tell of Enter only by the line that it began.
      if (event.inputType === 'insertLineBreak' && !this.isNewLine) this.submit();
      this.isNewLine = false;
      this.changed();
    });
  }

  /** Another board shows, with what was typed there before a reload; or none. */
  open() {
    this.field.value = this.model.actions?.drafts.get('new') ?? '';
    this.fit();
  }

  /** Puts back what was not taken, before what has been typed since. */
  giveBack(todo) {
    this.field.value = [todo.content, this.field.value].filter(Boolean).join('\n');
    this.changed();
  }

  submit() {
    const { model, field } = this;
    const lines = field.value.split('\n').map((line) => line.trim()).filter(Boolean);
    const tooLong = lines.find((line) => [...line].length > LONGEST);
    const problem = lines.length > MOST ? t('tooManyLines', { count: lines.length, most: MOST })
      : tooLong ? t('tooLong', { count: [...tooLong].length, most: LONGEST }) : '';
    this.fault(problem);
    if (problem || !lines.length) return;
    field.value = '';
    const ids = lines.map((line) => model.actions.add(line, model.day));
    this.changed();
    model.flush();
    this.added(ids.at(-1));
  }

  fault(text) {
    byID('new-error').textContent = text;
    if (text) this.field.setAttribute('aria-invalid', 'true');
    else this.field.removeAttribute('aria-invalid');
  }

  changed() {
    if (byID('new-error').textContent) this.fault('');
    this.model.actions?.drafts.set('new', this.field.value);
    this.fit();
  }

  /** As many lines as there are, up to some. */
  fit() {
    this.field.rows = 1;
    while (this.field.rows < TALLEST && this.field.scrollHeight > this.field.clientHeight + 2) this.field.rows += 1;
  }
}
