import * as E from 'fp-ts/Either';

import { csvOf } from '../../contract/csv';
import type { Graph } from '../../neo4j/driver';
import { whileWanted } from '../../neo4j/unwanted';
import type { PieceStream } from '../threads/piece-threads';
import { type Query, type QueryLimits, readingQuery } from './reading-query';
import { type QueryRows, streamedQuery } from './streamed-query';

/** A query of a caller, and the form of its answer. */
export interface WantedQuery {
  readonly query: Query;
  readonly limits: QueryLimits;
  readonly isCsv: boolean;
}

/** Runs a query of a caller, and writes its answer: JSON in one piece, or CSV in several. */
export async function* queryPieces(
  graph: Graph,
  { query, limits, isCsv }: WantedQuery,
  left: AbortSignal,
): PieceStream {
  const encoder = new TextEncoder();
  if (!isCsv) {
    const answer = await whileWanted(left, readingQuery(graph, limits, query));
    yield E.map((value: object) => encoder.encode(JSON.stringify({ value })))(answer);
    return;
  }
  let isFirst = true;
  for await (const some of streamedQuery(graph, limits, query, left)) {
    yield E.map(({ columns, rows }: QueryRows) =>
      encoder.encode(csvOf(isFirst ? [columns, ...rows] : rows)),
    )(some);
    isFirst = false;
  }
}
