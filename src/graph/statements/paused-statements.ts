/** Whether policies and timed imports wait, since a restore brought an old graph (docs/operating.md: Restore). */
export const IS_PAUSED = `EXISTS {
  MATCH (store:Store {key: 'store'})
  WHERE store.paused IS NOT NULL
}`;
