import neo4j from 'neo4j-driver';

import type { Runner } from '../../neo4j/transaction';

/**
 * Runs statements that remove at most `most` nodes each and return how many they `removed`. Stops
 * at the first one that removed that many. Returns whether there may be more.
 */
export const removeSome = async (
  tx: Runner,
  statements: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
  most: number,
): Promise<boolean> => {
  for (const statement of statements) {
    const { records } = await tx.run<{ removed: unknown }>(statement, {
      ...parameters,
      most: neo4j.int(most),
    });
    if (Number(records[0]?.get('removed') ?? 0) === most) return true;
  }
  return false;
};
