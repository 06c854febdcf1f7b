import { AFFECTED, CHANGING } from '../../src/questions/statements/change-walks';
import type { Step } from '../../src/questions/statements/instant-statements';

const walks: readonly (readonly [string, readonly Step[]])[] = [
  ['targets', AFFECTED],
  ['changing', CHANGING],
];

const way = ({ types, towards }: Step): string => `${types.join(' ')} ${towards}`;

test.each(walks)(
  '%s: a step that repeats shares its set only with steps that go the same way',
  (_name, steps) => {
    const strangers = steps.flatMap((step, nth) =>
      step.repeats === true
        ? steps
            .slice(0, nth)
            .filter((other) => other.into === step.into && way(other) !== way(step))
        : [],
    );
    expect(strangers).toEqual([]);
  },
);
