import { SAME_PERSON, WHO } from './access-rules';
import { labelOf, nameOf, summaryOf } from '../clauses/summary';
import { accessBetween, accessOf, accessTo } from './access-statements';

/** By what the lists of access may be ordered, and by `key` after it; each is a text. */
export const ACCESS_ORDERS = {
  name: nameOf,
  label: labelOf,
  application: (node: string): string => `coalesce(${node}.application, ${node}.domain, '')`,
  key: (node: string): string => `${node}.key`,
} as const;

/** Something by which a list of access may be ordered. */
export type AccessOrder = keyof typeof ACCESS_ORDERS;

/**
 * How many rows there are, and a page of them: all are known before the first is told, since the order asks for that anyway. They are ordered before
 * they are collected: a sort of rows that hold the whole list would take memory for a list each. `$value` and `$key` are of the row before the page,
 * null at the start; `$most`. Each native permission is told once, with the places of the rows that have it (docs/rules.md: Effective access):
 * most rows have much the same, and what the driver unpacks again and again is dear.
 */
const page = (
  node: string,
  { order, isDescending }: PageShape,
  more: readonly string[] = [],
): string => {
  const [direction, beyond] = isDescending ? [' DESC', '<'] : ['', '>'];
  const carried = more.map((name) => `, ${name}`).join('');
  const kept = more.map((name) => `, ${name}: ${name}`).join('');
  const told = more.map((name) => `,\n    ${name}: row.${name}`).join('');
  return `WITH ${node}, permissions${carried}, ${ACCESS_ORDERS[order](node)} AS value
ORDER BY value${direction}, ${node}.key${direction}
WITH collect({node: ${node}, key: ${node}.key, value: value, permissions: permissions${kept}}) AS listed
WITH size(listed) AS total, [row IN listed
  WHERE $key IS NULL OR row.value ${beyond} $value OR (row.value = $value AND row.key ${beyond} $key)][..$most] AS rows
CALL (rows) {
  UNWIND range(0, size(rows) - 1) AS at
  UNWIND rows[at].permissions AS list
  UNWIND list AS permission
  WITH permission.name AS name, permission.permission_type AS permission_type, collect(DISTINCT at) AS places
  ORDER BY name
  RETURN collect({name: name, permission_type: permission_type, rows: places}) AS permissions
}
CALL (rows) {
  UNWIND rows AS row
  WITH row, row.node AS ${node}
  RETURN collect({
    value: row.value,
    about: ${summaryOf(node).replaceAll('\n', '\n    ')}${told}
  }) AS values
}
RETURN total, values, permissions`;
};

/** Which statement lists access: its order, and whether it leaves out permissions that were not asked for. */
export interface PageShape {
  readonly order: AccessOrder;
  readonly isDescending: boolean;
  readonly isByPermission: boolean;
}

// A permission's name tells it apart only within its data source.
const WANTED = `($permissions IS NULL OR permission.data_source + '|' + permission.name IN $permissions)
    AND ($permission_types IS NULL OR any(type IN permission.permission_type WHERE type IN $permission_types))`;

/** Whether a row was asked for: `$label`, `$applications`. */
const asked = (node: string): string =>
  `($label IS NULL OR $label IN labels(${node})) AND ($applications IS NULL OR ${node}.application IN $applications)`;

/** Of the permissions those that were asked for, and no row without one: `$permissions`, `$permission_types`. */
const permitted = (node: string, { isByPermission }: PageShape): string =>
  isByPermission
    ? `WITH ${node}, [list IN permissions | [permission IN list WHERE ${WANTED}]] AS permissions
WHERE any(list IN permissions WHERE size(list) > 0)`
    : `WITH ${node}, permissions`;

/** Of the rows those that were asked for. */
const narrowed = (node: string, shape: PageShape): string => `${permitted(node, shape)}
WITH ${node}, permissions
WHERE ${asked(node)}`;

/** A page of what a principal can reach; `$principal` and those of a page. */
export const pageOfAccess = (shape: PageShape): string =>
  `${accessOf}\n${narrowed('target', shape)}\n${page('target', shape)}`;

/** A page of who can reach a resource; `$resource` and those of a page. */
export const pageOfWho = (shape: PageShape): string =>
  `${accessTo}\n${narrowed('who', shape)}\n${page('who', shape)}`;

/**
 * A page of the people who can reach a resource, each once, with the identities and accounts of theirs that lead there. Groups, roles, robots and
 * whatever is known to be none are no people. Parameters as without.
 */
export const pageOfPeople = (shape: PageShape): string => `${accessTo}
${permitted('who', shape)}
${SAME_PERSON}
WITH person, who, permissions
ORDER BY who:LocalUser, NOT who:IdpUser, who.key
// Whoever reaches nothing itself is not listed: its own permissions are missing.
WITH person, head(collect(CASE WHEN who = person THEN permissions END)) AS permissions,
  collect(CASE WHEN who <> person THEN who.key END) AS drawn_together
WHERE permissions IS NOT NULL
WITH person AS who, permissions, drawn_together
WHERE ${asked('who')} AND (
  who:Employee
  OR (who:IdpUser AND coalesce(who.identity_type, 'HUMAN') <> 'NONHUMAN' AND NOT EXISTS { (who)<-[:HAS_ACCOUNT]-(:Employee) })
  OR (who:LocalUser AND coalesce(who.user_type, 'human') <> 'service_account'
    AND NOT EXISTS { (:IdpUser)-[:KNOWN_AS]->(:Identity)-[:IDENTITY_OF]->(who) })
  OR (who:Identity AND NOT EXISTS { (who)<-[:KNOWN_AS]-() }
    AND NOT EXISTS { (who)-[:IDENTITY_OF]->(:LocalUser) })
)
${page('who', shape, ['drawn_together'])}`;

const ENDS = `EXISTS { (:${WHO} {key: $principal}) } AS is_principal,
  EXISTS { (:Application|Resource {key: $resource}) } AS is_resource`;

/** Whether there are both a principal and a resource; `$principal`, `$resource`. */
export const FIND_ENDS = `RETURN ${ENDS}`;

/** What a principal may do with a resource; `$principal`, `$resource`. */
export const PERMISSIONS_BETWEEN = `${accessBetween}
WITH DISTINCT permission.name AS name, permission.permission_type AS permission_type
ORDER BY name
RETURN name, permission_type`;

/** The same in one row, and whether there are both; `$principal`, `$resource`. */
export const BETWEEN_ENDS = `CALL () {
  ${PERMISSIONS_BETWEEN.replaceAll('\n', '\n  ')}
}
WITH collect({name: name, permission_type: permission_type}) AS permissions
RETURN permissions, ${ENDS}`;

/** Who may be asked about; `$id`. */
export const FIND_WHO = `MATCH (node:${WHO} {key: $id})
RETURN ${summaryOf('node')} AS about`;

/** On what access may be asked about; `$id`. */
export const FIND_PLACE = `MATCH (node:Application|Resource {key: $id})
RETURN ${summaryOf('node')} AS about`;
