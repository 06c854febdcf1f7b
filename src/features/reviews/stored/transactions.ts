import type { Context } from '../../../context';
import { LATEST, runTransaction, type Runner } from '../../../neo4j/transaction';

/** Reads what is stored of reviews, over connections for questions. */
export const read = <A>({ asked }: Context, work: (tx: Runner) => Promise<A>): Promise<A> =>
  runTransaction(asked, LATEST, work);

/** Reads and writes what is stored of reviews. */
export const write = <A>({ graph }: Context, work: (tx: Runner) => Promise<A>): Promise<A> =>
  runTransaction(graph, LATEST, work);
