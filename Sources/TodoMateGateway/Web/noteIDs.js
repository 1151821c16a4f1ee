// The ids of the notes of days, apart from all that has words: the service worker knows them, too.
const PREFIX = 'note-of-';

/** What the note of a day is called. */
export const noteID = (day) => PREFIX + day;

export const isNote = (id) => id.startsWith(PREFIX);
