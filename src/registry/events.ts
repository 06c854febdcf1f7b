import { eventTypes, shown } from '../contract/answers/event-types';

/** Events about providers and data sources. */
export const events = eventTypes({
  PROVIDER_REGISTERED: shown(),
  PROVIDER_CHANGED: shown('changes'),
  PROVIDER_DELETED: shown('rows', 'confirmed_removal', 'erased_history'),
  DATASOURCE_CREATED: shown(),
  DATASOURCE_DELETED: shown('rows', 'confirmed_removal', 'erased_history', 'ended_at'),
  DELETION_REFUSED: shown('confirmed_removal'),
  REMOVAL_ALLOWED: shown('until'),
});
