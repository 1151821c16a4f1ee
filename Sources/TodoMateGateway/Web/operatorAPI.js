// What an operator asks of the server.
import { call } from './api.js';

const PATH = '/v1/operator';
const user = (uid) => `${PATH}/users/${encodeURIComponent(uid)}`;

export const overview = () => call('GET', PATH);
/** A page of accounts; `after` is where the one before has ended. */
export const accounts = (prefix, only, after) => call('GET', `${PATH}/users?${new URLSearchParams(Object.entries({ prefix, only, after }).filter(([, value]) => value))}`);
export const suspend = (uid, reason) => call('POST', `${user(uid)}/suspend`, { reason });
export const resume = (uid) => call('POST', `${user(uid)}/resume`);
/** All limits at once: one that is left out is what the server allows each. */
export const limit = (uid, limits) => call('PUT', `${user(uid)}/limits`, limits);
export const announce = (announcement) => call('PUT', `${PATH}/announcement`, announcement);
export const endAnnouncement = () => call('DELETE', `${PATH}/announcement`);
