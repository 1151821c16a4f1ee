// What is in my account, from above: fetched when that is opened, as most people seldom do.
import './shared.js';
import { english } from './accountEnglish.js';
import { korean } from './accountKorean.js';
import { archiveSection } from './archive.js';
import { deletionSection } from './deletion.js';
import { devicesSection } from './devices.js';
import { eventsSection } from './events.js';
import { factorSection } from './factor.js';
import { identitiesSection } from './identities.js';
import { limitsSection } from './limits.js';
import { mailSection } from './mail.js';
import { operatorSection } from './operatorSection.js';
import { passwordSection } from './password.js';
import { profileSection } from './profile.js';
import { openSheet } from './sheet.js';
import { tokensSection } from './tokens.js';
import { t, teach } from './words.js';

teach({ en: english, ko: korean });

/**
 * Each has a `key`, whose words are its title, and `build({ model, session })`, which answers what goes in; and `isFor(model)` where
 * it is not for everybody.
 */
const SECTIONS = [
  profileSection, passwordSection, mailSection, factorSection, identitiesSection, devicesSection, tokensSection, limitsSection, eventsSection,
  archiveSection, deletionSection, operatorSection,
];

/** Opens the sheet, for who is here. */
export function openSections(model, fold) {
  const sections = SECTIONS.filter(({ isFor }) => isFor?.(model) ?? true).map(fold);
  return openSheet('mine', t('myAccount'), sections, document.getElementById('account'));
}
