import {
  FIRST_HUMAN,
  IS_OF_OTHERS,
  IS_PERSON,
  PERSON_BEHIND,
  SAME_PERSON,
} from '../../graph/statements/access-rules';
import type { RowForm } from '../../access/lists/lists';
import { type ListOrder, sizeTextOf } from '../../model/access-narrowing';
import { labelOf, nameOf, summaryOf } from './summary';
import { accessBetween, accessOf, accessToAny } from '../../graph/statements/access-statements';

const applicationOf = (node: string): string => `coalesce(${node}.application, '')`;

/**
 * The orders that lists of access can have. Rows with equal values are ordered by `key`. Each
 * expression gives a text. `size` is how many rows the application of a row has.
 */
export const ACCESS_ORDERS = {
  name: nameOf,
  label: labelOf,
  application: applicationOf,
  largest_application: (node: string): string => sizeTextOf('size', applicationOf(node)),
  key: (node: string): string => `${node}.key`,
} as const satisfies Readonly<Record<ListOrder, (node: string) => string>>;

/** The value by which `$order` orders a node. */
const valueOf = (node: string): string =>
  `CASE $order
${Object.entries(ACCESS_ORDERS)
  .map(([order, value]) => `  WHEN '${order}' THEN ${value(node)}\n`)
  .join('')}END`;

/**
 * `permissions` of a node → the same, with the `size` of its application: how many rows that has.
 * Applications of several data sources may have one name, and a key begins with its data source.
 */
const withSize = (
  node: string,
  carried: readonly string[],
): string => `WITH ${applicationOf(node)} AS application, split(${node}.key, '|')[0] AS source,
  collect({node: ${node}, ${carried.map((name) => `${name}: ${name}`).join(', ')}}) AS alike
UNWIND alike AS row
WITH row.node AS ${node}, ${carried.map((name) => `row.${name} AS ${name}`).join(', ')}, size(alike) AS size`;

/**
 * `rows` → `permissions`: each native permission once, with the places of the rows that have it.
 */
const PERMISSIONS_OF_ROWS = `CALL (rows) {
  UNWIND range(0, size(rows) - 1) AS at
  UNWIND rows[at].permissions AS list
  UNWIND list AS permission
  WITH permission.name AS name, permission.permission_type AS permission_type, collect(DISTINCT at) AS places
  ORDER BY name
  RETURN collect({name: name, permission_type: permission_type, rows: places}) AS permissions
}`;

/**
 * `wanted` → `rows`: the first of them, up to the one with which they have `$held` permissions.
 * Otherwise an application with many permissions makes answers that no process can hold. Most lists
 * have so few that nothing needs to be counted.
 */
const UP_TO_HELD = `CALL (wanted) {
  UNWIND CASE WHEN reduce(sum = 0, row IN wanted | sum + reduce(of = 0, list IN row.permissions | of + size(list))) < $held
    THEN [] ELSE range(0, size(wanted) - 1) END AS at
  CALL (wanted, at) {
    UNWIND wanted[at].permissions AS list
    UNWIND list AS permission
    RETURN count(DISTINCT permission) AS held
  }
  WITH at, held ORDER BY at
  WITH collect(held) AS sizes
  RETURN CASE WHEN size(sizes) = 0 THEN wanted ELSE wanted[..reduce(fit = [0, 0], held IN sizes |
    CASE WHEN fit[1] >= $held THEN fit ELSE [fit[0] + 1, fit[1] + held] END)[0]] END AS rows
}`;

/** What a list says about the identities and accounts of a human. */
const ACCOUNTS = `drawn_together: [account IN row.accounts | account.key],
    accounts: [account IN row.accounts | {
      id: account.key, label: ${labelOf('account')}, name: ${nameOf('account')},
      application: account.application, domain: account.domain, provider: account.provider
    }],
    person: row.person`;

/**
 * Counts the rows and returns a page of them. The order needs all rows anyway, so this collects
 * them all. It sorts before it collects, because sorting rows that hold the collected list would
 * copy that list for each row. `$after` has the `value` and `key` of the last row before the page,
 * and `null` for the first page; `$most` is its size. A page ends early, and is `is_cut`, after the
 * row with which it has `$held` permissions. A list of people begins with rows that are a person
 * (`person`), whatever its order; `$after.person` says whether the last row before the page is one.
 *
 * Neo4j plans this statement longer than it runs it. So it has one text for all orders, and what
 * may be missing is in a map (docs/recipes.md: Write a statement).
 *
 * Each native permission is returned once, with the places of the rows that have it (docs/rules.md:
 * Access answers). Most rows have nearly the same permissions, and it costs the driver much time to
 * unpack them again and again.
 */
