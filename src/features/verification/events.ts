import { eventTypes, shown } from '../../contract/answers/event-types';

/** Events about verifications. */
export const events = eventTypes({
  DATASOURCE_VERIFIED: shown('findings', 'next_full_push', 'rows_gone'),
});
