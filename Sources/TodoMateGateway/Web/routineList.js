// All that I do again and again: how often, when next, and what can be done about it.
import './shared.js';
import { clock } from './dates.js';
import { dayName, routinesOf, said } from './routines.js';
import { element } from './row.js';
import { openSheet } from './sheet.js';
import { harmless, locale, short, t } from './words.js';

export function openRoutines(model) {
  const routines = routinesOf(model, model.todos);
  const none = element('p', { className: 'note', textContent: t('noRoutines'), hidden: routines.all.length > 0 });
  const list = element('ul', { className: 'entries', ariaLabel: t('routines') });
  const sheet = openSheet('routines', t('routines'), [none, list]);
  const line = ({ routine, day }) => {
    const { content, rule, from, time = '' } = routine;
    const note = [said(rule, from), clock(time, locale()), day ? t('nextOn', { day: dayName(day) }) : t('noneAhead')];
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
  };
  const inOrder = routines.all.map((routine) => ({ routine, day: routines.daysFrom(routine, model.today)[0] }))
    .sort((left, right) => ((left.day ?? '9999') < (right.day ?? '9999') ? -1 : 1));
  list.append(...inOrder.map(line));
}