const page = (node: string, { form }: Pick<PageShape, 'form'>): string => {
  const isOfPeople = form !== 'entities';
  const [carried, collected, first, more, after, people, alone] = isOfPeople
    ? [
        ', person, accounts',
        ', person: person, accounts: accounts',
        'person = $is_descending, ',
        `,\n    ${ACCOUNTS}`,
        `($after.person AND NOT row.person) OR (row.person = $after.person AND (AFTER))`,
        'size([row IN listed WHERE row.person])',
        'size([row IN listed WHERE row.person AND (row.node:LocalUser OR row.node:Identity)])',
      ]
    : ['', '', '', '', 'AFTER', 'null', 'null'];
  const beyond = (sign: string): string =>
    `row.value ${sign} $after.value OR (row.value = $after.value AND row.key ${sign} $after.key)`;
  const place = `CASE WHEN $is_descending THEN ${beyond('<')} ELSE ${beyond('>')} END`;
  return `${withSize(node, ['permissions', ...(isOfPeople ? ['person', 'accounts'] : [])])}
WITH ${node}, permissions${carried}, ${valueOf(node)} AS value
ORDER BY ${first}value, ${node}.key
WITH collect({node: ${node}, key: ${node}.key, value: value, permissions: permissions${collected}}) AS ascending
WITH CASE WHEN $is_descending THEN reverse(ascending) ELSE ascending END AS listed
WITH size(listed) AS total, ${people} AS people, ${alone} AS without_user, [row IN listed
  WHERE $after.key IS NULL OR ${after.replace('AFTER', place)}][..$most] AS wanted
${UP_TO_HELD}
WITH total, people, without_user, size(rows) < size(wanted) AS is_cut, rows
${PERMISSIONS_OF_ROWS}
CALL (rows) {
  UNWIND rows AS row
  WITH row, row.node AS ${node}
  RETURN collect({
    value: row.value,
    about: ${summaryOf(node).replaceAll('\n', '\n    ')}${more}
  }) AS values
}
RETURN total, people, without_user, is_cut, values, permissions`;
};

/** Which statement lists access: what its rows are, and whether it filters by permission. */
export interface PageShape {
  readonly isByPermission: boolean;
  readonly form: RowForm;
  /** Whether a list of who can reach a resource counts what it contains too. */
  readonly contents: boolean;
}

// The name of a permission is unique only within its data source.
const WANTED = `($filter.permissions IS NULL OR permission.data_source + '|' + permission.name IN $filter.permissions)
    AND ($filter.permission_types IS NULL OR any(type IN permission.permission_type WHERE type IN $filter.permission_types))`;

/** The condition that a row is requested: `$filter`, with `label` and `applications`. */
const asked = (node: string): string =>
  `($filter.label IS NULL OR $filter.label IN labels(${node})) AND ($filter.applications IS NULL OR ${node}.application IN $filter.applications)`;

/**
 * Leaves the requested permissions, and drops rows without one: `$filter`, with `permissions` and
 * `permission_types`.
 */
export const permitted = (
  node: string,
  { isByPermission }: Pick<PageShape, 'isByPermission'>,
): string =>
  isByPermission
    ? `WITH ${node}, [list IN permissions | [permission IN list WHERE ${WANTED}]] AS permissions
WHERE any(list IN permissions WHERE size(list) > 0)`
    : `WITH ${node}, permissions`;

/** Leaves the requested rows. */
const narrowed = (node: string, shape: PageShape): string => `${permitted(node, shape)}
WITH ${node}, permissions
WHERE ${asked(node)}`;

/** A page of what a principal can reach. `$principal` and the parameters of a page. */
export const pageOfAccess = (shape: PageShape): string =>
  `${accessOf}\n${narrowed('target', shape)}\n${page('target', shape)}`;

/** A page of who can reach a resource. `$resource` and the parameters of a page. */
export const pageOfWho = (shape: PageShape): string =>
  `${accessToAny(shape.contents)}\n${narrowed('who', shape)}\n${page('who', shape)}`;

/**
 * `who`, `permissions` → all of them `found`, and the accounts `having` access. No row carries that
 * list: Neo4j would compare all of it to group them. A subquery that imports it can read it anyway.
 */
