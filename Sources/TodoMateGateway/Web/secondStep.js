// The second step of signing in: a code beside the password. Fetched when the server asks for one first.
import './shared.js';
import { reason, t, teach, translate } from './words.js';
import { element } from './row.js';
import { words } from './secondStepWords.js';

teach(words);

export class SecondStep {
  /** Stands in front of the place where its form says why not. */
  constructor(error, id) {
    this.input = element('input', { id, name: id, autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxLength: 64 });
    const label = element('label', { htmlFor: id });
    label.dataset.t = 'code';
    this.hint = element('p', { className: 'rule', id: `${id}-hint` });
    this.input.setAttribute('aria-describedby', `${this.hint.id} ${error.id}`);
    this.place = element('div', { hidden: true }, label, this.input, this.hint);
    error.before(this.place);
    translate(this.place);
  }

  /** What has been typed; nothing while none was asked for. */
  get code() { return this.place.hidden ? undefined : this.input.value.trim() || undefined; }

  /** Asks for it, for the reason that the server gave. */
  ask(refusal) {
    const isUnreadable = refusal.kind === 'second-factor-unreadable';
    if (isUnreadable) delete this.hint.dataset.t;
    else this.hint.dataset.t = 'codeHint';
    this.hint.textContent = isUnreadable ? reason(refusal) : t('codeHint');
    this.place.hidden = false;
    this.input.focus();
    this.input.select();
  }

  clear() {
    this.place.hidden = true;
    this.input.value = '';
    this.input.removeAttribute('aria-invalid');
  }
}
