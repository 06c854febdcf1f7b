import * as E from 'fp-ts/Either';

import type { Config } from '../config';
import { bytes } from '../settings/setting';

/**
 * The Java heap for each row or relationship of a transaction. An ordinary one uses a quarter of
 * it, with what the commit needs. The rest is for long texts and for Neo4j's other work.
 */
const HEAP_PER_ROW = 8 * 1024;

/** The least heap that the service assumes for a Neo4j that it did not start. */
const LEAST_HEAP = '1g';

/**
 * How many rows and relationships one transaction may hold, unless a setting says it
 * (docs/rules.md: Chunked pushes).
 */
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
