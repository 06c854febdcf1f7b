import { PastNode, PastRelationship } from '../../model/past-facts';

/** Since when ended facts are stored. */
export const READ_HISTORY_SINCE = `MATCH (store:Store {key: 'store'})
RETURN toString(store.history_since) AS since`;

/** How many facts of each kind ended. Neo4j stores these counts. */
export const COUNT_PAST: readonly string[] = [PastNode, PastRelationship].map(
  ({ label }) => `MATCH (past:${label}) RETURN count(past) AS number`,
);

/** The newest facts of each kind that ended. `$most`. */
export const NEWEST_PAST: readonly string[] = [PastNode, PastRelationship].map(
  ({ label }) => `MATCH (past:${label})
WHERE past.until IS NOT NULL
WITH past
ORDER BY past.until DESC
LIMIT $most
RETURN properties(past) AS properties`,
);
