// What becomes of refused writes, as a part of the page: the service worker has it by itself.
import './shared.js';

export * from './refusing.js';
