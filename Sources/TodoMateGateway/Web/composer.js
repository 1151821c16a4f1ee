// Where todos are written, a line each. What is typed stays through a reload, and what was refused comes back.
import { keepInSight } from './inSight.js';
import { LONGEST } from './lines.js';
import { t } from './words.js';

const MOST = 50;
const TALLEST = 6;
const byID = (id) => document.getElementById(id);

export class Composer {
  /** `added(id)` shows the todo that was added last. */
  constructor(model, added) {
    // Lines that were sent off before there was anything to read them.
    Object.assign(this, { model, added, field: byID('new'), waiting: [] });
    byID('composer').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.field.addEventListener('focus', () => this.learnToRead());
    this.field.addEventListener('keydown', (event) => {
      // Enter that ends a Korean syllable is no Enter yet.
      if (event.isComposing) return;
      // What is typed stays; the keys of the page are there again.
      if (event.key === 'Escape') this.field.blur();
      if (event.key !== 'Enter') return;
      this.isNewLine = event.shiftKey;
      if (event.shiftKey) return;
      event.preventDefault();
      this.submit();
    });
    this.field.addEventListener('input', (event) => {
      // A phone's keyboard may tell of Enter only by the line that it began.
      if (event.inputType === 'insertLineBreak' && !this.isNewLine) this.submit();
      this.isNewLine = false;
      if (!this.isUnread) this.learnToRead();
      this.changed();
    });
  }

  /** Another board shows, with what was typed there before a reload; or none. */
  open() {
    const { drafts } = this.model.actions ?? {};
    this.waiting = [];
    const asked = drafts?.get('routines') ?? [];
    const lines = asked.filter(({ line }) => line);
    this.field.value = [...lines.map(({ line }) => line), drafts?.get('new')].filter(Boolean).join('\n');
    if (lines.length) {
      drafts.set('new', this.field.value);
      drafts.set('asText', [...new Set([...drafts.get('asText') ?? [], ...lines.flatMap(({ asText }) => asText)])]);
      drafts.set('routines', asked.map(({ words, id }) => ({ words, id })));
    }
    this.chips?.open(drafts?.get('asText'));
    if (this.field.value) this.learnToRead();
    this.render();
  }

  /** Fetches what reads days and times: few lines are typed before it is there. Without it they are added as they are. */
  async learnToRead() {
    if (this.chips || this.isLearning) return;
    this.isLearning = true;
    const module = await import('./quickAdd.js').catch(() => null);
    this.isLearning = false;
    this.isUnread = !module;
    if (module) {
      this.chips = new module.QuickAdd(this.model, this.field, () => this.changed());
      this.chips.open(this.model.actions?.drafts.get('asText'));
      this.render();
    }
    this.release();
  }

  /** Adds what waited to be read. */
  release() {
    const { waiting } = this;
    this.waiting = [];
    // What was sent off by itself is also taken back by itself.
    for (const lines of waiting) this.add(lines);
  }

  /** Puts back what was not taken, before what has been typed since. */
  giveBack(todo, { line = todo.content, asText = [] } = {}) {
    // What is being typed keeps its caret, and a syllable that is under way.
    if (this.field.value) this.field.setRangeText(`${line}\n`, 0, 0, 'preserve');
    else this.field.value = line;
    this.chips?.keep(asText);
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
    const making = this.chips?.making;
    if (this.isLearning || making) {
      this.waiting.push(lines);
      this.changed();
      making?.finally(() => this.release());
    } else {
      this.add(lines);
    }
  }

  add(lines) {
    const { model, chips } = this;
    const ids = chips ? chips.add(lines) : lines.map((line) => model.actions.add(line, model.day));
    this.changed();
    model.flush();
    this.added(ids.at(-1));
  }

  fault(text) {
    keepInSight(() => { byID('new-error').textContent = text; });
    if (text) this.field.setAttribute('aria-invalid', 'true');
    else this.field.removeAttribute('aria-invalid');
  }

  changed() {
    if (byID('new-error').textContent) this.fault('');
    this.model.actions?.drafts.set('new', [...this.waiting.flat(), this.field.value].filter(Boolean).join('\n'));
    this.render();
  }

  /** As many lines as there are, up to some; below them what was read. */
  render() {
    keepInSight(() => {
      this.chips?.render();
      this.field.rows = 1;
      while (this.field.rows < TALLEST && this.field.scrollHeight > this.field.clientHeight + 2) this.field.rows += 1;
    });
  }
}
