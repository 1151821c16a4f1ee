// What is in my account, from above: fetched when that is opened, as most people seldom do.
import { english } from './accountEnglish.js';
import { korean } from './accountKorean.js';
import { archiveSection } from './archive.js';
import { deletionSection } from './deletion.js';
import { devicesSection } from './devices.js';
import { eventsSection } from './events.js';
import { factorSection } from './factor.js';
import { identitiesSection } from './identities.js';
import { operatorSection } from './operatorSection.js';
import { passwordSection } from './password.js';
import { profileSection } from './profile.js';
import { tokensSection } from './tokens.js';
import { teach } from './words.js';

teach({ en: english, ko: korean });

/**
 * Each has a `key`, whose words are its title, and `build({ model, session })`, which answers what goes in; and `isFor(model)` where
 * it is not for everybody.
 */
export const SECTIONS = [
  profileSection, passwordSection, factorSection, identitiesSection, devicesSection, tokensSection, eventsSection, archiveSection,
  deletionSection, operatorSection,
];

// It looks as it should before anything of it shows.
const styles = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/settings.css' });
await new Promise((resume) => {
  for (const ending of ['load', 'error']) styles.addEventListener(ending, resume);
  document.head.append(styles);
});
