import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';
import neo4j, { type Integer } from 'neo4j-driver';

import { fold } from '../../model/fold';
import type { Failure } from '../../problem';
import {
  type AccessOrder,
  BETWEEN_ENDS,
  FIND_ENDS,
  FIND_PLACE,
  FIND_WHO,
  pageOfAccess,
  pageOfPeople,
  pageOfWho,
} from '../../translate/access-pages';
import { PERMISSIONS_NAMED } from '../../translate/access-statements';
import type { Graph } from '../connection/driver';
import { type Explanation, explain } from './explanation';
import { type Settled, settledAnswer } from './settled-answer';
import { findSummary, type HeldPermission, type Summary } from './summary';
import type { Runner } from '../connection/transaction';

/** Which rows of a list of access are wanted. */
export interface WantedAccess {
  readonly size: number;
  readonly order: AccessOrder;
  readonly isDescending: boolean;
  /** The row before the page: what the list is ordered by, and its key. */
  readonly after: readonly [value: string, key: string] | null;
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

/** Some lines of a list, of how many, and whom or what it is about. */
export interface AccessPage {
  readonly of: Summary;
  readonly total: number;
  readonly rows: readonly AccessRow[];
  readonly hasMore: boolean;
}

/** Which principals are listed. */
export interface Listed {
  readonly label: string | null;
  /** One line a human. */
  readonly isByPerson: boolean;
}

/** Who is asked about, on what, and by which permission; `null`: any. */
export interface Pair {
  readonly principal: string;
  readonly resource: string;
  readonly permission: string | null;
  readonly permissionType: string | null;
}

/** Who can do what, as the graph knows it (graph.md 9). */
export interface AccessGraph {
  /** What a principal can reach. */
  of(principal: string, wanted: WantedAccess): TE.TaskEither<Failure, Settled<AccessPage>>;
  /** Who can reach a resource or application. */
  to(
    resource: string,
    listed: Listed,
    wanted: WantedAccess,
  ): TE.TaskEither<Failure, Settled<AccessPage>>;
  /** Which of the permissions asked for a principal has on a resource. */
  between(pair: Pair): TE.TaskEither<Failure, Settled<readonly HeldPermission[]>>;
  /** Through what a principal has permissions on a resource. */
  explain(pair: Pair): TE.TaskEither<Failure, Settled<Explanation>>;
}

const notFound = (message: string): Failure => ({ _tag: 'NotFound', message });

const noPrincipal = notFound('There is no principal with this id.');
const noResource = notFound('There is no resource or application with this id.');

/** What a page of a list of access answers, in one row. */
export interface ToldPage {
  readonly total: Integer;
  readonly values: readonly Omit<AccessRow, 'permissions'>[];
  /** Each with the places of the rows that have it, by name. */
  readonly permissions: readonly (HeldPermission & { readonly rows: readonly Integer[] })[];
}

/** The rows of a page, each with its permissions, by name. */
export const rowsOf = ({ values, permissions }: Omit<ToldPage, 'total'>): readonly AccessRow[] => {
  const held: HeldPermission[][] = values.map(() => []);
  for (const { name, permission_type, rows } of permissions) {
    const permission = { name, permission_type };
    for (const at of rows) held[at.toNumber()]?.push(permission);
  }
  return values.map((row, at) => ({ ...row, permissions: held[at] ?? [] }));
};

/** Pages are one row longer than what is told of them, so that the last one is known. */
const readPage = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  { size, after }: WantedAccess,
): Promise<Omit<AccessPage, 'of'>> => {
  const [value, key] = after ?? [null, null];
  const { records } = await tx.run<{ [F in keyof ToldPage]: ToldPage[F] }>(statement, {
    ...parameters,
    value,
    key,
    most: neo4j.int(size + 1),
  });
  const [record] = records;
  if (record === undefined) throw new Error('a page of access is one row');
  const rows = rowsOf(record.toObject());
  return {
    total: record.get('total').toNumber(),
    rows: rows.slice(0, size),
    hasMore: rows.length > size,
  };
};

