// What was done here since the board opened, to be taken back: by the message that tells of it, or one after another by Ctrl+Z and in
// the menu of the account, where there are no keys.
import { short, t } from './words.js';

const MOST = 100;

export class Undo {
  constructor(toasts) {
    Object.assign(this, { toasts, done: [], group: null });
    document.addEventListener('keydown', (event) => {
      // By a layout without Latin letters the key says something else, such as ㅋ.
      const isZ = event.key.toLowerCase() === 'z' || event.code === 'KeyZ' && !/[a-z]/i.test(event.key);
      const isUndo = (event.ctrlKey || event.metaKey) && isZ && !event.shiftKey && !event.altKey;
      // Where somebody types it is the browser's; the composer keeps the focus once a line is added.
      const isTyping = event.target.matches('input, textarea') && (event.target.id !== 'new' || event.target.value);
      if (!isUndo || !this.last || isTyping) return;
      // The browser would undo its last typing as well, and take the focus to that field.
      event.preventDefault();
      this.takeLast();
    });
    const button = this.button = document.getElementById('undo');
    button.parentElement.addEventListener('beforetoggle', () => this.name());
    button.addEventListener('click', () => this.takeLast());
  }

  // Nobody is to find out only afterwards what it was.
  name() {
    this.button.hidden = !this.last;
    if (this.last) this.button.textContent = t('undoOf', { text: short(this.last.text) });
  }

  /**
   * Something was done, in words; `back()` takes it back, and answers whether it did, or promises to: null where that did not come
   * through and may be tried again. `isTold`: it is not plain to see, or easily done by mistake.
   */
  did(text, back, isTold = true) {
    if (this.group) {
      this.group.push(back);
      return;
    }
    const entry = { text, back };
    this.done.push(entry);
    if (this.done.length > MOST) this.done.shift();
    this.renameIfOpen();
    if (isTold) entry.close = this.toasts.show(text, t('undo'), () => this.take(entry));
  }

  /** Does several things that are taken back at once, none of which has to be waited for. */
  together(text, act, isTold) {
    const backs = this.group = [];
    act();
    this.group = null;
    if (backs.length) this.did(text, () => backs.toReversed().map((back) => back()).some(Boolean), isTold);
  }

  async take(entry) {
    entry.isTaken = true;
    entry.close?.();
    const isDone = await entry.back();
    if (isDone === null) entry.isTaken = false;
    else this.done = this.done.filter((other) => other !== entry);
    this.renameIfOpen();
    return isDone;
  }

  async takeLast() {
    const { last } = this;
    if (last && await this.take(last)) this.toasts.show(t('undone', { text: last.text }));
  }

  renameIfOpen() { if (this.button.parentElement.matches(':popover-open')) this.name(); }

  /** What is taken back next. */
  get last() { return this.done.findLast((entry) => !entry.isTaken); }

  /** Another board opens. */
  clear() {
    this.done = [];
    this.button.hidden = true;
  }
}
