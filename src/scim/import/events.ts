import { eventTypes, shown } from '../../contract/answers/event-types';

/** Events about imports of applications. */
export const events = eventTypes({
  SCIM_IMPORT_SET: shown('data_source', 'every_seconds', 'whole_every_seconds'),
  SCIM_IMPORT_REMOVED: shown(),
  SCIM_IMPORTED: shown('outcome', 'reading', 'push_id', 'read'),
  // The error may name the address of the application.
  SCIM_IMPORT_FAILED: 'nothing',
});
