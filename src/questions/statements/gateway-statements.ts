import { type PageShape, permitted } from './access-pages';
import { accessToAny, accessToWithout } from './access-statements';
import { nameOf, summaryOf } from './summary';

/** The relationships that lead from somebody to the groups that they are in. */
const TO_GROUPS = 'MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT';

/**
 * Through which groups some humans reach a resource, or, with `contents`, it or something in it:
 * each group that has access itself, with the number of them who are in it. A row without `about` counts those who are in none. `$resource`,
 * `$keys`: those of the humans; by permission also `$permissions` and `$permission_types`.
 */
export const gatewaysTo = ({
  contents,
  isByPermission,
}: Pick<PageShape, 'contents' | 'isByPermission'>): string => `${accessToAny(contents)}
${permitted('who', { isByPermission })}
WITH collect(CASE WHEN who:IdpGroup OR who:LocalGroup THEN who END) AS groups
UNWIND $keys AS key
MATCH (person:Entity {key: key})
CALL (person, groups) {
  MATCH (person)-[:${TO_GROUPS}*1..]->(gateway)
  WITH DISTINCT gateway, groups
  WHERE gateway IN groups
  RETURN collect(gateway) AS through
}
UNWIND CASE WHEN size(through) = 0 THEN [null] ELSE through END AS gateway
WITH gateway, count(*) AS people
ORDER BY people DESC, ${nameOf('gateway')}, gateway.key
RETURN CASE WHEN gateway IS NOT NULL THEN ${summaryOf('gateway')} END AS about, people`;

/**
 * What some humans could do on a resource without all ways that pass a node: those who could still
 * do something. `$resource`, `$without`, `$keys`: those of the humans.
 */
export const leftWithout = (contents: boolean): string => `${accessToWithout(contents)}
WITH who, permissions
WHERE who.key IN $keys
UNWIND permissions AS list
UNWIND list AS permission
RETURN who.key AS key, collect(DISTINCT [permission.name, permission.permission_type]) AS left`;
