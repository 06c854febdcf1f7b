import { eventTypes } from '../../contract/answers/event-types';

/** Events about erasures. */
export const events = eventTypes({
  PERSON_ERASED: 'nothing',
});
