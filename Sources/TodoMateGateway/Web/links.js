// The addresses in what a todo says, to be opened: a click on the words themselves edits them.
import './shared.js';
import { wear } from './later.js';
import styles from './links.css';
import { element } from './row.js';
import { short } from './words.js';

wear(styles);

const MOST = 5;
const LONGEST = 2000;
// In Korean the sentence goes on behind an address without a space: 에서 is none of its letters, but 언어 of /wiki/C언어 is.
const PARTICLE = '(?:에서|에게|에|을|를|은|는|이|가|으로|로|의|와|과|랑|도|만|부터|까지)(?=[.,:;!?\'")\\]]*(?:\\s|$))';
const OTHERS = '(?!\\p{sc=Hangul})[\\p{L}\\p{M}\\p{N}]';
const HOST = `(?:[!$-.0-;=@-_a-~]|${OTHERS}|(?<=[/.@-])(?:(?!${PARTICLE})\\p{sc=Hangul})+)+`;
const PATH = `[/?#](?:[!#-;=?-_a-~]|${OTHERS}|(?!${PARTICLE})\\p{sc=Hangul}+)*`;
const ADDRESS = new RegExp(`(?<![a-z0-9])https?://${HOST}(?:${PATH})?`, 'giu');
const PAIRS = { ')': '(', ']': '[', '}': '{' };

/**
 * Fills a place in a row with a link for each address in a text, or the first few of them and a sign that there are more; those that it
 * has already stay.
 */
export function link(place, text) {
  const links = new Map();
  for (const [said] of text.matchAll(ADDRESS)) {
    const address = said.length <= LONGEST && withoutEnd(said);
    if (address && URL.canParse(address)) links.set(...shown(new URL(address)));
    if (links.size > MOST) break;
  }
  const all = [...links].slice(0, MOST);
  const more = links.size > MOST ? ['…'] : [];
  const { childNodes } = place;
  const isSame = all.length && childNodes.length === all.length + more.length && all.every(([href], index) => childNodes[index].href === href);
  if (isSame) return;
  // As the row's buttons are: on the way of the Tab key in one row at a time.
  const { tabIndex } = place.closest('.row').querySelector('button');
  place.replaceChildren(...all.map(([href, textContent]) =>
    element('a', { href, textContent, title: href, target: '_blank', rel: 'noopener noreferrer', tabIndex })), ...more);
}

// The host shows whole, and as computers know it: of two that look alike one sees which it is, and of a long one whose it is. Who one
// would be there shows not at all.
const shown = ({ href, host, pathname, search, hash }) => [href, `${host}${short(`${pathname}${search}${hash}`.replace(/\/$/, ''), 24)}`];

/** Without the signs that belong to the sentence around it. */
function withoutEnd(said) {
  let kept = said;
  while (/[.,:;!?'*]/.test(kept.at(-1)) || isUnpaired(kept)) kept = kept.slice(0, -1);
  return kept;
}

/** Whether it ends with a bracket that it has not opened. */
function isUnpaired(said) {
  const opening = PAIRS[said.at(-1)];
  return opening !== undefined && said.split(said.at(-1)).length > said.split(opening).length;
}
