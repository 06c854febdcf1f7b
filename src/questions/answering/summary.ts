import type { Summary } from '../../contract/answers/questions/access';
import type { Runner } from '../../neo4j/transaction';

/** Finds the node with this id; `null` if there is none. */
export const findSummary = async (
  tx: Runner,
  statement: string,
  id: string,
): Promise<Summary | null> => {
  const { records } = await tx.run<{ about: Summary }>(statement, { id });
  return records[0]?.get('about') ?? null;
};
