import { eventTypes, shown } from '../../contract/answers/event-types';

/** Events about connections to applications. */
export const events = eventTypes({
  // Only administrators see the address of an application, and how the service signs in.
  SCIM_CONNECTION_SET: shown(),
  SCIM_CONNECTION_REMOVED: shown(),
  SECRETS_RESEALED: 'nothing',
});
