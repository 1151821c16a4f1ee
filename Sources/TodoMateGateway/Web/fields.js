// What the forms of my account consist of.
import { element } from './row.js';

/** A labelled field; `properties` are those of its input. */
export function field(words, properties) {
  return element('label', {}, element('span', { textContent: words }), element('input', properties));
}

/** A labelled choice among `[value, words]`. */
export function choice(words, id, values) {
  const options = values.map(([value, text]) => element('option', { value, textContent: text }));
  return element('label', {}, element('span', { textContent: words }), element('select', { id }, ...options));
}

/** A box to tick that shows what is typed into a field for a password. */
export function revealing(input, words) {
  const box = element('input', { type: 'checkbox' });
  Object.assign(input, { autocapitalize: 'none', spellcheck: false });
  const show = () => { input.type = box.checked ? 'text' : 'password'; };
  box.addEventListener('change', () => {
    show();
    // Sent as a password, it is offered to be kept; and the next one is not for all to see.
    input.form.addEventListener('submit', () => { box.checked = false; show(); }, { once: true, capture: true });
  });
  return element('label', { className: 'tick' }, box, element('span', { textContent: words }));
}

/** Where a form says why not, and what it did: the short messages lie behind an open panel. */
export class Verdict {
  constructor(id) {
    this.error = element('p', { className: 'error', id: `${id}-error` });
    this.error.setAttribute('role', 'alert');
    this.done = element('p', { className: 'note', id: `${id}-done` });
    this.done.setAttribute('role', 'status');
  }

  clear() { this.error.textContent = this.done.textContent = ''; }

  /** Says why not, at the field that it is about, if any. */
  refuse(words, input) {
    this.error.textContent = words;
    input?.setAttribute('aria-invalid', 'true');
    input?.focus();
  }

  praise(words) { this.done.textContent = words; }
}
