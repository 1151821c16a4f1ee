// How much I have, and how much I may have.
import * as api from './api.js';
import { entry, Entries } from './entries.js';
import { Verdict } from './fields.js';
import { element } from './row.js';
import { locale, t } from './words.js';

export const limitsSection = { key: 'limits', build };

const KINDS = ['todos', 'bytes', 'tokens', 'goals', 'following', 'streams', 'writes'];
const MEBI = 1 << 20;

function build({ model }) {
  const verdict = new Verdict('limits');
  const entries = new Entries(t('settings_limits'), verdict, async () => {
    const limits = await api.call('GET', `/v1/users/${encodeURIComponent(model.uid)}/limits`);
    return KINDS.filter((kind) => limits[kind]).map((kind) => {
      const line = entry(t(`has_${kind}`), [amount(kind, limits[kind]), limits.own?.includes(kind) && t('asOperator')]);
      line.dataset.kind = kind;
      return line;
    });
  });
  return element('div', { className: 'fields' }, entries.list, verdict.error);
}

function amount(kind, { used, most }) {
  const number = (count) => (kind === 'bytes'
    ? `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(count / MEBI)} MiB` : new Intl.NumberFormat(locale()).format(count));
  return used === undefined ? t('atMost', { most: number(most) }) : t('usedOfMost', { used: number(used), most: number(most) });
}
