import { eventTypes } from '../../contract/answers/event-types';

/** Events about the graph of access in memory. */
export const events = eventTypes({
  ACCESS_MEMORY_TOO_SMALL: 'nothing',
  ACCESS_MEMORY_DIFFERED: 'nothing',
});
