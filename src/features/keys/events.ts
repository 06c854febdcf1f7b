import { eventTypes } from '../../contract/answers/event-types';

/** Events about team keys. */
export const events = eventTypes({
  TEAM_KEY_CREATED: 'nothing',
  TEAM_KEY_CHANGED: 'nothing',
  TEAM_KEY_ROTATED: 'nothing',
  TEAM_KEY_REVOKED: 'nothing',
  TEAM_KEY_REINSTATED: 'nothing',
  TEAM_KEY_DELETED: 'nothing',
});
