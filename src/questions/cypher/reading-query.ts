import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { Neo4jError } from 'neo4j-driver';

import type { Notice, QueryAnswer } from '../endpoints';
import { pointerOf } from '../../codec/pointer';
import { quote } from '../../codec/quote';
import { type Failure, invalid, oneProblem } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { boundBytes } from './byte-bound';
import { NoAnswer, toFailure } from '../../neo4j/failure';
import { Unwanted } from '../../neo4j/unwanted';
import { type Plain, toPlain } from '../../neo4j/plain-value';
import { inexactNotice, noticesOf, textNotice } from './notices';
import { inexactNumbersIn, textsThatSpellTimes, toParameters } from './query-parameters';
import { refusalOf } from './reading-plan';
import { textRefusalOf } from './reading-text';
import { WEIGHT_AT_ONCE, weightOf } from '../../web/exchange/json-pieces';
import { isStillRunning, untilEnded } from './still-running';
import { runTransaction, type Runner, type TransactionOptions } from '../../neo4j/transaction';

/** A Cypher query as an analyst sends it. */
export interface Query {
  readonly cypher: string;
  /** The parameters as JSON values. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name of the key that wrote the query; `SHOW TRANSACTIONS` shows it in `metaData`. */
  readonly key?: string;
}

type Rows = Omit<QueryAnswer, 'notices'>;

/** The limits of a query. */
export interface QueryLimits {
  readonly seconds: number;
  readonly rows: number;
  /** The most bytes that Neo4j may send. */
  readonly bytes: number;
  /** The service waits this many seconds longer for Neo4j to end a query. */
  readonly graceSeconds?: number;
}

/** The failure of a query that is refused. */
export const refused = (code: 'BAD_CYPHER' | 'NOT_READING', message: string): Failure =>
  invalid('The query is not valid.', oneProblem('/cypher', code, message));

/** What Neo4j says of a query whose parameters are not all given. */
const LACKING = /^Expected parameter\(s\): (.+)$/;

/**
 * The failure of a query that needs parameters which the request does not have; `null` if it fails
 * for another reason.
 */
const lacking = ({ code, message }: Neo4jError): Failure | null => {
  const [, names] = LACKING.exec(message) ?? [];
  if (code !== 'Neo.ClientError.Statement.ParameterMissing' || names === undefined) return null;
  const problems = names.split(', ').map((name) => ({
    pointer: pointerOf('parameters', name),
    code: 'MISSING_FIELD' as const,
    message: `the query needs the parameter ${quote(name)}`,
  }));
  return invalid('The query is not valid.', { problems, total: problems.length });
};

const OUT_OF_TIME = /^Neo\.ClientError\.Transaction\.TransactionTimedOut/;
const OUT_OF_MEMORY = /^Neo\.TransientError\.General\.\w*OutOfMemoryError$/;

/** A query failed after some of its rows were sent, so the service does not run it again. */
export class BrokenOff extends Error {}

/**
 * The failure of a query. Faults of the query are reported in Neo4j's words, others in the usual
 * ones.
 */
const queryFailure = (thrown: unknown, { seconds }: QueryLimits): Failure => {
  const error = thrown instanceof BrokenOff ? thrown.cause : thrown;
  if (!(error instanceof Neo4jError)) return toFailure(error);
  if (OUT_OF_TIME.test(error.code)) {
    return refused('BAD_CYPHER', `took longer than ${seconds} s (LIMIT_ANSWER_SECONDS)`);
  }
  if (OUT_OF_MEMORY.test(error.code)) {
    return refused('BAD_CYPHER', 'needs more memory than Neo4j has for it (NEO4J_HEAP)');
  }
  const missing = lacking(error);
  if (missing !== null) return missing;
  if (/^Neo\.ClientError\.(Statement|Procedure|Schema|Database|Transaction)\./.test(error.code)) {
    return refused('BAD_CYPHER', sentenceOf(error.message));
  }
  return toFailure(error);
};

/** Neo4j should have ended a query this many seconds after its limit. */
const GRACE_SECONDS = 10;

const EXPLAINED = 'EXPLAIN ';

/**
 * Neo4j's message about a query that was sent behind `EXPLAIN `. This moves its positions back, and
 * drops the copy of the query that follows.
 */
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

/**
 * The service cut the connection because the answer was too large. Nothing is left to commit, and a
 * retry would not help.
 */
class CutOff extends Error {
  constructor(readonly answer: Rows) {
    super('the answer is larger than its limit');
  }
}

const readRows = async (tx: Runner, query: Query, limits: QueryLimits): Promise<Rows> => {
  const bound = boundBytes(tx, limits.bytes);
  let columns: readonly string[] = [];
  const rows: (readonly Plain[])[] = [];
  let weight = 0;
  try {
    const result = tx.stream(query.cypher, query.parameters);
    columns = (await result.keys()).map(String);
    for await (const record of result) {
      if (rows.length === limits.rows) {
        return { columns, rows, truncated: true, truncated_by: 'LIMIT_QUERY_ROWS' };
      }
      const row = [...record.values()].map(toPlain);
      rows.push(row);
      weight += weightOf(row, WEIGHT_AT_ONCE);
      if (weight < WEIGHT_AT_ONCE) continue;
      // The driver may have many rows at hand, and others must be answered meanwhile.
      weight = 0;
      await setImmediate();
    }
    return { columns, rows, truncated: false };
  } catch (error) {
    if (!bound.isExceeded()) throw error;
    throw new CutOff({ columns, rows, truncated: true, truncated_by: 'LIMIT_QUERY_BYTES' });
  } finally {
    bound.release();
  }
};

