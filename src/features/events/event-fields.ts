import { TIMED_TOKEN_PLACES } from '../../contract/page';
import type { ListFields } from '../../web/lists/list-query';

/** The fields by which callers filter and order events. */
export const EVENT_FIELDS: ListFields = {
  filtered: [
    'id',
    'timestamp',
    'category',
    'severity',
    'name',
    'message',
    'event_type',
    'entity',
    'entity_id',
    'entity_name',
    'provider_id',
  ],
  ordered: ['timestamp'],
  usual: { field: 'timestamp', isDescending: true },
  tokenPlaces: TIMED_TOKEN_PLACES,
};
