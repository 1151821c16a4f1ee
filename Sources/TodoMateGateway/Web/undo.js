// What was done here since the board opened, to be taken back: by the message that tells of it, or one after another by Ctrl+Z and in
// the menu of the account, where there are no keys. What was taken back of todos is done again by the message or by Ctrl+Shift+Z.
import { short, t } from './words.js';

const MOST = 100;

export class Undo {
  constructor(toasts) {
    Object.assign(this, { toasts, done: [], undone: [], underWay: new Set(), told: 0, group: null });
    document.addEventListener('keydown', (event) => {
      const act = this.meant(event);
      // Where somebody types it is the browser's; the composer keeps the focus once a line is added.
      const isTyping = event.target.matches('input, textarea') && (event.target.id !== 'new' || event.target.value);
      if (!act || isTyping) return;
      // The browser would undo its last typing as well, and take the focus to that field.
      event.preventDefault();
      act();
    });
    const button = this.button = document.getElementById('undo');
    button.parentElement.addEventListener('beforetoggle', () => this.name());
    button.addEventListener('click', () => this.takeLast());
  }

  // What a key asks for, where there is any of it.
  meant({ key, code, ctrlKey, metaKey, shiftKey, altKey }) {
    if (altKey || !(ctrlKey || metaKey)) return null;
    // By a layout without Latin letters the key says something else, such as ㅋ.
    const is = (letter) => key.toLowerCase() === letter || code === `Key${letter.toUpperCase()}` && !/[a-z]/i.test(key);
    const isAgain = is('z') ? shiftKey : is('y') && ctrlKey && !shiftKey;
    if (isAgain) return this.undone.length ? () => this.repeat(this.undone.at(-1)) : null;
    return is('z') && (this.last || this.underWay.size) ? () => this.takeComing() : null;
  }

  // Nobody is to find out only afterwards what it was.
  name() {
    this.button.hidden = !this.last;
    if (this.last) this.button.textContent = t('undoOf', { text: short(this.last.text) });
  }

  /**
   * Something was done, in words; `back()` takes it back, and answers whether it did, or promises to: null where that did not come
   * through and may be tried again, and what does it again, a `back` itself, where that is possible. `isTold`: it is not plain to see, or
   * easily done by mistake.
   */
  did(text, back, isTold = true) {
    if (this.group) {
      this.group.push(back);
      return;
    }
    // It stands on what was taken back.
    for (const entry of this.undone.splice(0)) entry.close?.();
    this.put({ text, back }, isTold && text);
  }

  /** What the server is asked for, and `did` will tell of; answers as it does. */
  awaits(promise) {
    this.underWay.add(promise);
    return promise.finally(() => this.underWay.delete(promise));
  }

  put(entry, words) {
    this.told += 1;
    this.done.push(entry);
    if (this.done.length > MOST) this.done.shift();
    this.renameIfOpen();
    if (words) entry.close = this.toasts.show(words, t('undo'), () => this.takeAndTell(entry));
  }

  /** Does several things that are taken back at once, none of which has to be waited for. */
  together(text, act, isTold) {
    const backs = this.group = [];
    act();
    this.group = null;
    if (backs.length) this.did(text, () => inTurn(backs), isTold);
  }

  async take(entry) {
    entry.isTaken = true;
    entry.close?.();
    const answer = await entry.back();
    const isHere = this.done.includes(entry);
    if (answer === null) entry.isTaken = false;
    else this.done = this.done.filter((other) => other !== entry);
    this.renameIfOpen();
    // Another board has opened meanwhile.
    if (!isHere) return {};
    if (typeof answer !== 'function') return { isDone: answer };
    const undone = { text: entry.text, back: answer };
    // What was done after it is done again after it.
    for (const other of this.undone) other.close?.();
    this.undone.push(undone);
    return { isDone: true, undone };
  }

  // A key is meant for what was clicked last, which may show before the server has answered; where it refuses, for nothing else.
  async takeComing() {
    const { underWay, told } = this;
    const isWaiting = underWay.size > 0;
    await Promise.allSettled(underWay);
    if (underWay === this.underWay && (!isWaiting || told < this.told)) this.takeLast();
  }

  takeLast() { return this.last && this.takeAndTell(this.last); }

  async takeAndTell(entry) {
    const { isDone, undone } = await this.take(entry);
    if (!isDone) return;
    const close = this.toasts.show(t('undone', { text: entry.text }), undone && t('redo'), () => this.repeat(undone));
    if (undone) undone.close = close;
  }

  /** Does again what was taken back. */
  repeat(undone) {
    undone.close?.();
    this.undone = this.undone.filter((other) => other !== undone);
    const back = undone.back();
    if (typeof back === 'function') this.put({ text: undone.text, back }, t('redone', { text: undone.text }));
  }

  renameIfOpen() { if (this.button.parentElement.matches(':popover-open')) this.name(); }

  /** What is taken back next. */
  get last() { return this.done.findLast((entry) => !entry.isTaken); }

  /** Another board opens. */
  clear() {
    this.done = [];
    this.undone = [];
    this.underWay = new Set();
    this.button.hidden = true;
  }
}

// The last first; answers what does them again in their order.
function inTurn(backs) {
  const answers = backs.toReversed().map((back) => back());
  const again = answers.filter((answer) => typeof answer === 'function');
  return again.length ? () => inTurn(again) : answers.some(Boolean);
}
