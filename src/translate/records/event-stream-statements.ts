import { EVENTS } from './timed-list-statements';

/** Whether events wait for a place, and then the newest one that is given: it is that of all that came before, though others may give places meanwhile. */
export const NEWEST_PLACE = `WITH EXISTS { MATCH (event:Event {unplaced: true}) } AS isOneWaiting
OPTIONAL MATCH (order:EventOrder {key: 'events'})
RETURN coalesce(order.places, 0) AS newest, isOneWaiting`;

/** Takes the lock of those who give places. */
export const LOCK_EVENT_ORDER = `MERGE (order:EventOrder {key: 'events'})
SET order.lock = true`;

/** Reads what seals the ids of streams that do not show all events; made once, under the lock; `$secret`. */
export const STREAM_SECRET = `MATCH (order:EventOrder {key: 'events'})
SET order.secret = coalesce(order.secret, $secret)
RETURN order.secret AS secret`;

/** Gives places to events that are committed and have none, oldest first, under the lock; `$most`. */
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

/** Events after one place and up to another, under a filter if there is one; `$after`, `$newest`, `$most`. */
export const placedEvents = (filter: readonly string[], isOfSome: boolean): string => {
  const conditions = [
    'n.place > $after AND n.place <= $newest',
    ...(isOfSome ? ['n.provider_id IN $providers'] : []),
    ...filter,
  ];
  return `${EVENTS.match}
WHERE ${conditions.join(' AND ')}
WITH n
ORDER BY n.place
LIMIT $most
RETURN n.place AS place, properties(n) AS properties`;
};
