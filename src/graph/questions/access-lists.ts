import neo4j, { type Integer } from 'neo4j-driver';

import type { HeldPermission, Summary } from '../../contract/answers/access';
import { fold, nfc } from '../../model/fold';
import {
  type AccessOrder,
  FIND_PLACE,
  FIND_WHO,
  pageOfAccess,
  pageOfPeople,
  pageOfWho,
} from '../../translate/questions/access-pages';
import { APPLICATIONS_ASKED, PERMISSIONS_ASKED } from '../../translate/questions/access-statements';
import type { Runner } from '../connection/transaction';
import type { AskedList, ListPlace, Stretch } from './kept-lists';
import { findSummary } from './summary';

/** Which rows of a list of access are wanted. */
export interface WantedAccess {
  readonly size: number;
  readonly order: AccessOrder;
  readonly isDescending: boolean;
  /** The row before the page: what the list is ordered by, and its key. */
  readonly after: readonly [value: string, key: string] | null;
}

/** What a list of access is narrowed to; `null`: any. Several names: any of them. */
export interface Listed {
  readonly label: string | null;
  /** Names of applications. */
  readonly applications: readonly string[] | null;
  /** Native names of permissions. */
  readonly permissions: readonly string[] | null;
  readonly permissionTypes: readonly string[] | null;
  /** One line a human; for lists of who can reach a resource. */
  readonly isByPerson: boolean;
}

/** One line of a list of access. */
export interface AccessRow {
  readonly about: Summary;
  readonly permissions: readonly HeldPermission[];
  /** By what the list is ordered. */
  readonly value: string;
  /** Keys of what is drawn together with a person. */
  readonly drawn_together?: readonly string[];
}

/** What a page of a list of access answers, in one row. */
export interface ToldPage {
  readonly total: Integer;
  readonly values: readonly Omit<AccessRow, 'permissions'>[];
  /** Each with the places of the rows that have it, by name. */
  readonly permissions: readonly (HeldPermission & { readonly rows: readonly Integer[] })[];
}

/** What is told beside the rows: whom or what they are about (`null`: it is not there), and how many the list has. */
export interface AccessHead {
  readonly of: Summary | null;
  readonly total: number;
}

// What one answer may hold: the pages that follow a first one are answered from it.
const READ_AHEAD = 10_000;

/** The rows of a page, each with its permissions, by name. */
export const rowsOf = ({ values, permissions }: Omit<ToldPage, 'total'>): readonly AccessRow[] => {
  const held: HeldPermission[][] = values.map(() => []);
  for (const { name, permission_type, rows } of permissions) {
    const permission = { name, permission_type };
    for (const at of rows) held[at.toNumber()]?.push(permission);
  }
  return values.map((row, at) => ({ ...row, permissions: held[at] ?? [] }));
};

/** What names that were asked for mean in the graph; `null` where none was asked for. */
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

/** Reads rows; one more than is told, so that the last one is known. */
const readRows = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  { label, applications, permissions, permissionTypes }: Listed,
  after: WantedAccess['after'],
  size: number,
): Promise<{ readonly total: number; readonly rows: readonly AccessRow[] }> => {
  const [meantPermissions, meantApplications] = await Promise.all([
    namesMeant(tx, PERMISSIONS_ASKED, permissions),
    namesMeant(tx, APPLICATIONS_ASKED, applications),
  ]);
  const [value, key] = after ?? [null, null];
  const { records } = await tx.run<{ [F in keyof ToldPage]: ToldPage[F] }>(statement, {
    ...parameters,
    ...{ label, applications: meantApplications },
    ...{ permissions: meantPermissions, permission_types: permissionTypes },
    ...{ value, key, most: neo4j.int(size + 1) },
  });
  const [record] = records;
  if (record === undefined) throw new Error('a page of access is one row');
  return { total: record.get('total').toNumber(), rows: rowsOf(record.toObject()) };
};

const placeOf = ({ value, about }: AccessRow): ListPlace => ({ value, key: about.id });

const statementOf = (
  of: 'principal' | 'resource',
  { permissions, permissionTypes, isByPerson }: Listed,
  { order, isDescending }: WantedAccess,
): string => {
  const isByPermission = permissions !== null || permissionTypes !== null;
  const page = of === 'principal' ? pageOfAccess : isByPerson ? pageOfPeople : pageOfWho;
  return page({ order, isDescending, isByPermission });
};

/** What a principal can reach, or who can reach a resource, as a list. */
export const accessList = (
  of: 'principal' | 'resource',
  id: string,
  listed: Listed,
  wanted: WantedAccess,
): AskedList<AccessRow, AccessHead> => {
  const statement = statementOf(of, listed, wanted);
  const { size, after } = wanted;
  return {
    name: JSON.stringify([of, id, listed, wanted.order, wanted.isDescending]),
    size,
    after: after === null ? null : { value: after[0], key: after[1] },
    ahead: READ_AHEAD,
    placeOf,
    weightOf: ({ permissions }) => 10 + permissions.length,
    read: async (tx, most): Promise<Stretch<AccessRow, AccessHead>> => {
      const [about, { total, rows }] = await Promise.all([
        findSummary(tx, of === 'principal' ? FIND_WHO : FIND_PLACE, id),
        readRows(tx, statement, { [of]: id }, listed, after, most),
      ]);
      return {
        head: { of: about, total },
        rows: rows.slice(0, most),
        hasMore: rows.length > most,
      };
    },
  };
};
