import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Step } from '../statements/instant-statements';
import { unchanged } from './unchanged';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { inFuture, newestBy } from './instant-in-history';
import { stage } from './stage';
import { withoutStagePrefix } from './without-stage-prefix';
import { isSharedKey } from '../../templates/graph/kind-of-key';
import { existedAt } from './existed';
import { type Asked, walk, type Walked, WalkTooLong } from './walk';

/** The walk to what a question reads: where it begins, and its steps. */
interface Way {
  readonly asked: Asked;
  readonly steps: readonly Step[];
}

/** What a question reads. */
export interface Reach extends Way {
  /** Whether it also looks for names among everything, such as those of permissions. */
  readonly looksUpNames: boolean;
}

/** The limits of an answer about now or about an instant. */
export interface AnswerLimits {
  readonly seconds: number;
  /** How many relationships of an instant the service holds for one question. */
  readonly instantFacts: number;
}

/** An answer about an instant, and the newest push by then. */
export interface AnswerThen<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}

const tooLong = (most: number): Failure => ({
  _tag: 'TooLarge',
  message: `The answer about that instant needs more than ${most} relationships (LIMIT_INSTANT_FACTS). Narrow the question.`,
});

/**
 * The shared nodes that a question names, and that nothing led to at an instant: they did not exist
 * then. `stage` makes each shared node from its key, whether it existed or not.
 */
const absentAt = async (tx: Runner, at: Instant, asked: Asked): Promise<readonly string[]> => {
  const shared = Object.values(asked).flat().filter(isSharedKey);
  if (shared.length === 0) return [];
  const existed = await existedAt(tx, at, shared);
  return shared.filter((key) => !existed.has(key));
};

/** What a walk found, without nodes that did not exist then. */
export const withoutAbsent = async (
  tx: Runner,
  at: Instant,
  asked: Asked,
  walked: Walked,
): Promise<Walked> => {
  const absent = new Set(await absentAt(tx, at, asked));
  if (absent.size === 0) return walked;
  return { ...walked, nodes: new Map([...walked.nodes].filter(([key]) => !absent.has(key))) };
};

/** Whether everything that a question reads is as it was at an instant. */
export const isUnchanged = async (
  tx: Runner,
  at: Instant,
  { asked, steps }: Way,
): Promise<boolean> => {
  const keys = Object.entries(asked).map(([set, given]) => [set, [given].flat()] as const);
  const { records } = await tx.run<{ is_unchanged: boolean }>(
    unchanged(
      steps,
      keys.map(([set]) => set),
    ),
    { asked: Object.fromEntries(keys), at: toDateTime(at) },
  );
  if (records[0]?.get('is_unchanged') !== true) return false;
  // The steps need not pass what leads to a shared node.
  return (await absentAt(tx, at, asked)).length === 0;
};

/**
 * Stages the facts of an instant that a question can reach, and lets the statements of the live
 * answer read them. The transaction must be rolled back. Returns a failure if there are too many.
 */
export const stagedAnswer = async <A>(
  tx: Runner,
  instantFacts: number,
  at: Instant,
  { asked, steps }: Way,
  read: (tx: Runner, keyOf: (key: string) => string) => Promise<A>,
): Promise<{ readonly answer: A } | Failure> => {
  const prefix = `at ${randomUUID()} `;
  try {
    const walked = await walk(tx, at, asked, steps, instantFacts);
    await stage(tx, at, await withoutAbsent(tx, at, asked, walked), prefix);
  } catch (error) {
    if (error instanceof WalkTooLong) return tooLong(instantFacts);
    throw error;
  }
  const answer = await read(tx, (key) => prefix + key);
  return { answer: withoutStagePrefix(answer, prefix) as A };
};

/**
 * Answers a question about the graph of an instant. If nothing that the question reads has changed
 * since, the answer about now is the answer. The service reads that answer before it compares, so it
 * notices what a push changes in between. Otherwise it stages the facts of that instant that the
 * question can reach, lets the statements of the live answer read them, and rolls everything back.
 * So one set of rules is used for both (docs/architecture.md: A question about an instant). `keyOf`
 * returns the staged key of a node. Refuses instants before the history and after the present.
 */
export const answerAt = <A>(
  graph: Graph,
  { seconds, instantFacts }: AnswerLimits,
  at: Instant,
  { asked, steps }: Way,
  read: (tx: Runner, keyOf: (key: string) => string) => Promise<A>,
): TE.TaskEither<Failure, AnswerThen<A>> => {
  const later = inFuture('/at', at);
  if (later !== null) return TE.left(later);
  return pipe(
    inTransaction(
      graph,
      { mode: 'write', end: 'rollback', timeoutSeconds: seconds },
      async (tx): Promise<AnswerThen<A> | Failure> => {
        const asOf = await newestBy(tx, at, '/at');
        if (E.isLeft(asOf)) return asOf.left;
        const now = await read(tx, (key) => key);
        if (await isUnchanged(tx, at, { asked, steps })) return { answer: now, asOf: asOf.right };
        const staged = await stagedAnswer(tx, instantFacts, at, { asked, steps }, read);
        return 'answer' in staged ? { ...staged, asOf: asOf.right } : staged;
      },
    ),
    TE.flatMap((answered) => ('answer' in answered ? TE.right(answered) : TE.left(answered))),
  );
};
