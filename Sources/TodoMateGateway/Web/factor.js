// A second factor for my account: setting it up, recovery codes, and turning it off.
import { call, Refusal } from './api.js';
import { moment } from './entries.js';
import { field, Verdict } from './fields.js';
import { passwordHint } from './identities.js';
import { element } from './row.js';
import { words } from './secondStepWords.js';
import { reason, t, teach } from './words.js';

teach(words);

export const factorSection = { key: 'factor', build };

const LONGEST = 1024;
const LONGEST_CODE = 64;

function build({ model }) {
  const place = element('div', { className: 'fields', tabIndex: -1 });
  new Factor(place, model).load();
  return place;
}

class Factor {
  constructor(place, model) {
    Object.assign(this, { place, model, path: `/v1/users/${encodeURIComponent(model.uid)}/factor` });
    this.verdict = new Verdict('factor');
  }

  /** Shows what there is, and says what was done. */
  async load(done) {
    await this.guard({}, async () => {
      const { isOn, since, recoveryCodes } = await call('GET', this.path);
      if (isOn) this.showOn(since, recoveryCodes);
      else this.showOff();
      if (!done) return;
      this.verdict.praise(done);
      // The button that was pressed is gone.
      this.place.focus();
    });
  }

  show(...parts) {
    this.verdict.clear();
    this.place.replaceChildren(...parts, this.verdict.error, this.verdict.done);
  }

  showOff() {
    const password = passwordField();
    this.show(note(t('factorOff')), ...passwordHint(this.model), form([password], [[t('setUpFactor'), async () => {
      if (!password.lastChild.value) return this.verdict.refuse(t('passwordMissing'), password.lastChild);
      return this.guard({ password }, async () => this.showKey(await call('POST', this.path, { password: password.lastChild.value })));
    }]]));
  }

  showKey({ secret, link, picture }) {
    const code = field(t('firstCode'), codeInput('first-code'));
    const key = field(t('factorKey'), { id: 'factor-key', readOnly: true, value: secret.match(/.{1,4}/g).join(' ') });
    const open = element('a', { id: 'factor-link', href: link, textContent: t('factorLink') });
    const step = note(t('factorStep'));
    step.tabIndex = -1;
    this.show(step, drawn(picture), key, open, form([code], [[t('turnOnFactor'), async () => {
      if (!code.lastChild.value.trim()) return this.verdict.refuse(t('codeMissing'), code.lastChild);
      return this.guard({ code }, async () => {
        const { recoveryCodes, ended } = await call('PUT', this.path, { code: code.lastChild.value });
        this.showCodes(recoveryCodes, t('factorTurnedOn', { ended }));
      });
    }]]));
    step.focus();
  }

  showCodes(codes, done) {
    const title = element('h4', { tabIndex: -1, textContent: t('recoveryCodes') });
    const list = element('ul', { className: 'codes' }, ...codes.map((code) => element('li', { textContent: code })));
    const copy = element('button', { type: 'button', className: 'quiet', id: 'copy-codes', textContent: t('copy') });
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(codes.join('\n'));
        this.verdict.praise(t('copied'));
      } catch {
        getSelection().selectAllChildren(list);
        this.verdict.praise(t('copyByHand'));
      }
    });
    const shut = element('button', { type: 'button', className: 'primary', id: 'codes-kept', textContent: t('close') });
    shut.addEventListener('click', async () => {
      await this.load();
      this.place.querySelector('input')?.focus();
    });
    this.show(title, note(t('recoveryOnce')), list, copy, shut);
    this.verdict.praise(done);
    title.focus();
  }

  showOn(since, count) {
    const password = passwordField();
    const code = field(t('appOrRecovery'), codeInput('factor-code'));
    const ask = (path, then) => async () => {
      if (!password.lastChild.value) return this.verdict.refuse(t('passwordMissing'), password.lastChild);
      if (!code.lastChild.value.trim()) return this.verdict.refuse(t('codeMissing'), code.lastChild);
      return this.guard({ password, code }, async () =>
        then(await call('POST', `${this.path}/${path}`, { password: password.lastChild.value, code: code.lastChild.value })));
    };
    this.show(note(t('factorOn', { time: moment(since) })), note(t('recoveryLeft', { count })), form([password, code], [
      [t('renewRecovery'), ask('recovery-codes', ({ recoveryCodes }) => this.showCodes(recoveryCodes, t('recoveryMade')))],
      [t('turnOffFactor'), ask('off', () => this.load(t('factorTurnedOff')))],
    ]));
  }

  /** Does something, and says why not at the field that it is about. */
  async guard({ password, code }, ask) {
    for (const one of this.place.querySelectorAll('[aria-invalid]')) one.removeAttribute('aria-invalid');
    this.verdict.clear();
    try {
      await ask();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (refusal.kind === 'forbidden') return this.verdict.refuse(t('signInAgain'));
      if (['not-found', 'exists'].includes(refusal.kind)) {
        // It is otherwise by now than this shows.
        await this.load();
        return code && !password ? this.verdict.refuse(t('factorOver')) : undefined;
      }
      const isOfCode = !password || ['wrong-code', 'second-factor-unreadable'].includes(refusal.kind);
      this.verdict.refuse(reason(refusal), (isOfCode ? code : password)?.lastChild);
    }
    return undefined;
  }
}

const note = (words) => element('p', { className: 'note', textContent: words });

const passwordField = () => field(t('currentPassword'), { type: 'password', autocomplete: 'current-password', maxLength: LONGEST, id: 'factor-password' });

const codeInput = (id) => ({ id, autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxLength: LONGEST_CODE });

/** Fields, and buttons as `[words, act]`: Enter is the first. */
function form(fields, acts) {
  const buttons = acts.map(([words], index) => element('button', { type: index ? 'button' : 'submit', className: index ? 'quiet' : 'primary', textContent: words }));
  const made = element('form', { className: 'fields', noValidate: true }, ...fields, ...buttons);
  for (const each of fields) each.lastChild.setAttribute('aria-errormessage', 'factor-error');
  const run = async (index) => {
    for (const button of buttons) button.disabled = true;
    await acts[index][1]();
    for (const button of buttons) button.disabled = false;
  };
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    run(0);
  });
  buttons.slice(1).forEach((button, index) => button.addEventListener('click', () => run(index + 1)));
  return made;
}

// The server has drawn it; as a document of its own it can hold nothing that runs.
function drawn(picture) {
  const svg = document.importNode(new DOMParser().parseFromString(picture, 'image/svg+xml').documentElement, true);
  svg.setAttribute('class', 'qr');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', t('factorPicture'));
  return svg;
}
