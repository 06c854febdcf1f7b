import { eventTypes } from '../../contract/answers/event-types';

/** Events about trusts. */
export const events = eventTypes({
  // Trusts name other providers, and the relationships that they change belong to others.
  TRUSTS_SET: 'nothing',
});
