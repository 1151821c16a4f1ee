// What happened to my account: the last hundred events.
import * as api from './api.js';
import { entry, Entries, moment } from './entries.js';
import { Verdict } from './fields.js';
import { element } from './row.js';
import { device, t } from './words.js';

export const eventsSection = { key: 'events', build };

const KINDS = [
  'sign-in', 'refused', 'token-made', 'token-ended', 'session-ended', 'sessions-ended', 'password-changed', 'audience-changed',
  'identity-linked', 'identity-unlinked',
  'suspended', 'resumed', 'role-changed', 'limits-changed',
  'factor-on', 'factor-off', 'code-refused', 'recovery-used', 'recovery-made',
  'deletion-begun', 'deletion-withdrawn', 'mail-changed', 'mail-removed',
];

function build({ model }) {
  const verdict = new Verdict('events');
  const entries = new Entries(t('settings_events'), verdict, async () => {
    const { events } = await api.events(model.uid);
    return events.map((event) => {
      const line = entry(words(event), [moment(event.at), event.name, event.from, event.device && device(event.device), event.reason, event.by && t('byOperator', { name: event.by })]);
      line.dataset.kind = event.kind;
      return line;
    });
  });
  return element('div', { className: 'fields' }, entries.list, verdict.error);
}

// A later version of the server may know more kinds.
function words({ kind, count, audience, role }) {
  if (!KINDS.includes(kind)) return kind;
  if (kind === 'role-changed') return t(`role_${role === 'operator' ? role : 'none'}`);
  return t(`event_${kind}`, { count, audience: audience && t(`audience_${audience}`) });
}
