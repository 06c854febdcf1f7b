import type { DateTime } from 'neo4j-driver';

import { Instant, nanosOf } from '../../../model/instant';
import { toInstant } from '../../../neo4j/values';

/** A time: from an instant on, until another one; `null` as long as it lasts. */
export interface Span {
  readonly from: bigint;
  readonly until: bigint | null;
}

/** All times. */
export const ALWAYS: Span = { from: 0n, until: null };

/** The instant of a property, a time or its text, in nanoseconds; the beginning of time if it has none. */
export const nanosAt = (value: unknown): bigint => {
  if (value === null || value === undefined) return 0n;
  return nanosOf(typeof value === 'string' ? new Instant(value) : toInstant(value as DateTime));
};

/** The time of an ended fact. */
export const spanOfPast = (properties: Readonly<Record<string, unknown>>): Span => ({
  from: nanosAt(properties.from ?? properties.since),
  until: nanosAt(properties.until),
});

/** Whether two times have an instant in common. */
export const overlap = (a: Span, b: Span): boolean =>
  (b.until === null || a.from < b.until) && (a.until === null || b.from < a.until);

/** Whether a time has an instant in common with any of several times. */
export const overlapsAny = (span: Span, others: readonly Span[]): boolean =>
  others.some((other) => overlap(span, other));

/** The parts of a time that have no instant in common with others. */
export const outside = (span: Span, others: readonly Span[]): readonly Span[] =>
  others.reduce<readonly Span[]>(
    (parts, other) =>
      parts.flatMap((part): readonly Span[] => {
        if (!overlap(part, other)) return [part];
        const before = part.from < other.from ? [{ from: part.from, until: other.from }] : [];
        const { until } = other;
        const isOver = until === null || (part.until !== null && part.until <= until);
        return isOver ? before : [...before, { from: until, until: part.until }];
      }),
    [span],
  );
