import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import type { Runner } from '../../neo4j/transaction';
import type { Reach } from '../instant/at-instant';
import { type Settled, settledAnswer, cachedAnswer } from './settled-answer';
import type { Versions } from './versions';

/** The place of a row in its list: the value by which the list is ordered, then the key. */
export interface ListPlace {
  readonly value: string;
  readonly key: string;
}

/** Consecutive rows of a list, and the head of the list. */
export interface Stretch<R, H> {
  readonly head: H;
  readonly rows: readonly R[];
  /** Whether the list has rows after these. */
  readonly hasMore: boolean;
}

/** A page of a list, and how to read it from the graph. */
export interface AskedList<R, H> {
  /** Identifies the list: the question, its filters and its order. */
  readonly name: string;
  /** How many rows the page has. */
  readonly size: number;
  /** The last row of the page before; `null` for the first page. */
  readonly after: ListPlace | null;
  /**
   * How many rows one read fetches, so that Neo4j need not compute the list again for the next
   * pages.
   */
  readonly ahead: number;
  readonly placeOf: (row: R) => ListPlace;
  /** How many values a row has, for the memory that stored rows use and for the size of a page. */
  readonly weightOf: (row: R) => number;
  /** What the list is read from; `null` if that may be everything. */
  readonly reach: Reach | null;
  /** Reads `size` rows after the place `after`. */
  readonly read: (tx: Runner, size: number) => Promise<Stretch<R, H>>;
}

interface Kept {
  readonly version: Versions;
  readonly stretch: Stretch<unknown, unknown>;
}

// At most some 50 MB: a value of a row is a reference or a short text.
const MOST_VALUES = 1_000_000;
const KEPT_MS = 60_000;

// The thread that answers writes a page at once. So many values are some 8 MB of an answer.
const MOST_VALUES_OF_PAGE = 100_000;

/** The rows that the service has read ahead. It stores them for a minute. */
export class ListCache {
  private readonly lists = new LRUCache<string, Kept>({
    maxSize: MOST_VALUES,
    ttl: KEPT_MS,
  });

  /**
   * Answers a page of a list. Neo4j must compute the complete list for each page, so the service
   * reads more rows than the page has and stores them. It answers the next pages from these rows as
   * long as nothing has changed that the list is read from. After a change it reads the list again,
   * from the start of the requested page.
   */
  page<R, H>(
    graph: Graph,
    timeoutSeconds: number,
    asked: AskedList<R, H>,
  ): TE.TaskEither<Failure, Settled<Stretch<R, H>>> {
    const kept = this.find(asked);
    return kept === null
      ? this.read(graph, timeoutSeconds, asked)
      : pipe(
          cachedAnswer(graph, timeoutSeconds, asked.reach, kept.version, kept.page),
          TE.flatMap((standing) =>
            standing === null
              ? this.read(graph, timeoutSeconds, asked)
              : TE.right<Failure, Settled<Stretch<R, H>>>(standing),
          ),
        );
  }

  /** The page, if the stored rows reach to its end; or else `null`. */
  private find<R, H>(
    asked: AskedList<R, H>,
  ): { readonly version: Versions; readonly page: Stretch<R, H> } | null {
    const { name, size, after, placeOf } = asked;
    const kept = after === null ? undefined : this.lists.get(name);
    if (kept === undefined) return null;
    const stretch = kept.stretch as Stretch<R, H>;
    const before = stretch.rows.findIndex((row) => {
      const place = placeOf(row);
      return place.key === after?.key && place.value === after.value;
    });
    if (before < 0) return null;
    const page = cut(stretch, before + 1, asked);
    const isThere =
      page.rows.length === size || before + 1 + page.rows.length < stretch.rows.length;
    return isThere || !stretch.hasMore ? { version: kept.version, page } : null;
  }

  private read<R, H>(
    graph: Graph,
    timeoutSeconds: number,
    asked: AskedList<R, H>,
  ): TE.TaskEither<Failure, Settled<Stretch<R, H>>> {
    const { name, size, ahead, reach, weightOf, read } = asked;
    return pipe(
      settledAnswer(graph, timeoutSeconds, reach, (tx) => read(tx, Math.max(size, ahead))),
      TE.map(({ answer: stretch, ...settled }) => {
        const { version } = settled;
        const page = cut(stretch, 0, asked);
        if (version !== null && page.rows.length < stretch.rows.length) {
          const weight = stretch.rows.reduce((sum, row) => sum + weightOf(row), 1);
          this.lists.set(name, { version, stretch }, { size: weight });
        }
        return { answer: page, ...settled };
      }),
    );
  }
}

/** A page of a stretch: `size` rows, or fewer if these are large. */
function cut<R, H>(
  { head, rows, hasMore }: Stretch<R, H>,
  from: number,
  { size, weightOf }: AskedList<R, H>,
): Stretch<R, H> {
  let values = 0;
  let to = from;
  while (to < rows.length && to < from + size && values < MOST_VALUES_OF_PAGE) {
    values += weightOf(rows[to] as R);
    to += 1;
  }
  return { head, rows: rows.slice(from, to), hasMore: hasMore || to < rows.length };
}