export const FOUND = `WITH collect({who: who, permissions: permissions}) AS found
WITH found, [row IN found WHERE 'LocalUser' IN labels(row.who) | row.who] AS having`;

/** One row of those `found`. */
const EACH_FOUND = `UNWIND found AS row
  WITH row.who AS who, row.permissions AS permissions`;

/** `who`, `permissions` → the same of each human, with the `accounts` through which they reach it. */
const peopleOf = (condition: string): string => `${SAME_PERSON}
WITH person, who, permissions
ORDER BY who:LocalUser, NOT who:IdpUser, who.key
// A person who reaches nothing has no permissions of their own here, and is left out.
WITH person, head(collect(CASE WHEN who = person THEN permissions END)) AS permissions,
  collect(CASE WHEN who <> person THEN who END) AS accounts
WHERE permissions IS NOT NULL
WITH person AS who, permissions, accounts
${FIRST_HUMAN}
WITH who, permissions, accounts, first, true AS person
WHERE ${IS_PERSON}${condition}`;

/**
 * A page of the people who can reach a resource. Each person comes once, with the identities and
 * accounts through which they do. Groups, roles and robots are no people, nor are accounts that are
 * marked as not human. Parameters as in `pageOfWho`.
 */
export const pageOfPeople = (shape: PageShape): string => `${accessToAny(shape.contents)}
${permitted('who', shape)}
${FOUND}
CALL (found, having) {
  ${EACH_FOUND}
  ${peopleOf(`
  AND ${asked('who')}`).replaceAll('\n', '\n  ')}
  RETURN who, permissions, accounts, person
}
${page('who', shape)}`;

/**
 * `found` → the identities, `who`, that nobody is known by, that name accounts with access, and that
 * have more `permissions` than these accounts have: the rows of the accounts do not show them. An
 * identity has all that its accounts have, so the numbers suffice.
 */
const MORE_THAN_ACCOUNTS = `UNWIND found AS row
WITH row.who AS holder, row.permissions AS held
CALL (holder) {
  WITH holder WHERE holder:Identity
  RETURN holder AS who
  UNION ALL
  WITH holder WHERE holder:LocalUser
  MATCH (holder)<-[:IDENTITY_OF]-(who:Identity)
  RETURN who
}
WITH who, holder, held
WHERE NOT EXISTS { (who)<-[:KNOWN_AS]-() }
WITH who, head(collect(CASE WHEN holder = who THEN held END)) AS permissions,
  collect(CASE WHEN holder <> who THEN held END) AS of_accounts
WHERE size(of_accounts) > 0
CALL (permissions) {
  UNWIND permissions AS list
  UNWIND list AS permission
  RETURN count(DISTINCT permission) AS own
}
CALL (of_accounts) {
  UNWIND of_accounts AS lists
  UNWIND lists AS list
  UNWIND list AS permission
  RETURN count(DISTINCT permission) AS given
}
WITH who, permissions, own, given
WHERE own > given`;

/**
 * A page of the people who can reach a resource, and after them of all others who can and belong to
 * no human: service accounts, groups without people. Parameters as in `pageOfWho`; it has no label
 * and no applications.
 */
export const pageOfPeopleFirst = (shape: PageShape): string => `${accessToAny(shape.contents)}
${permitted('who', shape)}
${FOUND}
CALL (found, having) {
  ${EACH_FOUND}
  ${peopleOf('').replaceAll('\n', '\n  ')}
  RETURN who, permissions, accounts, person
  UNION ALL
  ${EACH_FOUND}
  ${PERSON_BEHIND.replaceAll('\n', '\n  ')}
  WITH who, permissions, has_person
  WHERE NOT has_person AND NOT ${IS_OF_OTHERS}
  RETURN who, permissions, [] AS accounts, false AS person
  UNION ALL
  ${MORE_THAN_ACCOUNTS.replaceAll('\n', '\n  ')}
  RETURN who, permissions, [] AS accounts, false AS person
}
${page('who', shape)}`;

/**
 * Whether a principal has a permission on a resource: one of `$names` if these are given, with the
 * type `$permission_type` if that is given. `$principal`, `$resource`.
 */
export const CHECK_BETWEEN = `${accessBetween}
WHERE ($names IS NULL OR permission.name IN $names)
  AND ($permission_type IS NULL OR $permission_type IN permission.permission_type)
RETURN count(permission) > 0 AS allowed`;
