// How I am called and pictured, and how days are shown to me.
import * as api from './api.js';
import { choice, field, Verdict } from './fields.js';
import { element } from './row.js';
import { reason, t } from './words.js';

export const profileSection = { key: 'profile', build };

const LONGEST_NAME = 40;
const LONGEST_FACE = 64;
const CHOICES = { language: ['en', 'ko'], weekStart: ['monday', 'saturday', 'sunday'] };

function build({ model }) {
  const before = model.circle.profile ?? {};
  const name = field(t('myName'), { id: 'my-name', maxLength: LONGEST_NAME, autocomplete: 'nickname', value: before.name ?? '', placeholder: model.uid });
  const face = field(t('myFace'), { id: 'my-face', maxLength: LONGEST_FACE, autocomplete: 'off', value: before.face ?? '', placeholder: '🦊' });
  const language = preference('language', CHOICES.language, before.language);
  const timeZone = zoneField(before.timeZone);
  const weekStart = preference('weekStart', CHOICES.weekStart, before.weekStart);
  const note = element('p', { className: 'note', id: 'name-note', textContent: t('myNameNote', { name: model.uid }) });
  name.lastChild.setAttribute('aria-describedby', note.id);
  const verdict = new Verdict('profile');
  const button = element('button', { type: 'submit', className: 'primary', textContent: t('saveProfile') });
  const form = element('form', { className: 'fields', noValidate: true },
    name, note, face, language, timeZone, weekStart, verdict.error, button, verdict.done);
  const inputs = Object.fromEntries(Object.entries({ name, face, language, timeZone, weekStart })
    .map(([key, label]) => [key, label.querySelector('input, select')]));
  for (const input of Object.values(inputs)) input.setAttribute('aria-errormessage', verdict.error.id);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    verdict.clear();
    for (const input of Object.values(inputs)) input.removeAttribute('aria-invalid');
    const { circle, uid } = model;
    const fields = Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, input.value.trim()]));
    fields.timeZone = zoneOf(fields.timeZone);
    inputs.timeZone.value = shown(fields.timeZone);
    button.disabled = true;
    try {
      circle.settings({ settings: await api.setProfile(uid, fields) });
      verdict.praise(t('profileSaved'));
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      // The server names the field first.
      const wrong = problem.status === 422 && Object.keys(inputs).find((key) => problem.problem.detail?.startsWith(`${key} `));
      verdict.refuse(wrong ? t(`wrong_${wrong}`) : reason(problem), inputs[wrong]);
    } finally {
      button.disabled = false;
    }
  });
  return form;
}

// A list to choose from, the device's own way first.
function preference(key, values, value = '') {
  const made = choice(t(key), `my-${key}`, [['', t(`${key}_own`)], ...values.map((each) => [each, t(`${key}_${each}`)])]);
  made.lastChild.value = value;
  return made;
}

// There are hundreds: any part of a name finds one as it is typed, and nothing is the device's own.
const zones = () => Intl.supportedValuesOf?.('timeZone') ?? [];
const shown = (zone) => zone.replaceAll('_', ' ');

function zoneField(value = '') {
  const made = field(t('timeZone'), { id: 'my-timeZone', autocomplete: 'off', spellcheck: false, value: shown(value), placeholder: t('timeZone_own') });
  const all = element('datalist', { id: 'zones' }, ...zones().map((zone) => element('option', { value: shown(zone) })));
  made.lastChild.setAttribute('list', all.id);
  made.append(all);
  return made;
}

/** The zone that is meant: by its name, or by the end of it that no other one has, such as a city. */
function zoneOf(text) {
  const wanted = text.replaceAll(' ', '_').toLowerCase();
  const named = zones().filter((zone) => zone.toLowerCase() === wanted);
  const ending = wanted ? zones().filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`)) : [];
  // What this browser does not know the server may.
  return named[0] ?? (ending.length === 1 ? ending[0] : text.replaceAll(' ', '_'));
}
