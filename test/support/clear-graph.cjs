/** What is removed first. Nodes that hang on dense hubs leave slowly with DETACH (5.26). */
const STEPS = ['MATCH ()-[x]->()', 'MATCH (x)'];

/** A node got a relationship meanwhile, by a transaction that somebody had left behind. */
const GOT_ONE = 'Neo.ClientError.Schema.ConstraintValidationFailed';

/** Removes every node and relationship of a database; constraints and indexes stay. */
exports.clearGraph = async (driver, database) => {
  const removed = async (match) => {
    const text = `${match} WITH x LIMIT 20000 DELETE x RETURN count(*) AS removed`;
    const { records } = await driver.executeQuery(text, {}, { database });
    return Number(records[0]?.get('removed') ?? 0);
  };
  for (let isEmpty = false; !isEmpty;) {
    try {
      for (const match of STEPS) while ((await removed(match)) > 0);
      isEmpty = true;
    } catch (error) {
      if (error.code !== GOT_ONE) throw error;
    }
  }
};

const OTHERS = `SHOW TRANSACTIONS YIELD transactionId, currentQuery
WHERE NOT currentQuery STARTS WITH 'SHOW TRANSACTIONS'
RETURN transactionId`;

/** Ends the transactions that run now, and waits until they are gone. Neo4j ends a loop only after its row. */
exports.endTransactions = async (driver, database) => {
  const running = async () => {
    const { records } = await driver.executeQuery(OTHERS, {}, { database });
    return records.map((record) => record.get('transactionId'));
  };
  const left = new Set(await running());
  if (left.size === 0) return;
  await driver.executeQuery('TERMINATE TRANSACTIONS $ids', { ids: [...left] }, { database });
  while ((await running()).some((id) => left.has(id)));
};
