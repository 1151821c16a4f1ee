// What my account and a second step of signing in say, beside what the page says anyway.
export const english = {
  code: 'Code of your second factor', codeHint: 'Six digits from your authenticator app, or a recovery code.',
  settings_factor: 'Second factor',
  factorOff: 'Your password alone signs you in. With a second factor, signing in also takes a code from an app on your phone.',
  factorOn: 'Signing in takes your password and a code. On since {time}.',
  setUpFactor: 'Set up a second factor',
  factorStep: 'Scan this with an authenticator app, or type the key into it. Then type the code that the app shows. You have ten minutes.',
  factorPicture: 'QR code of the key below', factorKey: 'Key for the app', factorLink: 'Open in an app on this device',
  firstCode: 'Code from the app', turnOnFactor: 'Turn it on', codeMissing: 'Type the code.',
  factorTurnedOn: ({ ended }) => (ended ? 'Your second factor is on. You are signed out everywhere else; tokens go on.' : 'Your second factor is on.'),
  recoveryCodes: 'Recovery codes', recoveryOnce: 'Each signs you in once when you have no app. Keep them where you find them; they are shown only now.',
  recoveryLeft: ({ count }) => ({ 0: 'No recovery codes are left: make others.', 1: 'One recovery code is left: make others.' }[count] ?? `${count} recovery codes are left.`),
  appOrRecovery: 'Code from the app, or a recovery code',
  renewRecovery: 'Make other recovery codes', turnOffFactor: 'Turn it off', factorTurnedOff: 'Your second factor is off.',
  recoveryMade: 'Those of before are no good any more.', factorOver: 'The ten minutes are over. Begin again.',
  'event_factor-on': 'Second factor turned on', 'event_factor-off': 'Second factor turned off', 'event_code-refused': 'Wrong code',
  'event_recovery-used': 'Recovery code used, {count} left', 'event_recovery-made': 'Recovery codes made',
  problems: {
    'wrong-code': 'The code is wrong, was used before, or is over. Wait for the next one.',
    'second-factor-unreadable': 'Your second factor cannot be checked. Type a recovery code, or ask the operator to turn it off.',
  },
};
