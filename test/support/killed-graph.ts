import type { Session, Transaction } from 'neo4j-driver';

import type { Graph } from '../../src/neo4j/driver';

/** A graph whose transactions are what `change` makes of them. It begins the transaction, if at all. */
export const withTransactions = (
  graph: Graph,
  change: (begin: () => Transaction) => Transaction,
): Graph => {
  const session = (options: Parameters<Graph['driver']['session']>[0]): Session => {
    const opened = graph.driver.session(options);
    const begin = opened.beginTransaction.bind(opened);
    opened.beginTransaction = ((config: Parameters<typeof begin>[0]) =>
      change(() => begin(config))) as typeof begin;
    return opened;
  };
  const driver = Object.assign(Object.create(graph.driver) as object, { session });
  return { ...graph, driver: driver as Graph['driver'] };
};

const die = (): Promise<never> => Promise.reject(new Error('killed'));

/** A transaction that cannot begin: whoever asks for its connection hears why. */
const killed = {
  _connectionHolder: { getConnection: die },
  run: die,
  commit: die,
  rollback: die,
} as unknown as Transaction;

/** Lets so many transactions begin, and then none: what a process that is killed leaves behind. */
export const killedAfter =
  (transactions: number) =>
  (graph: Graph): Graph => {
    let left = transactions;
    return withTransactions(graph, (begin) => {
      left -= 1;
      return left < 0 ? killed : begin();
    });
  };
