import neo4j, { type Integer } from 'neo4j-driver';

import type {
  HeldPermission,
  HeldThrough,
  HumanAccount,
  Summary,
  WayOfRow,
} from '../../contract/answers/questions/access';
import {
  type ListFilter,
  rowFilterOf,
  type RowForm,
  type RowPlace,
  type WantedRows,
} from '../../access/lists/lists';
import type { Mark } from '../../model/access-narrowing';
import { fold, nfc } from '../../model/fold';
import {
  pageOfAccess,
  pageOfPeople,
  pageOfPeopleFirst,
  pageOfWho,
} from '../statements/access-pages';
import { APPLICATIONS_ASKED, PERMISSIONS_ASKED } from '../statements/access-statements';
import type { Runner } from '../../neo4j/transaction';

/** The rows of an access list that a client requests. */
export type WantedAccess = Omit<WantedRows, 'mostHeld'>;

/** The filters of an access list, and what it has rows for. */
export interface Listed extends ListFilter {
  readonly form: RowForm;
  /** Whether a list of who can reach a resource counts what it contains too. */
  readonly contents: boolean;
  /** Only rows with all of these marks. */
  readonly marks: readonly Mark[];
  /** Only rows that have a permission of each of these sets of canonical types. */
  readonly everyType: readonly (readonly string[])[];
  /** Whether rows say through what and since when they are there, and which marks they have. */
  readonly details: boolean;
  /** Whether the answer counts the rows that each mark and kind of permission leaves. */
  readonly counts: boolean;
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
  readonly marks?: readonly Mark[];
  /** Whether it has a privileged permission there, also if the list leaves that out. */
  readonly privileged?: boolean;
  readonly way?: WayOfRow | null;
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
const permissionsMeant = (
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
  const { applications, permissionTypes } = listed;
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
        ...rowFilterOf(listed),
        applications: meantApplications,
        permissions: meantPermissions,
        permission_types: permissionTypes,
      },
      order: wanted.order,
      is_descending: wanted.isDescending,
      after: { value, key, person: isPerson },
      most: neo4j.int(wanted.size),
      held: neo4j.int(wanted.held),
    },
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
