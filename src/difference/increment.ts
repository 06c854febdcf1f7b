import type { TouchedRow } from '../increment/outcome';
import { Digest } from '../rows/row-hash';
import { rowHash } from '../rows/row-hash';
import { type Difference, DifferenceBuilder } from './difference';

/** What an increment changes: a row that ends as it stood does not (graph.md 7). */
export const incrementDifference = (rows: readonly TouchedRow[]): Difference => {
  const builder = new DifferenceBuilder();
  for (const { before, after } of rows) {
    if (after === null) {
      if (before !== null) builder.remove(before);
    } else if (before === null) builder.create({ row: after, hash: rowHash(after) });
    else builder.change(before, after);
  }
  return builder.difference;
};

/** The digest, and the number of rows, after a difference, from those before (graph.md 10). */
export const afterIncrement = (
  before: { readonly digest: string; readonly rows: number },
  { created, changed, removed }: Difference,
): { readonly digest: string; readonly rows: number } => ({
  digest: Digest.of(before.digest).with(
    [...created.map(({ hash }) => hash), ...changed.map(({ after }) => after.hash)],
    [...removed.map(({ hash }) => hash), ...changed.map(({ before: { hash } }) => hash)],
  ).hex,
  rows: before.rows + created.length - removed.length,
});
