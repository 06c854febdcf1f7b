import { createHash } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { SearchFilter } from '../../contract/filters/search-filter';
import type { Entity } from '../../contract/answers/questions/entities';
import { Instant, parseInstant } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import { badRequest, type Failure } from '../../problem';
import { countOf, pageOfNodes, type SearchOrder } from '../statements/search-statements';
import type { Graph } from '../../neo4j/driver';
import { type Meaning, searchMeanings } from './search-meaning';
import { settledAnswer } from '../answering/settled-answer';
import type { Answered } from '../answering/answered';
import { cut, type EntityStretch, type FoundEntity, ReadAhead } from './read-ahead';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph, fromGraphValue, toDateTime } from '../../neo4j/values';

/**
 * Where a page of a search begins: after which value and key, and with which meaning of the filter.
 */
export interface SearchPlace {
  readonly value: string;
  readonly key: string;
  readonly meaning: number;
}

/** A search, as a client requests it. */
export interface Search {
  readonly filter: SearchFilter | null;
  readonly kinds: readonly NodeKind[];
  readonly order: SearchOrder;
  readonly isDescending: boolean;
  readonly size: number;
  readonly after: SearchPlace | null;
}

/** A page of a search, the number of all entities found, and the place of the next page. */
export interface FoundEntities {
  readonly entities: readonly Entity[];
  readonly total: number;
  readonly next: SearchPlace | null;
  /** With which meaning of the filter they were found. */
  readonly meaning: number;
}

/** The properties of a node, with times as texts. */
export type Said = readonly (readonly [property: string, value: unknown])[];

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const ABOUT_ROWS = new Set(['key', 'row_hash', 'data_source', 'provider', 'since', 'changed']);

/** Turns a node into an entity, without the properties that only the service uses. */
export const toEntity = (label: string, name: string, pairs: Said): Entity => {
  const isOwn = ([property]: Said[number]): boolean => !ABOUT_ROWS.has(property);
  const { key, data_source, provider, since, changed } = Object.fromEntries<unknown>(
    pairs.filter((each) => !isOwn(each)),
  );
  const own = pairs.filter(isOwn).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    id: textOr(key) ?? '',
    label,
    name,
    properties: Object.fromEntries(
      own.map(([property, value]) => [property, fromGraphValue(value)]),
    ),
    data_source: textOr(data_source),
    provider: textOr(provider),
    since: textOr(since),
    changed: textOr(changed),
  };
};

const NO_TIME = new Instant('0000-01-01T00:00:00Z');

/**
 * The condition of the filter for each kind that can match. `null` means that all nodes of the kind
 * match.
 */
const conditionsOf = ({ on }: Meaning, kinds: readonly NodeKind[]) =>
  kinds.flatMap((kind): (readonly [NodeKind, string | null])[] => {
    const condition = on(kind);
    if (condition === false) return [];
    return [[kind, condition === true ? null : condition]];
  });

const count = async (tx: Runner, meaning: Meaning, { kinds }: Search): Promise<number> => {
  const conditions = conditionsOf(meaning, kinds);
  if (conditions.length === 0) return 0;
  const { records } = await tx.run<{ total: { toNumber(): number } }>(
    countOf(conditions),
    meaning.parameters,
  );
  return records[0]?.get('total').toNumber() ?? 0;
};

interface FoundNode {
  readonly label: string;
  readonly name: string;
  readonly properties: Said;
  readonly value: unknown;
}

/**
 * The statement of a page of a search, and its parameters; `null` if no kind of entity can match.
 */
export const searchStatement = (
  meaning: Meaning,
  { kinds, order, isDescending, size, after: place }: Search,
): {
  readonly statement: string;
  readonly parameters: Readonly<Record<string, unknown>>;
} | null => {
  const conditions = conditionsOf(meaning, kinds);
  if (conditions.length === 0) return null;
  const instant = place === null || order.type === 'text' ? null : parseInstant(place.value);
  return {
    statement: pageOfNodes(conditions, order, isDescending),
    parameters: {
      ...meaning.parameters,
      no_time: toDateTime(NO_TIME),
      value: instant === null ? (place?.value ?? null) : toDateTime(instant),
      key: place?.key ?? null,
      most: neo4j.int(size),
    },
  };
};

