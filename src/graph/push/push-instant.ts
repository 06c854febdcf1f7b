import { randomInt } from 'node:crypto';

import { Instant } from '../../model/instant';

const NANOS = 1_000_000_000n;

const nanosOf = ({ utc }: Instant): bigint => {
  const [whole, fraction = ''] = utc.slice(0, -1).split('.') as [string, string?];
  return BigInt(Date.parse(`${whole}Z`) / 1000) * NANOS + BigInt(fraction.padEnd(9, '0'));
};

const instantOf = (nanos: bigint): Instant => {
  const whole = new Date(Number(nanos / NANOS) * 1000).toISOString().slice(0, 19);
  const fraction = (nanos % NANOS).toString().padStart(9, '0').replace(/0+$/, '');
  return new Instant(`${whole}${fraction === '' ? '' : `.${fraction}`}Z`);
};

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
