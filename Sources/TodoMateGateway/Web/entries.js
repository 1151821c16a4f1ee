// The lists of my account: what there is, a line each, and what can be done about it.
import * as api from './api.js';
import { formatter, zone } from './dates.js';
import { element } from './row.js';
import { locale, reason, t } from './words.js';

/** When something was, in words of the reader's place. */
export const moment = (time) => formatter('DateTimeFormat', locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: zone() }).format(new Date(time));

/** A line: what it is, what there is to know of it, and a button for `act` where there is something to be done. */
export function entry(title, notes, words, act) {
  const made = element('li', { className: 'entry' },
    element('div', {}, element('p', { textContent: title }), element('p', { className: 'note', textContent: notes.filter(Boolean).join(' · ') })));
  if (!act) return made;
  const button = element('button', { type: 'button', className: 'quiet', textContent: words });
  button.setAttribute('aria-label', `${words}: ${title}`);
  button.addEventListener('click', act);
  made.append(button);
  return made;
}

/** A list that is read anew after whatever was done. */
export class Entries {
  /** `read()` answers the lines. */
  constructor(label, verdict, read) {
    Object.assign(this, { verdict, read });
    this.list = element('ul', { className: 'entries', tabIndex: -1 });
    this.list.setAttribute('aria-label', label);
    this.load();
  }

  load() { return this.guard(async () => this.list.replaceChildren(...await this.read())); }

  /** Does something about a line, shows what is there then, and says that it is done. */
  async act(ask, words) {
    this.verdict.clear();
    await this.guard(async () => {
      const answer = await ask();
      await this.load();
      this.verdict.praise(words(answer));
      // The button that was pressed is gone.
      this.list.focus();
    });
  }

  async guard(ask) {
    try {
      await ask();
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      const words = { 403: t('signInAgain'), 404: t('alreadyEnded') };
      this.verdict.refuse(words[problem.status] ?? reason(problem));
    }
  }
}
