import type { Difference } from '../../difference/difference';
import type { Pipeline } from '../../neo4j/pipeline';
import type { Row } from '../../rows/row/row';
import { IdpUser } from '../../templates/identity-provider/users';
import { graphKey } from './current-rows';

/** Ends the sessions of people. `$people[0]`: keys of their nodes. */
export const END_SESSIONS_OF_PEOPLE = `UNWIND $people[0] AS person
MATCH (session:PersonSession {people: [person]})
DELETE session`;

/** The users who come or go, or whose directory changes whether they may sign in. */
function* comeOrGone({ created, changed, removed }: Difference): Generator<Row> {
  for (const { row } of created) yield row;
  for (const { row } of removed) yield row;
  for (const { after, changes } of changed) if ('is_active' in changes) yield after.row;
}

/**
 * Ends the sessions of people who leave, in the transaction of the push. Those who come back begin
 * without one: so no session outlives an absence, whatever happens at once.
 */
export const endSessionsOfLeavers = async (
  pipeline: Pipeline,
  dataSource: string,
  difference: Difference,
): Promise<void> => {
  const users = [...comeOrGone(difference)].filter(({ kind }) => kind === IdpUser);
  const people = users.map(({ key }) => graphKey(dataSource, IdpUser, key));
  await pipeline.send(END_SESSIONS_OF_PEOPLE, 'people', people);
};
