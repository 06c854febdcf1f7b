/** The newest push that is counted, and how many wait. */
export const COUNTED_UP_TO = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN store.access_push AS push, toString(store.access_at) AS at,
  COUNT { MATCH (push:Push) WHERE push.turn > store.access_turn } AS waiting,
  toString(COLLECT {
    MATCH (push:Push) WHERE push.turn > store.access_turn
    RETURN push.at ORDER BY push.turn LIMIT 1
  }[0]) AS next`;
