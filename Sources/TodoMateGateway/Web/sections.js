// What is in my account, from above: fetched when that is opened, as most people seldom do.
import { devicesSection } from './devices.js';
import { eventsSection } from './events.js';
import { identitiesSection } from './identities.js';
import { operatorSection } from './operatorSection.js';
import { factorSection } from './factor.js';
import { passwordSection } from './password.js';
import { profileSection } from './profile.js';
import { tokensSection } from './tokens.js';

/**
 * Each has a `key`, whose words are its title, and `build({ model, session })`, which answers what goes in; and `isFor(model)` where
 * it is not for everybody.
 */
export const SECTIONS = [
  profileSection, passwordSection, factorSection, identitiesSection, devicesSection, tokensSection, eventsSection, operatorSection,
];