const readPage = async (
  tx: Runner,
  meaning: Meaning,
  search: Search,
): Promise<readonly FoundEntity[]> => {
  const asked = searchStatement(meaning, { ...search, size: search.size + 1 });
  if (asked === null) return [];
  const { records } = await tx.run<{ [F in keyof FoundNode]: FoundNode[F] }>(
    asked.statement,
    asked.parameters,
  );
  return records.map((record) => {
    const { label, name, properties, value: stored } = record.toObject();
    const { value } = fromGraph({ value: stored });
    return {
      entity: toEntity(label, name, properties),
      value: value instanceof Instant ? value.utc : String(value),
    };
  });
};

// Less than for access lists, since entities are larger than their rows.
const READ_AHEAD = 1_000;

/** Reads the rows that follow the last row of a search, for one meaning of its filter. */
const readStretch = async (
  tx: Runner,
  conditions: Meaning,
  meaning: number,
  search: Search,
): Promise<EntityStretch> => {
  const size = Math.max(search.size, READ_AHEAD);
  const rows = await readPage(tx, conditions, { ...search, size });
  const hasMore = rows.length > size;
  // A first page that has all rows is counted already.
  const isAll = search.after === null && !hasMore;
  const total = isAll ? rows.length : await count(tx, conditions, search);
  return { total, meaning, rows: rows.slice(0, size), hasMore };
};

/** Reads rows with the first meaning of the filter that finds something. */
const readFirst = async (
  tx: Runner,
  meanings: readonly Meaning[],
  search: Search,
): Promise<EntityStretch> => {
  const first = search.after?.meaning ?? 0;
  const tried = search.after === null ? meanings : meanings.slice(first, first + 1);
  for (const [index, meaning] of tried.entries()) {
    const stretch = await readStretch(tx, meaning, first + index, search);
    if (stretch.total > 0) return stretch;
  }
  return { total: 0, meaning: first, rows: [], hasMore: false };
};

const pageOf = ({ total, meaning, rows, hasMore }: EntityStretch): FoundEntities => {
  const last = rows.at(-1);
  return {
    entities: rows.map(({ entity }) => entity),
    total,
    meaning,
    next:
      last !== undefined && hasMore ? { value: last.value, key: last.entity.id, meaning } : null,
  };
};

/** Searches entities (docs/api.md: Search). */
export const searchEntities =
  (graph: Graph, timeoutSeconds: number, ahead = new ReadAhead()) =>
  (search: Search): TE.TaskEither<Failure, Answered<FoundEntities>> => {
    const { filter, kinds, order, isDescending } = search;
    const searched = [filter, kinds.map(({ label }) => label), order, isDescending];
    // Versions of the graph are long texts, and filters may be.
    const nameIn = (version: string): string =>
      createHash('sha256')
        .update(JSON.stringify([version, ...searched]))
        .digest('base64');
    return pipe(
      TE.fromEither(searchMeanings(search.filter, search.kinds)),
      TE.mapLeft(badRequest),
      TE.flatMap((meanings) =>
        settledAnswer(graph, timeoutSeconds, async (tx, before) => {
          // The first page is never there, so nobody waits for the version.
          const known = search.after && ahead.find(nameIn((await before).text), search);
          return known ?? readFirst(tx, meanings, search);
        }),
      ),
      TE.map(({ answer, asOf, version }) => {
        if (version !== null && answer.rows.length > search.size)
          ahead.keep(nameIn(version), answer);
        return { answer: pageOf(cut(answer, 0, search.size)), asOf };
      }),
    );
  };
