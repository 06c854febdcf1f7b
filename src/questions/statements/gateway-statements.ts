import { FOUND, HUMANS_FOUND, type PageShape, permitted } from './access-pages';
import { accessToAny, accessToWithout } from './access-statements';
import { nameOf, summaryOf } from './summary';

/** The relationships that lead from somebody to the groups that they are in. */
const TO_GROUPS = 'MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT';

/**
 * How many `people` reach a resource, or, with `contents`, it or something in it, and through which
 * `gateways`: each group that has access itself, with the number of them who are in it. An entry
 * without `about` counts those who are in none. `$resource`; by permission also `$filter`, as in a
 * list of access. If there are more people than `$most`, there are no gateways.
 */
export const gatewaysTo = ({
  contents,
  isByPermission,
}: Pick<PageShape, 'contents' | 'isByPermission'>): string => `${accessToAny(contents)}
${permitted('who', { isByPermission })}
${FOUND}
WITH found, having, [row IN found WHERE row.who:IdpGroup OR row.who:LocalGroup | row.who] AS groups
${HUMANS_FOUND}
WITH groups, humans, size(humans) AS people
CALL (groups, humans, people) {
  UNWIND CASE WHEN people > $most THEN [] ELSE humans END AS person
  CALL (person, groups) {
    MATCH (person)-[:${TO_GROUPS}*1..]->(gateway)
    WITH DISTINCT gateway, groups
    WHERE gateway IN groups
    RETURN collect(gateway) AS through
  }
  UNWIND CASE WHEN size(through) = 0 THEN [null] ELSE through END AS gateway
  WITH gateway, count(*) AS members
  ORDER BY members DESC, ${nameOf('gateway')}, gateway.key
  RETURN collect({
    about: CASE WHEN gateway IS NOT NULL THEN ${summaryOf('gateway').replaceAll('\n', '\n    ')} END,
    people: members
  }) AS gateways
}
RETURN people, gateways`;

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
