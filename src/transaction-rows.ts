import * as E from 'fp-ts/Either';

import type { Config } from './config';
import { bytes } from './settings/setting';

/**
 * Java heap for each row or relationship that a transaction holds. Ordinary ones take a quarter of that, with what the commit needs besides;
 * the rest is for long texts, and for whatever else Neo4j does meanwhile (neo4j.md 2).
 */
const HEAP_PER_ROW = 8 * 1024;

/** The heap that a Neo4j of which nothing is known is taken to have at least. */
const LEAST_HEAP = '1g';

/** How many rows and relationships one transaction may hold, unless a setting tells (docs/rules.md: Chunked pushes). */
export const transactionRows = ({
  neo4j,
  embedded,
  parts,
}: Pick<Config, 'neo4j' | 'embedded' | 'parts'>): number => {
  if (parts.transactionRows !== undefined) return parts.transactionRows;
  const heap = bytes(
    1,
    Number.MAX_SAFE_INTEGER,
  )(neo4j.uri === undefined ? embedded.heap : LEAST_HEAP);
  return Math.floor((E.isRight(heap) ? heap.right : 0) / HEAP_PER_ROW);
};
