// What is read from the lines that somebody types: a chip for each day, time, goal and rule, to be taken off, and todos or routines that
// have them.
import './shared.js';
import './quickWords.js';
import { clock, format, yearOf } from './dates.js';
import { fetched, wear } from './later.js';
import { LONGEST } from './lines.js';
import { quickLine, ruleOfAll } from './quickLine.js';
import { startOf } from './routineDays.js';
import { addRoutine, said as saidRule } from './routines.js';
import styles from './quickAdd.css';
import { element } from './row.js';
import { current, harmless, locale, t } from './words.js';

wear(styles);

const MOST_OFFERED = 5;
const TAG = /(?<=^|\s)#([^\s#]{1,40}?)[,:]?(?=\s|$)/gu;

// What a list in a text begins its lines with: `- `, `* `, `• `, `1. ` and `[ ] `.
const MARK = /^\s*(?:(?:[-*•]|\d{1,2}[.)])\s+(?:\[[ xX]?\]\s+)?|\[[ xX]?\]\s+)(?=\S)/;

/** The lines of a list, if that is what all of them are. */
function withoutMarks(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.length > 1 && lines.every((line) => MARK.test(line)) ? lines.map((line) => line.replace(MARK, '')).join('\n') : text;
}

export class QuickAdd {
  /** `changed()`: what is read has changed, but not the text in the `field`. */
  constructor(model, field, changed) {
    Object.assign(this, { model, field, changed, asText: [], ids: new Map(), making: null });
    this.list = element('ul', { className: 'read', hidden: true });
    this.status = element('p', { className: 'unseen' });
    this.status.setAttribute('role', 'status');
    field.form.append(this.list, this.status);
    this.list.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button?.dataset.name) this.make(button.dataset.name);
      else this.takeOff(button);
    });
    field.addEventListener('input', ({ inputType }) => {
      const text = inputType === 'insertFromPaste' ? withoutMarks(field.value) : field.value;
      if (text === field.value) return;
      field.value = text;
      changed();
    });
    field.addEventListener('keydown', (event) => {
      const isAtStart = field.selectionStart === 0 && field.selectionEnd === 0;
      if (event.key !== 'Backspace' || event.isComposing || !isAtStart || this.list.hidden) return;
      event.preventDefault();
      this.takeOff([...this.list.querySelectorAll('.read-chip')].at(-1));
    });
    this.list.addEventListener('keydown', (event) => {
      if (event.key !== 'Backspace' && event.key !== 'Delete') return;
      event.preventDefault();
      this.takeOff(event.target.closest('button'));
    });
    // Goals that are made, named or put away elsewhere, or here by what had no answer.
    model.on('profile', () => this.render());
  }

  /** Another board shows, with words that were to stay text before a reload. */
  open(asText = []) { this.asText = asText; }

  /** More words that are to stay text. */
  keep(asText) { this.asText = [...new Set([...this.asText, ...asText])]; }

  takeOff(chip) {
    if (!chip?.dataset.words) return;
    this.keep([chip.dataset.words]);
    this.field.focus();
    this.changed();
  }

  read(line) { return quickLine(line, this.model.today, this.asText, this.model.circle?.goals); }

  /** The name behind a # that would be read if a goal had it; a line is for one goal. */
  unnamed(line, { readings }) {
    const { today, circle } = this.model;
    const names = [...line.matchAll(TAG)].map(([, name]) => name).filter((name) => !/^\d+$/.test(name)
      && circle.goals.every((goal) => goal.name.toLowerCase() !== name.toLowerCase()));
    if (readings.some(({ goal }) => goal)) return undefined;
    // Only those at an end can be.
    return [...new Set([names.at(-1), names[0]])].find((name) => name
      && quickLine(line, today, this.asText, [...circle.goals, { id: '', name }]).readings.some(({ goal }) => goal?.id === ''));
  }

  /** Makes a goal of this name, once however often it is asked for; what is sent off meanwhile waits for it. */
  make(name) {
    this.field.focus();
    this.making ??= this.#make(name).finally(() => {
      this.making = null;
      this.changed();
    });
  }

  async #make(name) {
    const { uid, circle, actions } = this.model;
    const module = await fetched(() => import('./goals.js'), this.model);
    // After an answer that was lost it is the same one.
    const id = this.ids.get(name) ?? module?.newGoalID();
    this.ids.set(name, id);
    if (module && await module.makeGoal({ uid, circle, toasts: actions.toasts }, id, name)) this.ids.delete(name);
  }

  /** Shows what is read from the lines as they are now. */
  render() {
    const { model, field, list } = this;
    const typed = field.value.split('\n');
    const lines = typed.map((line) => this.read(line));
    // Words that are not there any more may be read when they are typed again.
    const asText = this.asText.filter((words) => lines.some(({ kept }) => kept.includes(words)));
    if (asText.length !== this.asText.length) {
      this.asText = asText;
      return this.render();
    }
    model.actions?.drafts.set('asText', asText);
    const found = new Map(lines.flatMap(({ readings }) => readings).map((reading) => [reading.words, reading]));
    // Not before the goals are known.
    const tagged = model.circle?.profile ? typed.map((line, index) => [line, lines[index]]) : [];
    const offered = new Set(tagged.filter(([line]) => line.length <= LONGEST && line.includes('#')).slice(0, MOST_OFFERED)
      .map(([line, read]) => this.unnamed(line, read)).filter(Boolean));
    const looks = JSON.stringify([current(), model.today, ...offered, ...found]);
    if (looks === this.looks) return undefined;
    this.looks = looks;
    list.hidden = !found.size && !offered.size;
    list.setAttribute('aria-label', t('readHere'));
    // Who stood at one of them goes on with the words.
    if (list.contains(document.activeElement)) field.focus();
    list.replaceChildren(...[...found.values()].map((reading) => this.chip(reading)), ...[...offered].map(offer));
    this.status.textContent = [...found.values()].map((reading) => t('readAs', { words: reading.words, meaning: said(reading) })).join(' ');
    return undefined;
  }

  chip(reading) {
    const meaning = said(reading);
    const made = element('button', { type: 'button', className: 'quiet read-chip' },
      element('span', { className: 'of', textContent: reading.words }), element('b', { textContent: meaning }),
      element('span', { textContent: '×', ariaHidden: 'true' }));
    made.dataset.words = reading.words;
    made.dataset.means = reading.day ?? reading.time ?? reading.rule ?? reading.until ?? reading.goal.id;
    if (reading.goal) made.dataset.color = reading.goal.color;
    made.setAttribute('aria-label', `${t('readAs', { words: reading.words, meaning })} ${t('keepAsText')}`);
    made.title = t('keepAsText');
    return element('li', {}, made);
  }

  /** Adds a todo for each line, and says so of those that are not on the day that shows. */
  add(lines) {
    const { actions, day: shown } = this.model;
    const all = lines.map((line) => ({ line, ...this.read(line) }));
    // What is added to be done again and again says so itself.
    const todos = all.filter(({ readings }) => !ruleOfAll(readings));
    const isOne = todos.length === 1;
    const elsewhere = todos.filter(({ readings }) => readings.some(({ day }) => day && day !== shown)).length;
    const ids = [];
    // Several are taken back at once, as they were typed.
    const each = ({ line, content, readings, kept }) => {
      const day = readings.find((reading) => reading.day)?.day ?? shown;
      const time = readings.find((reading) => reading.time)?.time;
      const goal = readings.find((reading) => reading.goal)?.goal;
      // What is seen of it is what the goal says, as of all that is added to it.
      const rest = { ...(time && { time }), ...(goal && { goal: goal.id, visibility: goal.visibility }) };
      const rule = ruleOfAll(readings);
      if (rule) {
        const fields = { content, rule, from: startOf(rule, day), ...(time && { time }), ...(goal && { goal: goal.id }) };
        return addRoutine(this.model, fields, { line, asText: kept });
      }
      return actions.add(content, day, rest, { typed: { line, asText: kept }, isTold: isOne && day !== shown });
    };
    if (todos.length < 2) return all.map(each);
    const words = t(elsewhere ? 'addedElsewhere' : 'addedSeveral', { count: todos.length, elsewhere });
    actions.undo.together(words, () => ids.push(...all.map(each)), elsewhere > 0);
    return ids;
  }
}

/** What makes a goal that is named, but is none yet. */
function offer(name) {
  const made = element('button', { type: 'button', className: 'quiet goal-offer', textContent: t('offerGoal', { name: harmless(name) }) });
  made.dataset.name = name;
  return element('li', {}, made);
}

const said = ({ day, time, goal, rule, until }) => {
  if (rule) return saidRule(rule);
  if (goal) return harmless(goal.name);
  if (until) return t('untilDay', { day: said({ day: until }) });
  return day ? format(day, locale(), { weekday: 'short', year: yearOf(day), month: 'short', day: 'numeric' }) : clock(time, locale());
};
