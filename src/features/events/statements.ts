import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import {
  LOCK_EVENT_ORDER,
  NEWEST_PLACE,
  PLACE_EVENTS,
  placedEvents,
} from './event-stream-statements';
import {
  EVENTS,
  EVENTS_OF_PROVIDERS,
  somePage,
} from '../../graph/statements/timed-list-statements';

/** The statements of events. */
export const eventCatalog = (): readonly CatalogEntry[] => [
  entry('Events, newest first', somePage(EVENTS, true)),
  entry('Events, oldest first', somePage(EVENTS, false)),
  entry('Events of some providers, newest first', somePage(EVENTS_OF_PROVIDERS, true)),
  entry('The newest place in the live stream', NEWEST_PLACE),
  entry('Lock the places of events', LOCK_EVENT_ORDER),
  entry('Give events their places', PLACE_EVENTS),
  entry('Events by their places', placedEvents([], false)),
  entry('Events of some providers by their places', placedEvents([], true)),
];
