import { eventTypes } from '../../contract/answers/event-types';

/** Events about people who sign in. */
export const events = eventTypes({
  PERSON_SIGNED_IN: 'nothing',
  PERSON_SIGNED_OUT: 'nothing',
  SESSION_ENDED: 'nothing',
});
