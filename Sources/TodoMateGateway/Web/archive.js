// All that is stored of me, as a file.
import './parting.js';
import { element } from './row.js';
import { t } from './words.js';

export const archiveSection = { key: 'archive', build };

function build({ model }) {
  return element('div', { className: 'fields' }, element('p', { className: 'note', textContent: t('archiveNote') }), archiveLink(model.uid, t('archiveGet')));
}

/** What fetches the file: the browser writes it as it comes. */
export const archiveLink = (uid, words) =>
  element('a', { className: 'primary fetch', href: `/v1/users/${encodeURIComponent(uid)}/archive`, download: `todomate-${uid}.jsonl`, textContent: words });
