import { LRUCache } from 'lru-cache';

import type { Entity } from '../../contract/answers/questions/entities';

/** An entity that a search found, and the value by which it is in order. */
export interface FoundEntity {
  readonly entity: Entity;
  readonly value: string;
}

/** Consecutive rows of a search. */
export interface EntityStretch {
  /** How many entities match. */
  readonly total: number;
  /** With which meaning of the filter they match. */
  readonly meaning: number;
  readonly rows: readonly FoundEntity[];
  /** Whether the search has rows after these. */
  readonly hasMore: boolean;
}

/** A page of a search: its size, and the row before it. */
export interface WantedPage {
  readonly size: number;
  readonly after: { readonly value: string; readonly key: string } | null;
}

// At most some 50 MB: a value of a row is a reference or a short text.
const MOST_VALUES = 1_000_000;
const KEPT_MS = 60_000;

// The thread that answers writes a page at once. So many values are some 8 MB of an answer.
const MOST_VALUES_OF_PAGE = 100_000;

/** How many values an entity has. */
const weightOf = ({ entity }: FoundEntity): number =>
  Object.values(entity.properties).reduce<number>(
    (sum, value) => sum + 2 + (Array.isArray(value) ? value.length : 0),
    10,
  );

/** The first rows of a stretch from a place on: a page, or fewer if they have very many values. */
export const cut = (stretch: EntityStretch, from: number, size: number): EntityStretch => {
  const { rows, hasMore } = stretch;
  let values = 0;
  let to = from;
  while (to < rows.length && to < from + size && values < MOST_VALUES_OF_PAGE) {
    values += weightOf(rows[to] as FoundEntity);
    to += 1;
  }
  return { ...stretch, rows: rows.slice(from, to), hasMore: hasMore || to < rows.length };
};

/**
 * Rows of searches that were read ahead. Neo4j looks at everything that matches for each page, so the
 * service reads more rows than a page has, and stores them for a minute. They are the next pages as
 * long as nothing is committed.
 */
export class ReadAhead {
  private readonly remembered = new LRUCache<string, EntityStretch>({
    maxSize: MOST_VALUES,
    ttl: KEPT_MS,
  });

  /** The page, if rows of the same version of the graph reach to its end; or else `null`. */
  find(name: string, { size, after }: WantedPage): EntityStretch | null {
    const stretch = after === null ? undefined : this.remembered.get(name);
    if (stretch === undefined) return null;
    const before = stretch.rows.findIndex(
      ({ entity, value }) => entity.id === after?.key && value === after.value,
    );
    if (before < 0) return null;
    const isThere = before + size < stretch.rows.length || !stretch.hasMore;
    return isThere ? cut(stretch, before + 1, size) : null;
  }

  /** Stores rows that were read. The name has the version of the graph, and what was searched. */
  keep(name: string, stretch: EntityStretch): void {
    const size = stretch.rows.reduce((sum, row) => sum + weightOf(row), 1);
    this.remembered.set(name, stretch, { size });
  }
}
