import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { HeldPermission, Summary } from '../../contract/answers/questions/access';
import { keyStart } from '../../model/key';
import type { Failure } from '../../problem';
import { sharedKinds } from '../../templates/graph/nodes';
import {
  EXPORTED_ACCESS,
  EXPORTED_PRINCIPALS,
  nextAmong,
  nextPrincipals,
  SOURCES_TO_EXPORT,
} from '../statements/access-export-statements';
import { FIND_WHO } from '../statements/access-pages';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { isRefused, meantBy, type Subject } from '../humans/subject';
import { whoseAre } from '../humans/whose';
import { permissionsOfRows, type TokenPage } from './access-lists';
import { explain, type Path } from './explanation/explanation';
import { type Settled, settledAnswer } from '../answering/settled-answer';
import { notThere } from '../instant/existed';
import { findSummary } from '../answering/summary';

/** The place in an export after which its next row comes. */
export interface ExportPlace {
  /** The label of the principal. */
  readonly label: string;
  /** The key of the principal; empty before the first one of its label. */
  readonly principal: string;
  /** The key of the last resource; `null` if all rows of the principal have been returned. */
  readonly resource: string | null;
}

/** How much of an export one reading gives. */
export interface ExportWanted {
  readonly after: ExportPlace;
  /** The keys of the principals that it is about; `null` means all. */
  readonly only: readonly string[] | null;
  /** How many principals it looks at, at most. */
  readonly principals: number;
  readonly rows: number;
  /** Whether each row has its first explanation. */
  readonly isExplained: boolean;
  /** Aborted when nobody wants the export any more. */
  readonly unwanted: AbortSignal;
}

/** A row of an export: a principal, what it can reach, and how. */
export interface ExportedRow {
  readonly principal: Summary;
  /** The human whose account it certainly is; absent if the service cannot look at all that is joined with it. */
  readonly human?: Summary | null;
  readonly resource: Summary;
  readonly permissions: readonly HeldPermission[];
  /** The shortest path; absent if the request does not want it. */
  readonly explanation?: Path | null;
}

/** Some consecutive rows of an export. */
export interface ExportStretch {
  readonly rows: readonly ExportedRow[];
  /** The place behind the last row, or behind the last principal that was looked at. */
  readonly end: ExportPlace;
  /** Whether the label has no further principals. */
  readonly isLast: boolean;
  /** Whether there were more rows than requested. */
  readonly isCut: boolean;
}

/** Reads an export of effective access, some rows at a time. */
export interface AccessExport {
  /** The keys of all nodes of whom an export is about. Fails if they are not one human's. */
  nodesOf(subject: Subject): TE.TaskEither<Failure, readonly string[]>;
  read(wanted: ExportWanted): TE.TaskEither<Failure, Settled<ExportStretch>>;
}

/** The next principals of a label behind one of them, in the order of their keys. */
const nextOf = async (
  tx: Runner,
  {
    label,
    principal,
    only,
    most,
  }: Pick<ExportPlace, 'label' | 'principal'> &
    Pick<ExportWanted, 'only'> & { readonly most: number },
): Promise<readonly string[]> => {
  const ask = async (statement: string, parameters: object, left: number) => {
    const { records } = await tx.run<{ keys: readonly string[] }>(statement, {
      ...parameters,
      after: principal,
      most: neo4j.int(left),
    });
    return records[0]?.get('keys') ?? [];
  };
  if (only !== null) return ask(nextAmong(label), { only: [only] }, most);
  const found: string[] = [];
  for (const prefix of await startsOf(tx, label)) {
    if (prefix < principal && !principal.startsWith(prefix)) continue;
    found.push(...(await ask(nextPrincipals(label), { prefix }, most - found.length)));
    if (found.length === most) break;
  }
  return found;
};

/** The starts of all keys of a label, in order: keys have the data source before the label. */
const startsOf = async (tx: Runner, label: string): Promise<readonly string[]> => {
  const start = keyStart(label);
  if (sharedKinds.some((kind) => kind.label === label)) return [start];
  const { records } = await tx.run<{ id: string }>(SOURCES_TO_EXPORT);
  return records.map((record) => `${record.get('id')}|${start}`);
};

/** The principals that a reading looks at: the one that is begun, and those after it. */
const principalsOf = async (
  tx: Runner,
  { after: { label, principal, resource }, only, principals }: ExportWanted,
): Promise<{ readonly keys: readonly string[]; readonly isLast: boolean }> => {
  const next = await nextOf(tx, { label, principal, only, most: principals });
  const isBegun = resource !== null && (only === null || only.includes(principal));
  return {
    keys: isBegun ? [principal, ...next] : next,
    isLast: next.length < principals,
  };
};

