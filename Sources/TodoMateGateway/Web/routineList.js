// All that I do again and again: how often, when next, and what can be done about it.
import './shared.js';
import { clock, yearOf } from './dates.js';
import { dayName, routinesOf, said } from './routines.js';
import { element } from './row.js';
import { openSheet } from './sheet.js';
import { harmless, locale, short, t } from './words.js';

const watched = new WeakSet();
// Draws the list that is open, if one is.
let draw = () => {};

export function openRoutines(model) {
  const routines = routinesOf(model, model.todos);
  const none = element('p', { className: 'note', textContent: t('noRoutines') });
  const list = element('ul', { className: 'entries', ariaLabel: t('routines') });
  const sheet = openSheet('routines', t('routines'), [none, list]);
  let shown;
  draw = () => {
    const lines = routines.all.map((routine) => ({ routine, day: routines.nextOf(routine) }))
      .sort((left, right) => ((left.day ?? '9999') < (right.day ?? '9999') ? -1 : 1));
    // A button that has the focus keeps it, unless there is something else to show.
    const looks = JSON.stringify(lines);
    if (looks !== shown) list.replaceChildren(...lines.map((line) => lineOf(line, routines, sheet)));
    shown = looks;
    // Before it is known there is nothing to say.
    none.hidden = lines.length > 0 || !model.circle?.profile;
  };
  sheet.addEventListener('close', () => { draw = () => {}; });
  if (!watched.has(model)) model.on('profile todos today', () => draw());
  watched.add(model);
  draw();
}

function lineOf({ routine, day }, routines, sheet) {
  const { content, rule, from, time = '' } = routine;
  const note = [said(rule, from), clock(time, locale()), day ? t('nextOn', { day: dayName(day, yearOf(day)) }) : t('noneAhead')];
  const made = element('li', { className: 'entry' }, element('div', {},
    element('p', { textContent: harmless(content) }), element('p', { className: 'note', textContent: note.filter(Boolean).join(' · ') })));
  const act = (words, kind, action) => {
    const button = element('button', { type: 'button', className: `quiet ${kind}`, textContent: t(words), ariaLabel: t(`${words}Label`, { content: short(content) }) });
    button.addEventListener('click', () => { sheet.close(); action(); });
    made.append(button);
  };
  // What is over has nothing left to change.
  if (day) {
    act('routineEdit', 'plain', () => routines.openSheet({ routine, day }));
    act('routineEnd', '', () => routines.end({ routine, day }));
  }
  return made;
}
