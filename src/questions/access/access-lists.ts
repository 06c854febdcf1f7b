import neo4j, { type Integer } from 'neo4j-driver';

import type {
  HeldPermission,
  HeldThrough,
  HumanAccount,
  Summary,
} from '../../contract/answers/questions/access';
import { fold, nfc } from '../../model/fold';
import {
  type AccessOrder,
  FIND_PLACE,
  FIND_WHO,
  HELD_THROUGH,
  pageOfAccess,
  pageOfPeople,
  pageOfPeopleFirst,
  pageOfWho,
  type RowForm,
} from '../statements/access-pages';
import { APPLICATIONS_ASKED, PERMISSIONS_ASKED } from '../statements/access-statements';
import type { Failure } from '../../problem';
import type { Runner } from '../../neo4j/transaction';
import { MOST_NAMED, through } from '../humans/named-accounts';
import { isRefused, meantBy, type Subject } from '../humans/subject';
import type { AskedList, ListPlace, Stretch } from '../answering/list-cache';
import { findSummary } from '../answering/summary';

/** The place of a row in an access list. */
export interface RowPlace extends ListPlace {
  /** Whether the row is a human of a list that has people first. */
  readonly isPerson: boolean;
}

/** The rows of an access list that a client requests. */
export interface WantedAccess {
  readonly size: number;
  readonly order: AccessOrder;
  readonly isDescending: boolean;
  /** The last row of the page before. `null` requests the first page. */
  readonly after: RowPlace | null;
}

/** The filters of an access list. `null` means no filter; of several names any one may match. */
export interface Listed {
  readonly label: string | null;
  /** Names of applications. */
  readonly applications: readonly string[] | null;
  /** Native names of permissions. */
  readonly permissions: readonly string[] | null;
  readonly permissionTypes: readonly string[] | null;
  /** What a list of who can reach a resource has rows for. */
  readonly form: RowForm;
  /** Whether a list of who can reach a resource counts what it contains too. */
  readonly contents: boolean;
}

/** A row of an access list. */
export interface AccessRow {
  readonly about: Summary;
  readonly permissions: readonly HeldThrough[];
  /** The value by which the list is ordered. */
  readonly value: string;
  /** The identities and accounts that this row unites with a human, and their keys. */
  readonly drawn_together?: readonly string[];
  readonly accounts?: readonly HumanAccount[];
  /** Whether the row is a human, in lists of people. */
  readonly person?: boolean;
}

/** A page of an access list, as a statement returns it in one record. */
export interface TokenPage {
  readonly total: Integer;
  /** How many of all rows are people; `null` in a list of entities. */
  readonly people: Integer | null;
  /** How many of these are only an account or an identity. */
  readonly without_user: Integer | null;
  /** Whether it ends early, since its rows have so many permissions. */
  readonly is_cut: boolean;
  readonly values: readonly Omit<AccessRow, 'permissions'>[];
  /** Permissions by name, each with the indexes of the rows that have it. */
  readonly permissions: readonly (HeldPermission & { readonly rows: readonly Integer[] })[];
}

/**
 * The head of an access list: the node that it is about (`null` if there is no such node), and the
 * number of all its rows.
 */
export interface AccessHead {
  readonly of: Summary | null;
  readonly total: number;
  readonly people: number | null;
  /** How many of these no employee and no user leads to. */
  readonly withoutUser: number | null;
  /** The other nodes of the human for whom a list answers; `null` if it answers for one principal. */
  readonly accounts: readonly Summary[] | null;
}

// How many rows the service reads at once for a page after the first. It answers the following
// pages from these rows. Most readers need the first page alone, and wait for it.
const READ_AHEAD = 10_000;

/**
 * With how many permissions of its rows a read ends early. For a human each permission names the
 * accounts that have it, so their number counts too.
 */
const MOST_HELD = 50_000;

/** With how many permissions a list ends early that is for a human with these `accounts`, or for none. */
export const mostHeld = (accounts: readonly unknown[] | null): number =>
  Math.ceil(MOST_HELD / (1 + (accounts?.length ?? 0)));

/** The permissions of each of `rows` rows, ordered by name. */
const permissionsOfRows = (
  rows: number,
  permissions: TokenPage['permissions'],
): readonly (readonly HeldPermission[])[] => {
  const held = Array.from({ length: rows }, (): HeldPermission[] => []);
  for (const { name, permission_type, rows: places } of permissions) {
    const permission = { name, permission_type };
    for (const at of places) held[at.toNumber()]?.push(permission);
  }
  return held;
};

/** Gives each row of a page its permissions, ordered by name. */
export const rowsOf = ({
  values,
  permissions,
}: Pick<TokenPage, 'values' | 'permissions'>): readonly AccessRow[] => {
  const held = permissionsOfRows(values.length, permissions);
  return values.map((row, at) => ({ ...row, permissions: held[at] ?? [] }));
};

/**
 * Looks up the names that a client requested, exactly or folded. Returns `null` if it requested
 * none.
 */
const namesMeant = async (
  tx: Runner,
  statement: string,
  asked: readonly string[] | null,
): Promise<readonly string[] | null> => {
  if (asked === null) return null;
  const { records } = await tx.run<{ names: readonly string[] }>(statement, {
    asked: asked.map((name) => ({ name: nfc(name), fold_name: fold(name) })),
  });
  return records[0]?.get('names') ?? [];
};

/** The native permissions that a client requested by name; `null` means any. */
export const permissionsMeant = (
  tx: Runner,
  { permissions }: Pick<Listed, 'permissions'>,
): Promise<readonly string[] | null> => namesMeant(tx, PERMISSIONS_ASKED, permissions);

