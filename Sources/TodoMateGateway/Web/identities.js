// By which accounts elsewhere I sign in here: linking and unlinking them, and setting a password where there is none.
import * as api from './api.js';
import { entry, Entries, moment } from './entries.js';
import { field, Verdict } from './fields.js';
import { words } from './providerWords.js';
import { element } from './row.js';
import { reason, t, teach } from './words.js';

teach(words);

export const identitiesSection = { key: 'identities', build, isFor: ({ providers }) => providers.length > 0 };

/** What to say where a password is asked for that whoever signs in by a provider may not have. */
export const passwordHint = ({ providers }) => (providers.length ? [element('p', { className: 'note', textContent: t('noPasswordYet') })] : []);

function build({ model }) {
  const { uid } = model;
  const verdict = new Verdict('identities');
  const named = (id) => model.providers.find((provider) => provider.id === id)?.name ?? id;
  const ways = element('div', { className: 'fields' });
  const entries = new Entries(t('settings_identities'), verdict, async () => {
    const { identities, providers, hasPassword } = await api.identities(uid);
    // Of a provider that the server has no more nobody comes back.
    const back = identities.find(({ provider }) => model.providers.some(({ id }) => id === provider));
    ways.replaceChildren(...hasPassword ? linking(providers) : [], ...back ? [setting(back, hasPassword ? 'setAnewHint' : 'setByProviderHint')] : []);
    return identities.map((one) => entry(
      named(one.provider), [one.label, t('linkedTo', { time: moment(one.linked) })],
      t('unlink'), () => entries.act(() => unlink(one), () => t('unlinked'))));
  });

  async function unlink({ id }) {
    try {
      return await api.unlink(uid, id);
    } catch (error) {
      if (error.status !== 412) throw error;
      throw new api.Refusal(412, { detail: t('lastIdentity') });
    }
  }

  async function go(provider, password) {
    verdict.clear();
    try {
      const { location: there } = await api.beginLink(uid, provider, password);
      location.assign(there);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      verdict.refuse(reason(error), ways.querySelector('input') ?? ways.querySelector('button'));
    }
  }

  function linking(providers) {
    const password = field(t('password'), { type: 'password', id: 'link-password', autocomplete: 'current-password', maxLength: 1024 });
    const hint = element('p', { className: 'rule', textContent: t('linkHint') });
    return [password, hint, ...providers.map(({ id, name }) => {
      const button = element('button', { type: 'button', className: 'quiet', textContent: t('linkProvider', { name }) });
      button.addEventListener('click', () => go(id, password.lastChild.value));
      return button;
    })];
  }

  function setting(identity, hint) {
    const name = named(identity.provider);
    const button = element('button', { type: 'button', className: 'quiet', id: 'set-by-provider', textContent: t('setByProvider') });
    button.addEventListener('click', () => go(identity.provider));
    return element('div', {}, element('p', { textContent: t(hint, { name }) }), button);
  }

  return element('div', { className: 'fields' }, entries.list, verdict.error, ways, verdict.done);
}
