import { once } from 'node:events';
import { PassThrough } from 'node:stream';

import * as E from 'fp-ts/Either';

import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { type Plain, toPlain } from '../../neo4j/plain-value';
import type { Runner } from '../../neo4j/transaction';
import { StreamFailure } from '../../web/exchange/answer-stream';
import { boundBytes } from './byte-bound';
import { BrokenOff, checkedRun, type Query, type QueryLimits, refused } from './reading-query';

/** Some rows of a query: the names of its columns, and cells for each. */
export interface QueryRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Plain[])[];
}

/** The rows of a query as they come, or the failure that ends them. */
export type QueryStream = AsyncGenerator<E.Either<Failure, QueryRows>, void>;

const ROWS_AT_ONCE = 100;

const sendRows = async (
  tx: Runner,
  { cypher, parameters }: Query,
  { bytes }: QueryLimits,
  send: (rows: QueryRows) => Promise<void>,
): Promise<true | Failure> => {
  const bound = boundBytes(tx, bytes);
  let hasSent = false;
  try {
    const result = tx.stream(cypher, parameters);
    const columns = (await result.keys()).map(String);
    let rows: (readonly Plain[])[] = [];
    const flush = async (): Promise<void> => {
      hasSent = true;
      await send({ columns, rows });
      rows = [];
      bound.restart();
    };
    for await (const record of result) {
      rows.push([...record.values()].map(toPlain));
      if (rows.length === ROWS_AT_ONCE) await flush();
    }
    if (rows.length > 0 || !hasSent) await flush();
    return true;
  } catch (error) {
    if (bound.isExceeded()) throw new TooWide(`${ROWS_AT_ONCE} rows have more than ${bytes} bytes`);
    throw hasSent ? new BrokenOff('the rows are broken off', { cause: error }) : error;
  } finally {
    bound.release();
  }
};

class TooWide extends Error {}

/**
 * Runs a query as `readingQuery` does, and returns all its rows. There is no limit to their number,
 * since the service holds only some of them. Neo4j sends the next ones when these are read.
 */
export async function* streamedQuery(
  graph: Graph,
  limits: QueryLimits,
  query: Query,
  left: AbortSignal,
): QueryStream {
  const pieces = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const send = async (rows: QueryRows): Promise<void> => {
    if (!pieces.write(rows)) await once(pieces, 'drain', { signal: left });
  };
  const running = checkedRun<true>(graph, limits, query, {
    options: { unwanted: left, fetchSize: ROWS_AT_ONCE },
    read: (tx, ready) => sendRows(tx, ready, limits, send),
    recover: (error) => {
      if (error instanceof TooWide) return refused('BAD_CYPHER', error.message);
      throw error;
    },
  })().finally(() => pieces.end());
  let isRead = false;
  try {
    for await (const rows of pieces) yield E.right(rows as QueryRows);
    isRead = true;
    const done = await running;
    if (E.isLeft(done)) yield done;
  } finally {
    // Without a client that left, the query waits for one that reads on.
    if (!isRead && left.aborted) await orFailure(running);
  }
}

/**
 * Throws the failure of a query that nobody reads any more, since it says whether Neo4j still runs
 * that query.
 */
const orFailure = async (running: Promise<E.Either<Failure, unknown>>): Promise<void> => {
  const done = await running;
  if (E.isLeft(done)) throw new StreamFailure(done.left);
};
