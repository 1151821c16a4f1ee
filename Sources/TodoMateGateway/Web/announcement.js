// What the operator tells everybody: a bar above the page, until it is over or the reader takes it away.
import './shared.js';
import styles from './announcement.css';
import * as api from './api.js';
import { wear } from './later.js';
import { element } from './row.js';
import { current, harmless, t } from './words.js';

const KEY = 'todomate.announcement';
const LONGEST_TIMER = 2 ** 31 - 1;
let model, bar, shown, timer, wasLive;

/** Shows what is announced, or that nothing is any more; what was taken away here stays away. */
export function show(announcement, knownTo) {
  if (!model) begin(knownTo);
  clearTimeout(timer);
  const left = new Date(announcement.until) - new Date();
  shown = announcement.id && left > 0 && announcement.id !== dismissed() ? announcement : null;
  if (shown) timer = setTimeout(() => show({}), Math.min(left, LONGEST_TIMER));
  render();
}

function begin(knownTo) {
  model = knownTo;
  wear(styles);
  // Screen readers tell what changes in a place that they know already.
  bar = element('div', { className: 'announcement' });
  bar.setAttribute('role', 'status');
  document.body.prepend(bar);
  model.on('language', render);
  // While nobody listened, it may have been taken back.
  model.on('connection', () => {
    const isBack = model.connection === 'live' && wasLive === false;
    wasLive = model.connection === 'live';
    if (isBack && shown) api.session().then(({ announcement }) => show(announcement ?? {}), () => {});
  });
}

function render() {
  if (!shown) return bar.replaceChildren();
  const words = element('p', { textContent: harmless(current() === 'ko' ? shown.ko ?? shown.text : shown.text) });
  const shut = element('button', { type: 'button', className: 'shut', textContent: '×' });
  shut.setAttribute('aria-label', t('close'));
  shut.addEventListener('click', dismiss);
  bar.dataset.level = shown.level;
  // A frame later: what stands there from the beginning is told by nobody.
  requestAnimationFrame(() => { if (shown) bar.replaceChildren(words, shut); });
  return undefined;
}

function dismiss() {
  try { localStorage.setItem(KEY, shown.id); } catch { /* a browser that stores nothing shows it again next time */ }
  shown = null;
  render();
}

function dismissed() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}
