import { EVENTS, OF_LIMITED } from '../../graph/statements/timed-list-statements';

/**
 * Reads first whether events wait for a place, and then the newest place. In this order, the newest
 * place covers all events that did not wait, even if another process gives places at the same time.
 */
export const NEWEST_PLACE = `WITH EXISTS { MATCH (event:Event {unplaced: true}) } AS isOneWaiting
OPTIONAL MATCH (order:EventOrder {key: 'events'})
RETURN coalesce(order.places, 0) AS newest, isOneWaiting`;

/** Takes the lock under which a process gives events their places. */
export const LOCK_EVENT_ORDER = `MERGE (order:EventOrder {key: 'events'})
SET order.lock = true`;

/** Gives places to committed events without one, the oldest first, under the lock. `$most`. */
export const PLACE_EVENTS = `MATCH (event:Event {unplaced: true})
WITH event
ORDER BY event.timestamp, event.key
LIMIT $most
WITH collect(event) AS events
MATCH (order:EventOrder {key: 'events'})
WITH order, events, coalesce(order.places, 0) AS before
SET order.places = before + size(events)
WITH events, before
UNWIND range(1, size(events)) AS at
WITH events[at - 1] AS event, before + at AS place
SET event.place = place
REMOVE event.unplaced`;

/**
 * The events after one place and up to another, that pass the filter. `$after`, `$newest`, `$most`,
 * and for a limited key `$providers` and `$types`.
 */
export const placedEvents = (filter: readonly string[], isOfSome: boolean): string => {
  const conditions = [
    'n.place > $after AND n.place <= $newest',
    ...(isOfSome ? [OF_LIMITED] : []),
    ...filter,
  ];
  return `${EVENTS.match}
WHERE ${conditions.join(' AND ')}
WITH n
ORDER BY n.place
LIMIT $most
RETURN n.place AS place, properties(n) AS properties`;
};
