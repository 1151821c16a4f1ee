// Edits that were not taken: each stays, on this device or through a reload, until its writer has chosen what becomes of it.
import { titleOf } from './notes.js';
import { explain, short, t } from './words.js';

export class Parked {
  /** `ways` of a kind: what can be done, as pairs of a key for words and an `action(record)`; `decided(key)` once something is. */
  constructor(toasts, ways, decided) {
    Object.assign(this, { toasts, ways, decided, shown: new Map() });
  }

  /** `record`: key, kind, id, the todo as it was `before`, the `fields` that were written, and the `problem` if there is one. */
  put(record) {
    const { key, kind, wrote, before, fields = {}, problem } = record;
    if (this.shown.has(key)) return;
    const typed = [fields.content, fields.detail ?? (kind === 'refusedAdd' ? before.detail : '')].filter((text) => text?.trim()).join(' — ');
    const words = kind.startsWith('refused') ? 'refusedEdit' : kind;
    const what = t(words, { content: short(titleOf(before)), reason: problem ? explain(problem) : '' });
    const text = typed ? `${what} ${t('youWrote', { text: short(typed, 200) })}` : what;
    const choices = [...this.ways[kind], ['discard', () => {}]].map(([label, action]) => [t(label === 'useMine' && wrote === 'remove' ? 'remove' : label), () => {
      this.shown.delete(key);
      this.decided(key);
      action(record);
    }]);
    this.shown.set(key, this.toasts.decide(text, choices));
  }

  /** It was decided upon in another tab. */
  take(key) {
    this.shown.get(key)?.();
    this.shown.delete(key);
  }
}
