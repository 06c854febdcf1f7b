import { BINDING_LOCK, schemaItems, STANDING_SCHEMA } from '../../translate/schema';
import type { Graph } from '../connection/driver';

/**
 * Makes the constraints, the indexes and the derivation lock that are missing, and waits until all
 * indexes are online. Several processes may run it at once, and again.
 */
export const makeSchema = ({ driver, database, liveness }: Graph): Promise<void> =>
  liveness.guard(Infinity, async () => {
    const { records } = await driver.executeQuery(STANDING_SCHEMA, {}, { database });
    const standing = new Set(
      records.map((record) => `${record.get('what')} ${record.get('name')}`),
    );
    const missing = schemaItems().filter(({ what, name }) => !standing.has(`${what} ${name}`));
    const statements = missing.map(({ statement }) => statement);
    // Each statement has a transaction of its own: Neo4j does not mix schema and data in one.
    for (const statement of [...statements, 'CALL db.awaitIndexes()', BINDING_LOCK]) {
      await driver.executeQuery(statement, {}, { database });
    }
  });
