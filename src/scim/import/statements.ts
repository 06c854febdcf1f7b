import { seekEntity, seekPrefix } from '../../graph/statements/seek';

/** The ids of all imported accounts, and whether one is in a group. `$prefix`. */
export const STANDING_ACCOUNT_IDS = `${seekPrefix('user')}
RETURN collect(user.unique_id) AS ids,
  coalesce(max(CASE WHEN EXISTS { (user)-[:MEMBER_OF]->(:LocalGroup) } THEN 1 END), 0) = 1 AS are_members`;

/** The ids of all imported groups. `$prefix`. */
export const STANDING_GROUP_IDS = `${seekPrefix('group')}
RETURN collect(group.unique_id) AS ids`;

/** The groups of imported accounts. `$keys[0]`. */
export const STANDING_ACCOUNTS = `UNWIND $keys[0] AS key
${seekEntity('user', 'key')}
RETURN user.unique_id AS id, [(user)-[:MEMBER_OF]->(group:LocalGroup) | group.unique_id] AS groups`;

/** The groups that imported groups are in, and their members. `$keys[0]`. */
export const STANDING_GROUPS = `UNWIND $keys[0] AS key
${seekEntity('group', 'key')}
RETURN group.unique_id AS id,
  [(group)-[:MEMBER_OF]->(above:LocalGroup) | above.unique_id] AS groups,
  [(group)<-[:MEMBER_OF]-(user:LocalUser) | user.unique_id] AS accounts,
  [(group)<-[:MEMBER_OF]-(below:LocalGroup) | below.unique_id] AS members`;
