// Notes of days: todos whose ids say so. What one says is its detail; the rest of it stays as it is.
import { isNote, noteID } from './noteIDs.js';
import { t } from './words.js';

export { isNote, noteID };

/** A new note; it is nobody else's until its writer says otherwise. */
export const newNote = (day, detail, visibility = 'private') => ({ id: noteID(day), date: day, content: '📔', detail, status: 'incomplete', visibility });

/** What a todo is called where it is named. */
export const titleOf = ({ id, content }) => (isNote(id) ? t('dayNote') : content);
