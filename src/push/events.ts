import { eventTypes, shown, withError } from '../contract/answers/event-types';

/** Events about pushes, and about what they changed. */
export const events = eventTypes({
  PUSH_ACCEPTED: shown('push_id', 'confirmed_removal'),
  PUSH_UNCHANGED: shown('push_id', 'confirmed_removal'),
  PUSH_WARNED: shown('push_id', 'confirmed_removal', 'warnings', 'warning_count'),
  PUSH_BEGUN: shown('push_id', 'confirmed_removal'),
  PUSH_PROGRESS: shown('push_id', 'confirmed_removal', 'done', 'total'),
  PUSH_RESUMED: shown('push_id', 'confirmed_removal'),
  PUSH_REPLACED: shown('push_id', 'confirmed_removal', 'replaced_push_id'),
  PUSH_REFUSED: withError('push_id', 'confirmed_removal'),
  PUSH_FAILED: withError('push_id', 'confirmed_removal'),
  // The pushes of other providers decide who gained access, and to what.
  ACCESS_CHANGED: 'nothing',
});
