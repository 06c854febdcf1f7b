import { PastNode } from '../../model/past-facts';

/*
 * Cypher of questions about changes of access (docs/rules.md: Changes of access).
 */

/** When a push was. `$push`. */
export const INSTANT_OF_PUSH = `MATCH (push:Push {key: $push})
RETURN toString(push.at) AS at`;

/**
 * Whether a data source is registered, or the history has something of it: `$data_source`, and
 * `$prefix`, with which the keys of its rows begin.
 */
export const HISTORY_OF_SOURCE = `RETURN EXISTS { (:DataSource {key: $data_source}) } OR EXISTS {
  MATCH (past:${PastNode.label})
  USING INDEX SEEK past:${PastNode.label}(key, until)
  WHERE past.key STARTS WITH $prefix AND past.until IS NOT NULL
} AS is_known`;

/** The first push to each of some data sources that the service did not refuse: `$ids`. */
export const FIRST_PUSHES = `UNWIND $ids AS id
MATCH (source:DataSource {key: id})
CALL (source) {
  MATCH (source)<-[:FROM]-(one:Push)
  WHERE NOT one.outcome IN ['unchanged', 'refused']
  RETURN one.id AS push
  ORDER BY one.at
  LIMIT 1
}
RETURN id, push`;
