import { fixed } from '../../settings/constant';
import { settingsOf } from '../../settings/declared';
import { optional, whole, withDefault } from '../../settings/setting';

/** The settings of what the service removes when it is old. */
export const settings = settingsOf(
  {
    retention: {
      eventDays: withDefault(
        'KEEP_EVENTS_DAYS',
        '90',
        whole(0, 36_500),
        'The service removes older events; 0: it removes none.',
      ),
      pushDays: withDefault(
        'KEEP_PUSHES_DAYS',
        '90',
        whole(0, 36_500),
        'The service removes older records of pushes, except of pushes that changed something and of the last push; 0: it removes none.',
      ),
      historyDays: optional(
        'KEEP_HISTORY_DAYS',
        whole(0, 36_500),
        'The service removes facts that ended longer ago; 0: it stores none. Unset: it removes none.',
      ),
    },
  },
  {
    retention: {
      everySeconds: fixed(
        'KEEP_EVERY_SECONDS',
        3600,
        'How often the service looks for old events and records.',
        'They are stored for days, so an hour more or less does not matter.',
      ),
    },
  },
);
