/* How statements walk the relationships that access follows. */

export { kindOfKey } from './walk';
