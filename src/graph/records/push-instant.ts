import { randomInt } from 'node:crypto';

import { type Instant, instantOf, nanosOf } from '../../model/instant';

/**
 * Gives the `at` of a push: the time now, with random digits below the millisecond so that no two
 * pushes share it. It is always later than the last `at` of the data source, even if a clock goes
 * back (docs/rules.md: Nodes).
 */
export const pushInstant = (last: Instant | null): Instant => {
  const now = BigInt(Date.now()) * 1_000_000n + BigInt(randomInt(1_000_000));
  const after = last === null ? now : nanosOf(last) + 1n;
  return instantOf(now > after ? now : after);
};
