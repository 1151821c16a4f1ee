// A sheet over the page, all of it on a phone.
import { wear } from './later.js';
import { closesBeside } from './popup.js';
import { element, svg } from './row.js';
import styles from './settings.css';
import { t } from './words.js';

const CROSS = [['path', { d: 'm6 6 12 12m0-12L6 18' }]];
// It looks as it should before anything of it shows.
wear(styles);

/** Opens a sheet; when it closes, `back` or what was focused before gets the focus. */
export function openSheet(name, words, parts, back = document.activeElement) {
  const sheet = element('dialog', { className: `settings ${name}` });
  const title = element('h2', { id: 'settings-title', tabIndex: -1, autofocus: true, textContent: words });
  const shut = element('button', { type: 'button', className: 'round' }, svg(CROSS));
  shut.setAttribute('aria-label', t('close'));
  shut.addEventListener('click', () => sheet.close());
  sheet.setAttribute('aria-labelledby', title.id);
  sheet.append(element('div', { className: 'settings-head' }, title, shut), ...parts);
  // Arrows and letters typed here are not meant for the board behind.
  sheet.addEventListener('keydown', (event) => event.stopPropagation());
  closesBeside(sheet);
  sheet.addEventListener('close', () => {
    sheet.remove();
    if (back.checkVisibility() && document.activeElement === document.body) back.focus();
  });
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}
