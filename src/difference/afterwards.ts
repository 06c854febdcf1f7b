import { Digest } from '../model/digest';
import type { Difference, StandingHashes } from './difference';

/** How many rows a data source holds, and their digest (graph.md 10). */
export interface Holding {
  readonly digest: string;
  readonly rows: number;
}

/** What a data source holds, from the hashes of all its rows. */
export const holdingOf = (standing: StandingHashes): Holding => ({
  digest: Digest.empty.with(standing.values()).hex,
  rows: standing.size,
});

/** What it holds after a difference. */
export const afterwards = (
  before: Holding,
  { created, changed, removed }: Difference,
): Holding => ({
  digest: Digest.of(before.digest).with(
    [...created.map(({ hash }) => hash), ...changed.map(({ after }) => after.hash)],
    [...removed.map(({ hash }) => hash), ...changed.map(({ before: { hash } }) => hash)],
  ).hex,
  rows: before.rows + created.length - removed.length,
});
