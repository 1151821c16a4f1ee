// A small panel by the button that opened it, a sheet at the foot of a phone.
import { element } from './row.js';
import { t } from './words.js';

/** Opens a panel; `build(item, close)` answers what goes in, `item(words, action)` is a button that closes the panel first. */
export function openPopup(anchor, label, build) {
  const menu = element('dialog', { className: 'menu' });
  menu.setAttribute('aria-label', label);
  const before = document.activeElement;
  let returnsFocus = true;
  const close = (isBack = true) => {
    returnsFocus = isBack;
    menu.close();
  };
  const item = (key, action, name = '', isBack = true) => {
    const button = element('button', { type: 'button', className: name, textContent: t(key) });
    button.addEventListener('click', () => {
      close(isBack);
      action();
    });
    return button;
  };
  menu.append(...build(item, close));
  menu.addEventListener('keydown', (event) => walk(menu, event));
  closesBeside(menu);
  menu.addEventListener('close', () => {
    // This comes a moment later: the focus may have been taken elsewhere since.
    const isFree = [before, document.body].includes(document.activeElement) || menu.contains(document.activeElement);
    menu.remove();
    if (returnsFocus && isFree && anchor.isConnected) anchor.focus();
  });
  document.body.append(menu);
  menu.showModal();
  place(menu, anchor);
  // What comes into it later may need more room.
  new ResizeObserver(() => { if (anchor.isConnected) place(menu, anchor); }).observe(menu);
  return menu;
}

/** Closes a dialog by a press beside it: not where it is empty itself, nor by one that began in it, as when text is marked. */
export function closesBeside(dialog) {
  let hasBegun = false;
  const isBeside = ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  dialog.addEventListener('pointerdown', (event) => { hasBegun = isBeside(event); });
  dialog.addEventListener('click', (event) => { if (hasBegun && isBeside(event)) dialog.close(); });
}

function walk(menu, event) {
  event.stopPropagation();
  if (event.target.matches('input, select') || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
  const stops = [...menu.querySelectorAll('button, input, select')];
  const index = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  event.preventDefault();
  stops.at(index % stops.length).focus();
}

function place(menu, anchor) {
  const at = anchor.getBoundingClientRect();
  const top = Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8);
  const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
  menu.style.setProperty('--top', `${Math.max(8, top)}px`);
  menu.style.setProperty('--left', `${Math.max(8, left)}px`);
}
