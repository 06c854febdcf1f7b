import { Event, Push } from '../../model/service-nodes';
import type { NodeKind } from '../../model/table';
import { seek } from './seek';

/**
 * A list that is too long for the memory. The service reads it page by page, ordered by a time and
 * then by key.
 */
export interface TimedList {
  readonly kind: NodeKind;
  /** Cypher that finds its nodes as `n`. */
  readonly match: string;
  /** A condition on `n`. */
  readonly where?: string;
  /** The property that holds the time. */
  readonly time: string;
}

/** Which events a key that is limited to providers sees. `$providers`, `$types`. */
export const OF_LIMITED = 'n.provider_id IN $providers AND n.event_type IN $types';

/** All events (docs/rules.md: Events). */
export const EVENTS: TimedList = { kind: Event, match: 'MATCH (n:Event)', time: 'timestamp' };

/** The events of some providers that a limited key may see. `$providers`, `$types`. */
export const EVENTS_OF_PROVIDERS: TimedList = {
  ...EVENTS,
  where: OF_LIMITED,
};

/** The pushes to a data source (docs/rules.md: Lists). `$data_source`. */
export const PUSHES: TimedList = {
  kind: Push,
  match: 'MATCH (source:DataSource {key: $data_source})\nMATCH (source)<-[:FROM]-(n:Push)',
  time: 'at',
};

/**
 * A page of a list after one place, that passes the filter. The same statement reads every page.
 * `$time`, `$key`, `$most`.
 */
export const somePage = (
  { match, where, time }: TimedList,
  isDescending: boolean,
  filter: readonly string[] = [],
): string => {
  const [beyond, order] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const conditions = [
    `n.${time} ${beyond}= $time`,
    `(n.${time} ${beyond} $time OR n.key ${beyond} $key)`,
    ...(where === undefined ? [] : [where]),
    ...filter,
  ];
  return `${match}
WHERE ${conditions.join(' AND ')}
WITH n
ORDER BY n.${time} ${order}, n.key ${order}
LIMIT $most
RETURN properties(n) AS properties`;
};

/** A push to a data source. `$push`, `$data_source`. */
export const FIND_PUSH = `${seek('push', Push, 'key', '$push')}
MATCH (push)-[:FROM]->(:DataSource {key: $data_source})
RETURN properties(push) AS push`;
