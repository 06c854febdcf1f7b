import { BINDING_LOCK, schemaStatements } from '../../translate/schema';
import type { Graph } from '../connection/driver';

/** Makes what pushes rely on: constraints, indexes (waiting until they answer) and the binding lock; harmless when repeated. */
export const migrate = ({ driver, database, liveness }: Graph): Promise<void> =>
  liveness.guard(Infinity, async () => {
    // Each in a transaction of its own: schema and data do not mix in one.
    for (const statement of [...schemaStatements(), 'CALL db.awaitIndexes()', BINDING_LOCK]) {
      await driver.executeQuery(statement, {}, { database });
    }
  });
