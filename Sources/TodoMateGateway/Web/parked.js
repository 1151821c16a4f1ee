// Edits that were not taken: each stays, through a reload, until its writer has chosen what becomes of it.
import { titleOf } from './notes.js';
import { short, t } from './words.js';

export class Parked {
  /** `ways` of a kind: what can be done, as pairs of a key for words and an `action(entry)`; nothing done drops the edit. */
  constructor(toasts, drafts, ways) {
    Object.assign(this, { toasts, drafts, ways, entries: [] });
  }

  /** Takes up what the page held before a reload. */
  restore() { for (const entry of this.drafts.get('parked') ?? []) this.put(entry); }

  /** `entry`: kind, id, the todo as it was `before`, the `fields` that were written, and a `reason` if there is one. */
  put(entry) {
    this.entries.push(entry);
    this.keep();
    const { kind, before, fields = {}, reason = '' } = entry;
    const typed = [fields.content, fields.detail ?? (kind === 'refusedAdd' ? before.detail : '')].filter((text) => text?.trim()).join(' — ');
    const what = t(kind === 'refusedAdd' ? 'refusedEdit' : kind, { content: short(titleOf(before)), reason });
    const text = typed ? `${what} ${t('youWrote', { text: short(typed, 200) })}` : what;
    const choices = [...this.ways[kind], ['discard', () => {}]].map(([key, action]) => [t(key), () => {
      this.entries = this.entries.filter((other) => other !== entry);
      this.keep();
      action(entry);
    }]);
    this.toasts.decide(text, choices);
  }

  keep() { this.drafts.set('parked', this.entries); }
}
