import * as transactions from '../../../src/neo4j/transaction';

/*
 * A service that ends at one of its commits (docs/rules.md: Access reviews).
 */

const WRITES = /\b(?:SET|CREATE|MERGE|DELETE)\b/;

/** At which commit the service ends, and on which side of it. 0: it never does. */
export interface Strike {
  readonly commit: number;
  readonly side: 'before' | 'after';
}

/** Does something in a service that ends at one of its commits; says whether it did. */
export const struck = async (
  { commit, side }: Strike,
  work: () => PromiseLike<unknown>,
): Promise<boolean> => {
  const run = transactions.runTransaction;
  let commits = 0;
  let isDead = false;
  const end = (): never => {
    isDead = true;
    throw new Error('the service has ended');
  };
  const ending = async <A>(
    graph: Parameters<typeof run>[0],
    options: transactions.TransactionOptions,
    inside: (tx: transactions.Runner) => Promise<A>,
  ): Promise<A> => {
    if (isDead) end();
    let isHere = false;
    const done = await run(graph, options, async (tx) => {
      let hasWritten = false;
      const watched = Object.create(tx, {
        run: {
          value: (statement: string, parameters?: Readonly<Record<string, unknown>>) => {
            hasWritten ||= WRITES.test(statement);
            return tx.run(statement, parameters);
          },
        },
      }) as transactions.Runner;
      const found = await inside(watched);
      if (hasWritten) commits += 1;
      isHere = hasWritten && commits === commit;
      return isHere && side === 'before' ? end() : found;
    });
    return isHere ? end() : done;
  };
  const spy = jest.spyOn(transactions, 'runTransaction').mockImplementation(ending);
  try {
    await work();
  } catch (error) {
    if (!isDead) throw error;
  } finally {
    spy.mockRestore();
  }
  return isDead;
};
