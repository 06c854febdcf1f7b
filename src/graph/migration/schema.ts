import { BINDING_LOCK, schemaItems, STANDING_SCHEMA } from '../../translate/schema';
import type { Graph } from '../connection/driver';

/**
 * Makes what pushes rely on and does not stand: constraints, indexes (waiting until all of them answer) and the binding lock; harmless when
 * repeated, also by several at once.
 */
export const makeSchema = ({ driver, database, liveness }: Graph): Promise<void> =>
  liveness.guard(Infinity, async () => {
    const { records } = await driver.executeQuery(STANDING_SCHEMA, {}, { database });
    const standing = new Set(
      records.map((record) => `${record.get('what')} ${record.get('name')}`),
    );
    const missing = schemaItems().filter(({ what, name }) => !standing.has(`${what} ${name}`));
    const statements = missing.map(({ statement }) => statement);
    // Each in a transaction of its own: schema and data do not mix in one.
    for (const statement of [...statements, 'CALL db.awaitIndexes()', BINDING_LOCK]) {
      await driver.executeQuery(statement, {}, { database });
    }
  });
