// Which key does what.
import './shared.js';
import './finding.js';
import { element } from './row.js';
import { openSheet } from './sheet.js';
import { t, table } from './words.js';

export function openKeyList() {
  const part = (title, keys) => element('section', { className: 'setting' }, element('h3', { textContent: t(title) }),
    element('dl', {}, ...table(keys).map(([key, words]) => element('div', {},
      element('dt', {}, ...key.split(' ').map((one) => element('kbd', { textContent: one }))), element('dd', { textContent: words })))));
  openSheet('keys', t('keysTitle'), [part('keysAnywhere', 'keysGlobal'), part('keysInList', 'keysList')]);
}
