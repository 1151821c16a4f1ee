// Short messages at the foot of the page, some with one thing to do about them.
import { Refusal } from './api.js';
import { toastPlace } from './toastPlace.js';
import { reason, t } from './words.js';

const STAYS = 8000;
const MOST = 3;

export class Toasts {
  constructor() {
    this.area = document.getElementById('toasts');
    this.place = toastPlace(this.area);
    this.coming = new Set();
  }

  /** Answers what takes it away again. */
  show(text, label, action) { return this.put('status', text, label ? [[label, action]] : []); }

  alert(text, label, action) { return this.put('alert', text, label ? [[label, action]] : []); }

  /** Stays until one of these `[words, action]` is chosen. */
  decide(text, choices) { return this.put('alert', text, choices, true); }

  /** Waits for an answer, and says why there is none: null where it may come another time, else false. */
  async ask(promise) {
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.alert(reason(error));
      return error.isPassing ? null : false;
    }
  }

  /** Removes all: what they offer is about another user's board from now on. */
  clear() {
    this.coming.clear();
    this.area.replaceChildren();
    this.place();
  }

  put(role, text, choices, isDecision = false) {
    const toast = document.createElement('div');
    toast.className = `toast ${role}`;
    if (role === 'alert') toast.setAttribute('role', role);
    toast.append(Object.assign(document.createElement('p'), { textContent: text }));
    let timer;
    let before;
    const leave = () => {
      clearTimeout(timer);
      // One that never showed is nowhere.
      if (this.coming.delete(toast)) return;
      const hasFocus = toast.contains(document.activeElement);
      toast.remove();
      if (hasFocus) before?.focus({ preventScroll: true });
      this.place();
    };
    // Where the focus came from, it goes back to.
    toast.addEventListener('focusin', ({ relatedTarget }) => { if (!toast.contains(relatedTarget)) before = relatedTarget; });
    for (const [label, action] of choices) toast.append(button('act', label, () => { leave(); action(); }));
    this.coming.add(toast);
    // What it tells of is painted first: finding its place lays the page out. A hidden page has no frames.
    if (document.hidden) setTimeout(() => this.arrive());
    else requestAnimationFrame(() => setTimeout(() => this.arrive()));
    if (isDecision) {
      toast.classList.add('decision');
      return leave;
    }
    const start = () => { timer = setTimeout(leave, STAYS); };
    // Who reads or reaches for it gets the time.
    toast.addEventListener('pointerenter', () => clearTimeout(timer));
    toast.addEventListener('focusin', () => clearTimeout(timer));
    toast.addEventListener('pointerleave', start);
    toast.addEventListener('focusout', start);
    const close = button('shut', '×', leave);
    close.setAttribute('aria-label', t('close'));
    toast.append(close);
    start();
    return leave;
  }

  arrive() {
    if (!this.coming.size) return;
    for (const toast of this.coming) {
      this.makeRoom();
      this.area.append(toast);
    }
    this.coming.clear();
    this.place();
  }

  // What waits for a decision is not pushed away by news.
  makeRoom() {
    const passing = [...this.area.children].filter((toast) => !toast.matches('.decision'));
    for (const toast of passing.slice(0, Math.max(0, passing.length - MOST + 1))) toast.remove();
  }
}

function button(name, text, action) {
  const element = Object.assign(document.createElement('button'), { type: 'button', className: name, textContent: text });
  element.addEventListener('click', action);
  return element;
}
