import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import { type Context, oncePerContext } from '../../../context';
import type { KeyAct } from '../../../graph/records/event-record';
import { FailedStep, toFailure } from '../../../neo4j/failure';
import {
  LATEST,
  runTransaction,
  type Runner,
  type TransactionOptions,
} from '../../../neo4j/transaction';
import { keyOf, Turns } from '../../../web/admission/turns';
import { BackupRuns, outsideBackups } from '../../backup/contract';
import { conflict } from '../refuse';

/*
 * The transactions of reviews. No other file of the feature begins one (`eslint.config.mjs`).
 */

type Work<A> = (tx: Runner) => Promise<A>;
type Options = Partial<Pick<TransactionOptions, 'mode' | 'timeoutSeconds'>>;

/** Reads what is stored of reviews, over connections for questions. */
export const read = <A>({ asked }: Context, work: Work<A>, options: Options = {}): Promise<A> =>
  runTransaction(asked, { ...LATEST, ...options }, work);

/** The same over the connections of acts, of which questions use none. */
export const readToAct = <A>(
  { graph }: Context,
  work: Work<A>,
  options: Options = {},
): Promise<A> => runTransaction(graph, { ...LATEST, ...options }, work);

/** How many acts on reviews run at once, and how many of one key or person. */
const ACTS_AT_ONCE = 8;
const ACTS_OF_KEY = 2;

/** The turns of acts: each has a connection while it waits for a backup or for another act. */
const actTurnsOf = oncePerContext(
  ({ config }): Turns =>
    new Turns({
      atOnce: ACTS_AT_ONCE,
      ofKey: ACTS_OF_KEY,
      patience: {
        seconds: config.limits.questionWaitSeconds,
        keyBusy: `${ACTS_OF_KEY} acts on reviews run already; try again when one is done.`,
        allBusy: 'Too many acts on reviews run; try again later.',
      },
    }),
);

/**
 * Reads and writes what is stored of reviews. It commits while no backup runs, so none holds half of it.
 * A longer backup ends it with a conflict (409), since others wait for what it locked.
 */
export const write = <A>(
  { graph, config }: Context,
  work: Work<A>,
  options: Options = {},
): Promise<A> =>
  runTransaction(graph, { ...LATEST, ...options }, async (tx) => {
    const done = await work(tx);
    await outsideBackups(tx, config.limits.questionWaitSeconds).catch((error: unknown) => {
      throw error instanceof BackupRuns ? conflict('A backup runs; try again later.') : error;
    });
    return done;
  });

/** Writes what somebody does about a review, once it is their turn. */
export const writeInTurn = async <A>(
  context: Context,
  { by }: KeyAct,
  work: Work<A>,
): Promise<A> => {
  const done = await actTurnsOf(context).run(
    { key: keyOf(by) },
    TE.tryCatch(() => write(context, work), toFailure),
  )();
  if (E.isLeft(done)) throw new FailedStep(done.left);
  return done.right;
};
