// Signing in by a provider: its buttons at the door, choosing a name after it, and what the page says of those who come back from it.
// Fetched where a server has providers.
import './shared.js';
import { words } from './providerWords.js';
import { element } from './row.js';
import { t, teach } from './words.js';

teach(words);

/** Puts a button for each provider under the door's own. */
export function offer(providers, door) {
  const place = door.querySelector('.providers') ?? door.appendChild(element('div', { className: 'providers' }));
  place.replaceChildren(...providers.map(({ id, name }) => {
    const button = element('a', { className: 'quiet', href: `/v1/providers/${encodeURIComponent(id)}/begin` });
    button.textContent = t('signInBy', { name });
    return button;
  }));
}

/** What to say of a journey that led nowhere. */
export const refusal = (reason) => t(`journey_${reason}` in words.en ? `journey_${reason}` : 'journey_token');
