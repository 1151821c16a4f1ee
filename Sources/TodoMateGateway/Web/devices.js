// Where I am signed in, and how to end that from here.
import * as api from './api.js';
import { entry, Entries, moment } from './entries.js';
import { Verdict } from './fields.js';
import { element } from './row.js';
import { device, t } from './words.js';

export const devicesSection = { key: 'devices', build };

function build({ model }) {
  const { uid } = model;
  const verdict = new Verdict('devices');
  const entries = new Entries(t('settings_devices'), verdict, async () => {
    const { sessions } = await api.sessions(uid);
    const signIns = sessions.filter(({ kind }) => kind === 'sign-in').reverse();
    others.hidden = sessions.length < 2;
    return signIns.map((one) => entry(
      device(one.device),
      [one.isCurrent && t('thisDevice'), one.from, t('since', { time: moment(one.made) }), one.lastUsed && t('lastUsed', { time: moment(one.lastUsed) })],
      t('end'), !one.isCurrent && (() => entries.act(() => api.endSession(uid, one.id), () => t('ended')))));
  });
  const others = element('button', { type: 'button', className: 'primary', id: 'end-others', textContent: t('endOthers'), hidden: true });
  others.addEventListener('click', () => entries.act(() => api.endOtherSessions(uid), ({ ended }) => t('othersEnded', { count: ended })));
  return element('div', { className: 'fields' }, entries.list, verdict.error, others, verdict.done);
}
