// What the page needs soon, but not for its first paint.
export { Drag } from './drag.js';
export * from './offline.js';
export { leadBack } from './wayBack.js';
