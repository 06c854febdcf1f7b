import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j, { Neo4jError, type QueryResult } from 'neo4j-driver';

import { type Failure, invalid, oneProblem } from '../../problem';
import type { Graph } from '../connection/driver';
import { boundBytes } from './byte-bound';
import { toFailure } from '../connection/failure';
import { type Plain, toPlain } from '../connection/plain-value';
import { refusalOf } from './reading-plan';
import { runTransaction, type Runner } from '../connection/transaction';

/** A query in Cypher, as an analyst sends it (api.md 7). */
export interface Query {
  readonly cypher: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The rows that a query gave, each by its columns, and whether there were more; if so, which setting cut them. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Plain[])[];
  readonly truncated: boolean;
  readonly truncated_by?: 'LIMIT_QUERY_ROWS' | 'LIMIT_QUERY_BYTES';
}

/** How much a query may take. */
export interface QueryLimits {
  readonly seconds: number;
  readonly rows: number;
  /** That Neo4j sends. */
  readonly bytes: number;
}

const refused = (code: 'BAD_CYPHER' | 'NOT_READING', message: string): Failure =>
  invalid('The query is not valid.', oneProblem('/cypher', code, message));

const OUT_OF_TIME = /^Neo\.ClientError\.Transaction\.TransactionTimedOut/;
const OUT_OF_MEMORY = /^Neo\.TransientError\.General\.\w*OutOfMemoryError$/;

/** What is wrong with a query, in Neo4j's words; what is wrong with Neo4j is told as everywhere. */
const queryFailure = (error: unknown, { seconds }: QueryLimits): Failure => {
  if (!(error instanceof Neo4jError)) return toFailure(error);
  if (OUT_OF_TIME.test(error.code)) {
    return refused('BAD_CYPHER', `took longer than ${seconds} s (LIMIT_ANSWER_SECONDS)`);
  }
  if (OUT_OF_MEMORY.test(error.code)) {
    return refused('BAD_CYPHER', 'needs more memory than Neo4j has for it (NEO4J_HEAP)');
  }
  if (/^Neo\.ClientError\.(Statement|Procedure|Schema|Database|Transaction)\./.test(error.code)) {
    return refused('BAD_CYPHER', sentenceOf(error.message));
  }
  return toFailure(error);
};

const EXPLAINED = 'EXPLAIN ';

/** Neo4j's sentence about a query that was sent behind a word of ours: places are those of the query, which is not repeated. */
const sentenceOf = (message: string): string =>
  message
    .split('\n', 1)
    .join()
    .replace(
      /\(line (\d+), column (\d+) \(offset: \d+\)\)/,
      (_place, line: string, column: string) =>
        line === '1'
          ? `(line 1, column ${Number(column) - EXPLAINED.length})`
          : `(line ${line}, column ${column})`,
    );

// JSON knows one kind of number, Neo4j two: LIMIT, SKIP and places in lists need whole ones.
const toParameter = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value;
  if (Array.isArray(value)) return value.map(toParameter);
  if (typeof value !== 'object' || value === null) return value;
  return toParameters(value);
};

const toParameters = (given: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).map(([name, held]) => [name, toParameter(held)]));

/** Neo4j was cut off: there is nothing to commit, and nothing to try again. */
class CutOff extends Error {
  constructor(readonly answer: QueryAnswer) {
    super('the answer is larger than its limit');
  }
}

const readRows = async (tx: Runner, query: Query, limits: QueryLimits): Promise<QueryAnswer> => {
  const bound = boundBytes(tx, limits.bytes);
  let columns: readonly string[] = [];
  const rows: (readonly Plain[])[] = [];
  try {
    const result = tx.stream(query.cypher, toParameters(query.parameters));
    columns = (await result.keys()).map(String);
    for await (const record of result) {
      if (rows.length === limits.rows) {
        return { columns, rows, truncated: true, truncated_by: 'LIMIT_QUERY_ROWS' };
      }
      rows.push([...record.values()].map(toPlain));
    }
    return { columns, rows, truncated: false };
  } catch (error) {
    if (!bound.isExceeded()) throw error;
    throw new CutOff({ columns, rows, truncated: true, truncated_by: 'LIMIT_QUERY_BYTES' });
  } finally {
    bound.release();
  }
};

const explain = (tx: Runner, { cypher, parameters }: Query): Promise<QueryResult> =>
  tx.run(`${EXPLAINED}${cypher}`, toParameters(parameters));

/** What was read before Neo4j was cut off, or that not even one row fits. */
const cutOff = (error: unknown, { bytes }: QueryLimits): QueryAnswer | Failure => {
  if (!(error instanceof CutOff)) throw error;
  return error.answer.rows.length > 0
    ? error.answer
    : refused(
        'BAD_CYPHER',
        `has a first row of more than ${bytes} bytes (LIMIT_QUERY_BYTES): give what it collects as rows`,
      );
};

/**
 * Runs a query that reads: its plan is looked at first, and the transaction may not write whatever the plan says (issue 8.6). An answer is bounded
 * in time, rows and bytes.
 */
export const readingQuery = (
  graph: Graph,
  limits: QueryLimits,
  query: Query,
): TE.TaskEither<Failure, QueryAnswer> =>
  pipe(
    TE.tryCatch(
      () =>
        runTransaction(
          graph,
          { mode: 'read', timeoutSeconds: limits.seconds },
          async (tx): Promise<QueryAnswer | Failure> => {
            const { summary } = await explain(tx, query);
            const refusal = refusalOf(summary);
            return refusal === null ? readRows(tx, query, limits) : refused('NOT_READING', refusal);
          },
        ).catch((error: unknown) => cutOff(error, limits)),
      (error) => queryFailure(error, limits),
    ),
    TE.flatMap((answer) => ('_tag' in answer ? TE.left(answer) : TE.right(answer))),
  );
