import type { Summary } from '../../contract/answers/access';
import type { Runner } from '../connection/transaction';

/** The node that a statement finds by `$id`; `null` if there is none. */
export const findSummary = async (
  tx: Runner,
  statement: string,
  id: string,
): Promise<Summary | null> => {
  const { records } = await tx.run<{ about: Summary }>(statement, { id });
  return records[0]?.get('about') ?? null;
};
