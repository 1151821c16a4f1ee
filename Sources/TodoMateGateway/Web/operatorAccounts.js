// The accounts of an installation: what each has, a search by how names begin, and what an operator decides about them.
import { Refusal } from './api.js';
import { moment } from './entries.js';
import { choice, field, Verdict } from './fields.js';
import * as api from './operatorAPI.js';
import { element } from './row.js';
import { harmless, locale, reason, t } from './words.js';

const PAUSE = 250;
const LONGEST_REASON = 200;
const MEGA = 1_000_000;
/** How small and how large the limits may be, as the server has it. */
const BOUNDS = { bytes: [0, 1_073_741_824], todos: [0, 50_000], tokens: [0, 500], writes: [1, 60_000], invitations: [0, 50] };
const SELECTIONS = ['all', 'suspended', 'operators'];

export class Accounts {
  /** `me` is the operator, who is none to be suspended. */
  constructor(me) {
    Object.assign(this, { me, asked: 0 });
    this.search = field(t('searchAccounts'), { id: 'search-accounts', type: 'search', maxLength: 64, autocapitalize: 'none', spellcheck: false, autocomplete: 'off' });
    this.only = choice(t('whichAccounts'), 'which-accounts', SELECTIONS.map((each) => [each, t(`only_${each}`)]));
    this.verdict = new Verdict('accounts');
    this.list = element('ul', { className: 'entries accounts' });
    this.list.setAttribute('aria-label', t('accounts'));
    this.more = element('button', { type: 'button', className: 'quiet', id: 'more-accounts', textContent: t('showMore'), hidden: true });
    this.more.addEventListener('click', () => this.load(this.next));
    this.search.lastChild.addEventListener('input', () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(() => this.load(), PAUSE);
    });
    this.only.lastChild.addEventListener('change', () => this.load());
    this.element = element('div', { className: 'fields' }, this.search, this.only, this.verdict.error, this.verdict.done, this.list, this.more);
    this.load();
  }

  async load(after) {
    const number = ++this.asked;
    this.verdict.clear();
    await this.guard(this.verdict, async () => {
      const { users, next, missing } = await api.accounts(this.search.lastChild.value.trim(), this.only.lastChild.value, after);
      // Another search has begun meanwhile.
      if (number !== this.asked) return;
      const lines = users.map((user) => this.line(user));
      if (after) this.list.append(...lines); else this.list.replaceChildren(...lines);
      this.next = next;
      this.more.hidden = !next;
      if (after) lines[0]?.querySelector('summary').focus();
      else if (!missing) this.verdict.praise(users.length ? '' : t('noAccounts'));
      if (missing) this.verdict.refuse(t('accountsMissing'));
    });
  }

  line(user) {
    const item = element('li', { className: 'account-line' });
    item.dataset.uid = user.uid;
    this.fill(item, user);
    return item;
  }

  /** Draws an account; one that was open stays so. */
  fill(item, user) {
    const fold = element('details', { open: Boolean(item.firstChild?.open) },
      element('summary', {},
        element('span', { className: 'account-name', textContent: user.name ? `${user.uid} (${harmless(user.name)})` : user.uid }),
        element('span', { className: 'note', textContent: notes(user).join(' · ') })));
    const show = () => { if (fold.open && fold.children.length === 1) fold.append(...this.forms(item, user)); };
    fold.addEventListener('toggle', show);
    item.replaceChildren(fold);
    show();
  }

  forms(item, user) {
    const forms = [this.limits(item, user)];
    if (user.uid !== this.me && user.role !== 'operator') forms.unshift(user.suspended ? this.resuming(item, user) : this.suspending(item, user));
    return forms;
  }

  suspending(item, user) {
    const why = field(t('suspendReason'), { id: `reason-${user.uid}`, maxLength: LONGEST_REASON, autocomplete: 'off' });
    return this.form(item, user, t('suspend'), [why], () => api.suspend(user.uid, why.lastChild.value.trim()), t('isSuspended', { name: user.uid }));
  }

  resuming(item, user) {
    return this.form(item, user, t('resume'), [], () => api.resume(user.uid), t('isResumed', { name: user.uid }));
  }

  limits(item, user) {
    const { limits = {} } = user;
    const number = (key, value) => field(t(`limit_${key}`), { id: `${key}-${user.uid}`, type: 'number', min: BOUNDS[key][0], step: key === 'bytes' ? 'any' : 1, inputMode: 'numeric', placeholder: t('asServer'), value: value ?? '' });
    const shownBytes = limits.bytes === undefined ? '' : String(Math.round(limits.bytes / MEGA * 1000) / 1000);
    const fields = {
      bytes: number('bytes', shownBytes),
      todos: number('todos', limits.todos), tokens: number('tokens', limits.tokens), writes: number('writes', limits.writes),
      invitations: number('invitations', limits.invitations),
    };
    const inputs = Object.entries(fields).map(([key, label]) => [key, label.lastChild]);
    // What nobody has touched stays to the byte.
    const meant = (key, { value }) => (key !== 'bytes' ? Number(value) : value === shownBytes ? limits.bytes : Math.round(Number(value) * MEGA));
    const fault = () => {
      for (const [key, input] of inputs) {
        // What is no number at all has no value either.
        const isGiven = input.value !== '' || input.validity.badInput;
        if (isGiven && !isWithin(BOUNDS[key], input.value && meant(key, input))) return [boundsOf(key), input];
      }
      return null;
    };
    const ask = () => api.limit(user.uid, Object.fromEntries(inputs.filter(([, { value }]) => value !== '').map(([key, input]) => [key, meant(key, input)])));
    return this.form(item, user, t('saveLimits'), Object.values(fields), ask, t('limitsSaved', { name: user.uid }), fault);
  }

  /** `fault()` answers what cannot be asked, and at which field. */
  form(item, user, words, fields, ask, done, fault = () => null) {
    const verdict = new Verdict(`${words}-${user.uid}`.replaceAll(/\s/g, '-'));
    const button = element('button', { type: 'submit', className: 'primary', textContent: words });
    button.setAttribute('aria-label', `${words}: ${user.uid}`);
    const form = element('form', { className: 'fields', noValidate: true }, ...fields, verdict.error, button);
    form.addEventListener('input', (event) => event.target.removeAttribute('aria-invalid'));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      verdict.clear();
      const wrong = fault();
      if (wrong) return verdict.refuse(...wrong);
      button.disabled = true;
      await this.guard(verdict, async () => {
        this.fill(item, await ask());
        this.verdict.praise(done);
        // The button that was pressed is gone.
        item.querySelector('summary').focus();
      });
      button.disabled = false;
      return undefined;
    });
    return form;
  }

  async guard(verdict, ask) {
    try {
      await ask();
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      const words = { 403: t('noOperator'), 404: t('noSuchAccount') };
      verdict.refuse(words[problem.status] ?? reason(problem));
    }
  }
}

const isWithin = ([least, most], number) => Number.isInteger(number) && number >= least && number <= most;

function boundsOf(key) {
  const shown = (count) => new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }).format(key === 'bytes' ? Math.floor(count / MEGA) : count);
  const [least, most] = BOUNDS[key].map(shown);
  return t(key === 'bytes' ? 'sizeBounds' : 'limitBounds', { limit: t(`limit_${key}`), least, most });
}

function notes(user) {
  const size = (bytes) => new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / MEGA);
  return [
    user.role && t('isOperator'), user.suspended && (user.reason ? t('suspendedBecause', { reason: harmless(user.reason) }) : t('isSuspendedNote')),
    user.leaving && t('isLeavingNote', { time: moment(user.leaving) }), user.factor && t('hasFactor'),
    t('todosAndSize', { count: user.todos, used: size(user.bytes), most: size(user.bytesMost) }),
    t('sessionCounts', { signIns: user.signIns, tokens: user.tokens }),
    user.used ? t('lastUsed', { time: moment(user.used) }) : t('neverUsed'),
    user.limits && t('hasLimits'),
  ].filter(Boolean);
}
