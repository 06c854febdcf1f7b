import type { Session } from 'neo4j-driver';

import type { Graph } from '../../src/graph/connection/driver';

/** Lets so many transactions begin, and then none: what a process that is killed leaves behind. */
export const killedAfter =
  (transactions: number) =>
  (graph: Graph): Graph => {
    let left = transactions;
    const session = (options: Parameters<Graph['driver']['session']>[0]): Session => {
      const opened = graph.driver.session(options);
      const begin = opened.beginTransaction.bind(opened);
      opened.beginTransaction = (config) => {
        left -= 1;
        return left < 0 ? (Promise.reject(new Error('killed')) as never) : begin(config);
      };
      return opened;
    };
    const driver = Object.assign(Object.create(graph.driver) as object, { session });
    return { ...graph, driver: driver as Graph['driver'] };
  };
