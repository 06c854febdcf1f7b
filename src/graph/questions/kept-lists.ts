import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { Failure } from '../../problem';
import type { Graph } from '../connection/driver';
import type { Runner } from '../connection/transaction';
import { type Settled, settledAnswer, standingAnswer } from './settled-answer';

/** The place of a row in its list: what the list is ordered by, then the key. */
export interface ListPlace {
  readonly value: string;
  readonly key: string;
}

/** Rows of a list that follow one another, and what is told beside them. */
export interface Stretch<R, H> {
  readonly head: H;
  readonly rows: readonly R[];
  /** Whether the list has rows after these. */
  readonly hasMore: boolean;
}

/** One list, and how the graph answers it. */
export interface AskedList<R, H> {
  /** Tells the list apart from every other one. */
  readonly name: string;
  /** Rows of the page that is wanted. */
  readonly size: number;
  /** The last row of the page before it; `null` for the first page. */
  readonly after: ListPlace | null;
  /** Rows that are read at once, so that the pages that follow need not be computed again. */
  readonly ahead: number;
  readonly placeOf: (row: R) => ListPlace;
  /** What a row costs to keep, in values. */
  readonly weightOf: (row: R) => number;
  /** Reads some rows behind the place `after`. */
  readonly read: (tx: Runner, size: number) => Promise<Stretch<R, H>>;
}

interface Kept {
  readonly version: string;
  readonly stretch: Stretch<unknown, unknown>;
}

// Some 50 MB at most: a value of a row is a reference or a short text.
const MOST_VALUES = 1_000_000;
const KEPT_MS = 60_000;

/** Lists that were read further than they were told, for a minute. */
export class KeptLists {
  private readonly lists = new LRUCache<string, Kept>({
    maxSize: MOST_VALUES,
    ttl: KEPT_MS,
  });

  /**
   * Answers a page of a list. Neo4j computes a whole list for each page, so the service reads further than the page, and answers the pages that follow
   * from what it read, as long as no data source has changed. If one has, the list is read again from the row behind which the page begins.
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
          standingAnswer(graph, timeoutSeconds, kept.version, kept.page),
          TE.flatMap((standing) =>
            standing === null
              ? this.read(graph, timeoutSeconds, asked)
              : TE.right<Failure, Settled<Stretch<R, H>>>(standing),
          ),
        );
  }

  /** The page, if the list was read that far. */
  private find<R, H>({
    name,
    size,
    after,
    placeOf,
  }: AskedList<R, H>): { readonly version: string; readonly page: Stretch<R, H> } | null {
    const kept = after === null ? undefined : this.lists.get(name);
    if (kept === undefined) return null;
    const stretch = kept.stretch as Stretch<R, H>;
    const before = stretch.rows.findIndex((row) => {
      const place = placeOf(row);
      return place.key === after?.key && place.value === after.value;
    });
    const isThere = before >= 0 && (!stretch.hasMore || before + size < stretch.rows.length);
    return isThere ? { version: kept.version, page: cut(stretch, before + 1, size) } : null;
  }

  private read<R, H>(
    graph: Graph,
    timeoutSeconds: number,
    { name, size, ahead, weightOf, read }: AskedList<R, H>,
  ): TE.TaskEither<Failure, Settled<Stretch<R, H>>> {
    return pipe(
      settledAnswer(graph, timeoutSeconds, (tx) => read(tx, Math.max(size, ahead))),
      TE.map(({ answer: stretch, ...settled }) => {
        const { version } = settled;
        if (version !== null && stretch.rows.length > size) {
          const weight = stretch.rows.reduce((sum, row) => sum + weightOf(row), 1);
          this.lists.set(name, { version, stretch }, { size: weight });
        }
        return { answer: cut(stretch, 0, size), ...settled };
      }),
    );
  }
}

function cut<R, H>(
  { head, rows, hasMore }: Stretch<R, H>,
  from: number,
  size: number,
): Stretch<R, H> {
  return {
    head,
    rows: rows.slice(from, from + size),
    hasMore: hasMore || from + size < rows.length,
  };
}