interface Found extends Pick<TokenPage, 'permissions'> {
  /** The keys of the principal and the resource of each row. */
  readonly pairs: readonly (readonly [principal: string, resource: string])[];
  /** Each resource of the rows once. */
  readonly resources: readonly Summary[];
}

const byId = (summaries: readonly Summary[]): ReadonlyMap<string, Summary> =>
  new Map(summaries.map((summary) => [summary.id, summary]));

const humanOf = (
  key: string,
  whose: ReadonlyMap<string, Summary | null>,
): Pick<ExportedRow, 'human'> => {
  const human = whose.get(key);
  return human === undefined ? {} : { human };
};

const AT_ONCE = 20;

const withExplanations = async (
  tx: Runner,
  rows: readonly ExportedRow[],
): Promise<readonly ExportedRow[]> => {
  const explained: ExportedRow[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE).map(async (row): Promise<ExportedRow> => {
      const pair = {
        principal: row.principal.id,
        resource: row.resource.id,
        permissionType: null,
      };
      const { paths } = await explain(tx, pair, null, 1);
      return { ...row, explanation: paths[0] ?? null };
    });
    explained.push(...(await Promise.all(some)));
  }
  return explained;
};

const readStretch = async (tx: Runner, wanted: ExportWanted): Promise<ExportStretch> => {
  const { after, rows: most, isExplained } = wanted;
  const { keys, isLast } = await principalsOf(tx, wanted);
  const principals = { principals: keys };
  const [about, found, whose] = await Promise.all([
    tx.run<{ about: Summary }>(EXPORTED_PRINCIPALS, principals),
    tx.run<{ [F in keyof Found]: Found[F] }>(EXPORTED_ACCESS, {
      ...principals,
      begun: {
        principal: after.resource === null ? null : after.principal,
        resource: after.resource,
      },
      most: neo4j.int(most + 1),
    }),
    whoseAre(tx, keys),
  ]);
  const [record] = found.records;
  if (record === undefined) throw new Error('a part of an export is one row');
  const { pairs, resources, permissions } = record.toObject();
  const [principalOf, resourceOf] = [
    byId(about.records.map((each) => each.get('about'))),
    byId(resources),
  ];
  const isCut = pairs.length > most;
  const held = permissionsOfRows(pairs.length, permissions);
  const rows = pairs.slice(0, most).flatMap(([who, what], at): ExportedRow[] => {
    const [principal, resource] = [principalOf.get(who), resourceOf.get(what)];
    return principal === undefined || resource === undefined
      ? []
      : [{ principal, ...humanOf(who, whose), resource, permissions: held[at] ?? [] }];
  });
  const last = rows.at(-1);
  const { label } = after;
  return {
    rows: isExplained ? await withExplanations(tx, rows) : rows,
    end:
      isCut && last !== undefined
        ? { label, principal: last.principal.id, resource: last.resource.id }
        : { label, principal: keys.at(-1) ?? after.principal, resource: null },
    ...{ isLast, isCut },
  };
};

/** How much a reading tries to give: half as much each time that a push overtook it. */
export const wantedAt = (wanted: ExportWanted, attempt: number): ExportWanted => {
  const part = (number: number): number => Math.max(1, Math.floor(number / 2 ** (attempt - 1)));
  return { ...wanted, principals: part(wanted.principals), rows: part(wanted.rows) };
};

/** Reads exports from the graph. */
export const graphAccessExport = (graph: Graph, timeoutSeconds: number): AccessExport => ({
  nodesOf: (subject) =>
    pipe(
      inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
        const meant = await meantBy(tx, subject, (key) => key);
        if (isRefused(meant)) return meant;
        const { principal, accounts } = meant;
        return (await findSummary(tx, FIND_WHO, principal)) === null
          ? notThere('principal', null)
          : [principal, ...(accounts ?? []).map(({ id }) => id)];
      }),
      TE.flatMap((nodes) => ('_tag' in nodes ? TE.left(nodes) : TE.right(nodes))),
    ),

  read: (wanted) =>
    settledAnswer(
      graph,
      timeoutSeconds,
      null,
      (tx, attempt) => readStretch(tx, wantedAt(wanted, attempt)),
      wanted.unwanted,
    ),
});