/** Whether a list is narrowed to permissions. */
export const isByPermission = ({
  permissions,
  permissionTypes,
}: Pick<Listed, 'permissions' | 'permissionTypes'>): boolean =>
  permissions !== null || permissionTypes !== null;

type Asked = [
  ...[of: 'principal' | 'resource', id: string, listed: Listed],
  wanted: WantedAccess & { readonly held: number },
];

/** The statement of a page of an access list, and its parameters. */
export const accessStatement = async (
  tx: Runner,
  ...[of, id, listed, wanted]: Asked
): Promise<{
  readonly statement: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}> => {
  const { label, applications, permissionTypes } = listed;
  const [meantPermissions, meantApplications] = await Promise.all([
    permissionsMeant(tx, listed),
    namesMeant(tx, APPLICATIONS_ASKED, applications),
  ]);
  const { value, key, isPerson } = wanted.after ?? { value: null, key: null, isPerson: false };
  return {
    statement: statementOf(of, listed),
    parameters: {
      [of]: id,
      filter: {
        ...{ label, applications: meantApplications },
        ...{ permissions: meantPermissions, permission_types: permissionTypes },
      },
      ...{ order: wanted.order, is_descending: wanted.isDescending },
      after: { value, key, person: isPerson },
      ...{ most: neo4j.int(wanted.size), held: neo4j.int(wanted.held) },
    },
  };
};

/** Reads rows, one more than the page has, to know whether there are more. */
const readRows = async (
  tx: Runner,
  ...[of, id, listed, { size, ...wanted }]: Asked
): Promise<Stretch<AccessRow, Omit<AccessHead, 'of' | 'accounts'>>> => {
  const more = { ...wanted, size: size + 1 };
  const { statement, parameters } = await accessStatement(tx, of, id, listed, more);
  const { records } = await tx.run<{ [F in keyof TokenPage]: TokenPage[F] }>(statement, parameters);
  const [record] = records;
  if (record === undefined) throw new Error('a page of access is one row');
  const rows = rowsOf(record.toObject());
  return {
    head: {
      total: record.get('total').toNumber(),
      people: record.get('people')?.toNumber() ?? null,
      withoutUser: record.get('without_user')?.toNumber() ?? null,
    },
    rows: rows.slice(0, size),
    hasMore: rows.length > size || record.get('is_cut'),
  };
};

/** The place of a row in its list. */
export const placeOf = ({ value, about, person }: AccessRow): RowPlace => ({
  value,
  key: about.id,
  isPerson: person === true,
});

const statementOf = (of: 'principal' | 'resource', listed: Listed): string => {
  const { form, contents } = listed;
  const page = of === 'principal' ? pageOfAccess : PAGES[form];
  return page({ isByPermission: isByPermission(listed), form, contents });
};

const PAGES = { entities: pageOfWho, people: pageOfPeople, 'people first': pageOfPeopleFirst };

interface HeldOnPlace {
  readonly place: string;
  readonly held: readonly (HeldPermission & {
    /** Indexes of the accounts that have it: of the first of them. */
    readonly holders: readonly Integer[];
    readonly total: Integer;
  })[];
}

/** Tells of each row of a human through which of their accounts they have its permissions. */
const withAccounts = async (
  tx: Runner,
  rows: readonly AccessRow[],
  accounts: readonly Summary[],
): Promise<readonly AccessRow[]> => {
  if (rows.length === 0) return rows;
  const principals = accounts.map(({ id }) => id).sort();
  const { records } = await tx.run<{ [F in keyof HeldOnPlace]: HeldOnPlace[F] }>(HELD_THROUGH, {
    ...{ principals, places: rows.map(({ about }) => about.id), most: neo4j.int(MOST_NAMED) },
  });
  const textOf = ({ name, permission_type }: HeldPermission): string =>
    JSON.stringify([name, permission_type]);
  const places = new Map(records.map((record) => [record.get('place'), record.get('held')]));
  return rows.map((row) => {
    const known = new Map(places.get(row.about.id)?.map((held) => [textOf(held), held]));
    const permissions = row.permissions.map((held) => {
      const { holders = [], total = 0 } = known.get(textOf(held)) ?? {};
      const named = holders.map((at) => principals[at.toNumber()] ?? '');
      return { ...held, ...through(named, Number(total)) };
    });
    return { ...row, permissions };
  });
};

/** The list of what a principal, or a human, can reach, or of who can reach a resource. */
export const accessList = (
  of: 'principal' | 'resource',
  subject: Subject,
  listed: Listed,
  wanted: WantedAccess,
  keyOf = (key: string): string => key,
  heldFor = mostHeld,
): Omit<AskedList<AccessRow, AccessHead | Failure>, 'reach'> => ({
  name: JSON.stringify([of, subject, listed, wanted.order, wanted.isDescending]),
  size: wanted.size,
  after: wanted.after,
  ahead: wanted.after === null ? 0 : READ_AHEAD,
  placeOf,
  weightOf: ({ permissions, accounts = [] }) =>
    permissions.reduce(
      (sum, held) => sum + 1 + (held.accounts?.length ?? 0),
      10 + 10 * accounts.length,
    ),
  read: async (tx, most): Promise<Stretch<AccessRow, AccessHead | Failure>> => {
    const meant = await meantBy(tx, subject, keyOf);
    if (isRefused(meant)) return { head: meant, rows: [], hasMore: false };
    const { principal: key, accounts } = meant;
    const [about, { rows, head, hasMore }] = await Promise.all([
      findSummary(tx, of === 'principal' ? FIND_WHO : FIND_PLACE, key),
      readRows(tx, of, key, listed, { ...wanted, size: most, held: heldFor(accounts) }),
    ]);
    return {
      head: { of: about, accounts, ...head },
      rows: accounts === null ? rows : await withAccounts(tx, rows, accounts),
      hasMore,
    };
  },
});
