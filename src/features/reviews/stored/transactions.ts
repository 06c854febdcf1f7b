import type { Context } from '../../../context';
import {
  LATEST,
  runTransaction,
  type Runner,
  type TransactionOptions,
} from '../../../neo4j/transaction';
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

/** Reads and writes what is stored of reviews. It commits while no backup runs, so none holds half of it. */
export const write = <A>(
  { graph, config }: Context,
  work: Work<A>,
  options: Options = {},
): Promise<A> =>
  runTransaction(graph, { ...LATEST, ...options }, async (tx) => {
    const done = await work(tx);
    await outsideBackups(tx, config.limits.pushWaitSeconds).catch((error: unknown) => {
      throw error instanceof BackupRuns ? conflict('A backup runs; try again later.') : error;
    });
    return done;
  });
