import type { TouchedRow } from '../increment/working/touched-row';
import { type Difference, DifferenceBuilder, DesiredRow } from './difference';

/**
 * The diff of an increment. A row that does not change in the end adds nothing (docs/rules.md:
 * Increments).
 */
export const incrementDifference = (rows: readonly TouchedRow[]): Difference => {
  const builder = new DifferenceBuilder();
  for (const { before, after, isPart } of rows) {
    if (after === null) {
      if (before !== null) builder.remove(before);
    } else if (before === null) builder.create(new DesiredRow(after));
    else builder.change(before, after, isPart);
  }
  return builder.difference;
};