/**
 * The rows that arrived before the service cut the connection, or a problem if there was not even
 * one.
 */
const cutOff = (error: unknown, { bytes }: QueryLimits): Rows | Failure => {
  if (!(error instanceof CutOff)) throw error;
  return error.answer.rows.length > 0
    ? error.answer
    : refused(
        'BAD_CYPHER',
        `has a first row of more than ${bytes} bytes: give what it collects as rows`,
      );
};

/** How to run a query: its transaction, and what to do with its rows. */
interface Reading<A> {
  readonly options: Omit<TransactionOptions, 'mode' | 'timeoutSeconds' | 'asksForNotices'>;
  readonly read: (tx: Runner, query: Query, notices: readonly Notice[]) => Promise<A>;
  /** Makes an answer of an error that ended the transaction, or throws it again. */
  readonly recover?: (error: unknown) => A;
}

/** Runs a query whose text is allowed, after a check of its plan. */
const run = <A>(
  graph: Graph,
  limits: QueryLimits,
  query: Query,
  { options, read, recover = rethrown }: Reading<A | Failure>,
): TE.TaskEither<Failure, A> => {
  const question = randomUUID();
  return pipe(
    TE.tryCatch(
      () =>
        runTransaction(
          graph,
          {
            ...options,
            mode: 'read',
            timeoutSeconds: limits.seconds,
            atMostSeconds: limits.seconds + (limits.graceSeconds ?? GRACE_SECONDS),
            asksForNotices: true,
            metadata: { question, ...(query.key === undefined ? {} : { key: query.key }) },
          },
          async (tx): Promise<A | Failure> => {
            const { summary } = await tx.run(`${EXPLAINED}${query.cypher}`, query.parameters);
            const refusal = refusalOf(summary);
            return refusal === null
              ? read(tx, query, noticesOf(summary, EXPLAINED))
              : refused('NOT_READING', refusal);
          },
        ).catch(recover),
      (error) => error,
    ),
    TE.orElse((error) => async () => E.left(await givenUp(graph, question, error, limits))),
    TE.flatMap((given) => (isFailure(given) ? TE.left(given) : TE.right(given))),
  );
};

/**
 * The failure of a query. If the service gave it up, or its client left, and Neo4j has not ended it, the failure says so:
 * the turn of its key comes back only when Neo4j has.
 */
const givenUp = async (
  graph: Graph,
  question: string,
  error: unknown,
  limits: QueryLimits,
): Promise<Failure> => {
  const failure = queryFailure(error, limits);
  const isOverdue = error instanceof NoAnswer;
  if (!(isOverdue || error instanceof Unwanted) || graph.liveness.isSilent) return failure;
  if (!(await isStillRunning(graph, question))) return failure;
  return {
    _tag: 'Unavailable',
    message:
      'Neo4j has not ended the query after its limit (LIMIT_ANSWER_SECONDS); it still uses a turn of this key.',
    stillRunning: { transaction: question, isOverdue, ended: untilEnded(graph, question) },
  };
};

const isFailure = <A>(given: A | Failure): given is Failure =>
  typeof given === 'object' && given !== null && '_tag' in given;

const rethrown = (error: unknown): never => {
  throw error;
};

/** Checks the text and the parameters of a query, and runs it. */
export const checkedRun = <A>(
  graph: Graph,
  limits: QueryLimits,
  { cypher, parameters: given, ...by }: Query,
  reading: Reading<A | Failure>,
): TE.TaskEither<Failure, A> => {
  const refusal = textRefusalOf(cypher);
  if (refusal !== null) return TE.left(refused('NOT_READING', refusal));
  return pipe(
    TE.fromEither(toParameters(given)),
    TE.mapLeft((problems) => invalid('The query is not valid.', problems)),
    TE.flatMap((parameters) => run(graph, limits, { cypher, parameters, ...by }, reading)),
  );
};

/**
 * Runs a query that only reads. The service checks its text and its plan, and in addition the
 * transaction runs in READ access mode. Time, rows and bytes of the answer are limited
 * (docs/security.md: Queries).
 */
export const readingQuery = (
  graph: Graph,
  limits: QueryLimits,
  query: Query,
): TE.TaskEither<Failure, QueryAnswer> => {
  let notices: readonly Notice[] = [];
  return pipe(
    checkedRun<Rows>(graph, limits, query, {
      options: {},
      read: (tx, ready, found) => {
        notices = found;
        return readRows(tx, ready, limits);
      },
      recover: (error) => cutOff(error, limits),
    }),
    TE.map((rows) => ({
      ...rows,
      notices: [
        ...notices,
        ...textsThatSpellTimes(query.parameters).map(textNotice),
        ...inexactNumbersIn(query.parameters).map(inexactNotice),
      ],
    })),
  );
};
