import { scalar, type Size } from './size';
import type { Meter, Term } from './term';

/** The size of a value that is a few entries or characters, such as a number or a flag. */
export const SMALL = scalar();

/** A term whose value has this size, wherever it is. */
export const constant = (size: Size): Term => ({ depth: 1, size: () => size });

/** A term of several others. Its value is made of theirs, in some steps. */
export const made = (
  parts: readonly Term[],
  make: (sizes: readonly Size[], meter: Meter) => Size,
): Term => ({
  depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  size: (scope, meter) => {
    meter.add(1);
    const sizes = parts.map((part) => part.size(scope, meter));
    return meter.made(make(sizes, meter));
  },
});
