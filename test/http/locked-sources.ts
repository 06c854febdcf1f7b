import { setTimeout as sleep } from 'node:timers/promises';

import { testDriver, testNeo4j } from '../support/neo4j';

/** Some data sources whose locks the test holds. */
interface LockedSources {
  /** Resolves once a transaction of somebody else waits for one of the locks. */
  readonly untilAwaited: () => Promise<void>;
}

const AWAITED = `SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS count`;

/** Does something while nobody lets go the locks for which pushes to some data sources wait. */
export const whileLocked = async <A>(
  dataSources: readonly string[],
  work: (locked: LockedSources) => Promise<A>,
): Promise<A> => {
  const { database } = testNeo4j();
  const driver = testDriver();
  try {
    const holding = driver.session({ database }).beginTransaction();
    await holding.run('MATCH (d:DataSource) WHERE d.key IN $dataSources SET d.held = true', {
      dataSources,
    });
    const untilAwaited = async (): Promise<void> => {
      for (;;) {
        const { records } = await driver.executeQuery(AWAITED, {}, { database });
        if (Number(records[0]?.get('count')) > 0) return;
        await sleep(20);
      }
    };
    const done = await work({ untilAwaited });
    await holding.rollback();
    return done;
  } finally {
    await driver.close();
  }
};
