const things = (count) => (count === 1 ? '1 todo' : `${count} todos`);

export const english = {
  signInTitle: 'Welcome back',
  signInHint: 'Sign in to see your day and your month.',
  openTitle: 'Whose board?',
  openHint: 'Open a board by the name of its user.',
  user: 'User', password: 'Password', signIn: 'Sign in', open: 'Open the board', signOut: 'Sign out', change: 'Other board',
  userRule: 'A user is 1 to 64 of A–Z a–z 0–9 . _ @ -',
  passwordMissing: 'Type your password.',
  noSignIn: 'This server runs without sign-in: everybody on this machine may act as anybody.',
  unreachable: 'The server does not answer. Trying again …',

  live: 'Live', connecting: 'Connecting …', reconnecting: 'Reconnecting …', offline: 'Offline',
  waitingCount: ({ count }) => `${count} unsaved`,

  today: 'Today', backToToday: 'Today', thisMonth: 'This month', monthBefore: 'Month before', monthAfter: 'Month after',
  newTodo: 'New todo', newHint: 'Add a todo', add: 'Add', messages: 'Messages',
  nothingToday: 'Nothing planned. Enjoy, or add the first thing below.',
  nothingThatDay: 'Nothing on this day yet.',
  done: ({ done, count }) => `${done} of ${count} done`,
  cell: ({ day, count }) => (count ? `${day}, ${things(count)}` : day),
  keys: 'Arrow keys walk through the list. Enter edits, Space changes the status, X marks as not done, M opens the menu, '
    + 'Alt with up or down reorders, Alt with left or right moves to the day before or after, Delete removes.',

  todo: 'To do', inProgress: 'In progress', complete: 'Done', incomplete: 'Not done',
  statusButton: 'Status of “{content}”: {status}', menuButton: 'More for “{content}”',
  edit: 'Edit', editContent: 'Todo', note: 'Note', moveTo: 'Move to', dayBefore: 'Day before', dayAfter: 'Day after',
  moveUp: 'Move up', moveDown: 'Move down', remove: 'Delete', status: 'Status', close: 'Close',
  saveHint: 'Enter saves, Escape cancels',
  waiting: 'not saved yet',

  removed: '“{content}” deleted.', undo: 'Undo', moved: '“{content}” moved to {day}.',
  goneWhileEditing: '“{content}” was deleted elsewhere.', addAgain: 'Add it again',
  conflict: '“{content}” was changed elsewhere; this is how it is now.', useMine: 'Use mine',
  refused: 'Not saved: {reason}', laterSaved: 'Not saved yet. It is sent as soon as the server answers.',
  sentNow: 'All saved.', dropped: 'Signed in as somebody else: unsaved changes were dropped.',
  unsavedLeave: 'Some changes are not saved yet.', leaveAnyway: 'Leave anyway',
  unknownProblem: 'the server refused',
  problems: {
    unauthenticated: 'The user or the password is wrong.',
    'too-many-attempts': 'Too many attempts: wait five minutes.',
    forbidden: 'These are somebody else’s todos.',
    full: 'This month is full: delete some todos first.',
    busy: 'The server is busy. Try again in a moment.',
    unavailable: 'The server cannot reach its database. Try again in a moment.',
  },
};
