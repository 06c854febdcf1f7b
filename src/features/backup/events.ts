import { eventTypes } from '../../contract/answers/event-types';

/** Events about a graph that somebody restored. */
export const events = eventTypes({
  GRAPH_RESTORED: 'nothing',
  RESTORED_WORK_STARTED: 'nothing',
});
