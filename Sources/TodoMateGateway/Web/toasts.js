// Short messages at the foot of the page, some with one thing to do about them.
import { Refusal } from './api.js';
import { reason, t } from './words.js';

const STAYS = 8000;
const MOST = 3;

export class Toasts {
  constructor() {
    this.area = document.getElementById('toasts');
    document.addEventListener('keydown', (event) => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !event.shiftKey;
      if (!isUndo || !this.latestAction || event.target.matches('input, textarea')) return;
      // The browser would undo its last typing as well, and take the focus to that field.
      event.preventDefault();
      this.latestAction();
    });
  }

  show(text, label, action) { this.put(text, label, action, 'status'); }

  alert(text, label, action) { this.put(text, label, action, 'alert'); }

  /** Waits for an answer, and says why there is none. */
  async ask(promise) {
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.alert(reason(error));
      return null;
    }
  }

  /** Removes all: what they offer is about another user's board from now on. */
  clear() {
    this.area.replaceChildren();
    this.latestAction = null;
  }

  put(text, label, action, role) {
    const toast = document.createElement('div');
    toast.className = `toast ${role}`;
    if (role === 'alert') toast.setAttribute('role', role);
    toast.append(Object.assign(document.createElement('p'), { textContent: text }));
    let timer;
    const leave = () => {
      clearTimeout(timer);
      toast.remove();
      if (this.latestAction === act) this.latestAction = null;
    };
    const act = action && (() => { leave(); action(); });
    const start = () => { timer = setTimeout(leave, STAYS); };
    // Who reads or reaches for it gets the time.
    toast.addEventListener('pointerenter', () => clearTimeout(timer));
    toast.addEventListener('focusin', () => clearTimeout(timer));
    toast.addEventListener('pointerleave', start);
    toast.addEventListener('focusout', start);
    if (act) {
      toast.append(button('act', label, act));
      this.latestAction = act;
    }
    const close = button('shut', '×', leave);
    close.setAttribute('aria-label', t('close'));
    toast.append(close);
    while (this.area.children.length >= MOST) this.area.firstElementChild.remove();
    this.area.append(toast);
    start();
  }
}

function button(name, text, action) {
  const element = Object.assign(document.createElement('button'), { type: 'button', className: name, textContent: text });
  element.addEventListener('click', action);
  return element;
}
