// Texts as the server takes them.

/** The most characters of a todo. */
export const LONGEST = 500;

/** One line, without control characters. */
export const line = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

/** Lines, without control characters and without space at the end. */
export const lines = (text) => text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').trimEnd();