/** The native names that a name asked for means: exactly that one, else those that it is in another case (api.md 7). */
const namesMeant = async (
  tx: Runner,
  { resource, permission }: Pair,
): Promise<readonly string[] | null> => {
  if (permission === null) return null;
  const { records } = await tx.run<{ name: string }>(PERMISSIONS_NAMED, {
    resource,
    fold_name: fold(permission),
  });
  const names = records.map((record) => record.get('name'));
  const exactly = permission.normalize('NFC');
  return names.includes(exactly) ? [exactly] : names;
};

const isMeant = (
  { name, permission_type }: HeldPermission,
  names: readonly string[] | null,
  { permissionType }: Pair,
): boolean =>
  (names === null || names.includes(name)) &&
  (permissionType === null || permission_type.includes(permissionType));

/** Which ends of a question are there. */
interface Ends {
  readonly is_principal: boolean;
  readonly is_resource: boolean;
}

interface Between extends Ends {
  readonly permissions: readonly HeldPermission[];
}

/** What a statement about two ends answers. */
const oneRow = async <A extends Ends>(
  tx: Runner,
  statement: string,
  { principal, resource }: Pair,
): Promise<A> => {
  const { records } = await tx.run(statement, { principal, resource });
  return records[0]?.toObject() as unknown as A;
};

type Found<A> = { readonly ends: Ends; readonly found: A };

/** What is found between two ends that are both there. */
const whereBothStand = <A>(
  asked: TE.TaskEither<Failure, Settled<Found<A>>>,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    asked,
    TE.flatMap(({ answer: { ends, found }, asOf }) => {
      if (!ends.is_principal) return TE.left(noPrincipal);
      return ends.is_resource ? TE.right({ answer: found, asOf }) : TE.left(noResource);
    }),
  );

type FoundPage = { readonly of: Summary | null; readonly page: Omit<AccessPage, 'of'> };

const whereItStands = (
  asked: TE.TaskEither<Failure, Settled<FoundPage>>,
  missing: Failure,
): TE.TaskEither<Failure, Settled<AccessPage>> =>
  pipe(
    asked,
    TE.flatMap(({ answer: { of, page }, asOf }) =>
      of === null ? TE.left(missing) : TE.right({ answer: { of, ...page }, asOf }),
    ),
  );

/** Who can do what, asked of the graph. */
export const graphAccess = (graph: Graph, timeoutSeconds: number): AccessGraph => {
  const settled = <A>(read: (tx: Runner) => Promise<A>): TE.TaskEither<Failure, Settled<A>> =>
    settledAnswer(graph, timeoutSeconds, read);
  return {
    of: (principal, wanted) => {
      const statement = pageOfAccess(wanted.order, wanted.isDescending);
      return whereItStands(
        settled(async (tx) => {
          const [of, page] = await Promise.all([
            findSummary(tx, FIND_WHO, principal),
            readPage(tx, statement, { principal }, wanted),
          ]);
          return { of, page };
        }),
        noPrincipal,
      );
    },

    to: (resource, { label, isByPerson }, wanted) => {
      const pageOf = isByPerson ? pageOfPeople : pageOfWho;
      const statement = pageOf(wanted.order, wanted.isDescending);
      return whereItStands(
        settled(async (tx) => {
          const [of, page] = await Promise.all([
            findSummary(tx, FIND_PLACE, resource),
            readPage(tx, statement, { resource, label }, wanted),
          ]);
          return { of, page };
        }),
        noResource,
      );
    },

    between: (pair) =>
      whereBothStand(
        settled(async (tx) => {
          const [{ permissions, ...ends }, names] = await Promise.all([
            oneRow<Between>(tx, BETWEEN_ENDS, pair),
            namesMeant(tx, pair),
          ]);
          return { ends, found: permissions.filter((each) => isMeant(each, names, pair)) };
        }),
      ),

    explain: (pair) =>
      whereBothStand(
        settled(async (tx) => {
          const [ends, names] = await Promise.all([
            oneRow<Ends>(tx, FIND_ENDS, pair),
            namesMeant(tx, pair),
          ]);
          return { ends, found: await explain(tx, pair, names) };
        }),
      ),
  };
};
