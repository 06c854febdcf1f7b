import fc, { type Arbitrary } from 'fast-check';
import { from, maybe } from './optional';
import { properties, times } from './pool';

type TypeName = (typeof properties)[number][1];

const text = from(['', 'x', 'Stra\u00dfe', 'e\u0301', 'a "quoted" \\ text\n']);

const valueOf: Readonly<Record<TypeName, Arbitrary<unknown>>> = {
  STRING: text,
  NUMBER: from([0, 1, -3, 1.5, 5e-7, 1e21, 2 ** 53]),
  BOOLEAN: fc.boolean(),
  TIMESTAMP: from(times),
  STRING_LIST: fc.array(text, { maxLength: 3 }),
};

/** Values of some custom properties, some of them null (docs/rules.md: Custom properties). */
export const customProperties: Arbitrary<object | null | undefined> = maybe(
  objectOf(
    properties.map(([name, type]) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof({ weight: 8, arbitrary: valueOf[type] }, fc.constant(null)),
      ),
    ),
    3,
  ),
);

/**
 * At most five dynamic properties, which need no declaration (docs/rules.md: Custom properties).
 */
export const dynamicProperties: Arbitrary<object | null | undefined> = maybe(
  objectOf(
    ['desk', 'Desk', '__proto__', 'e\u0301tage'].map((name) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof(text, valueOf.NUMBER, fc.boolean(), valueOf.STRING_LIST, fc.constant(null)),
      ),
    ),
    4,
  ),
);

/** Declarations of custom properties, mostly of all of them (docs/rules.md: Custom properties). */
export const propertyTypes: Arbitrary<object | null | undefined> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(Object.fromEntries(properties)) },
  { weight: 2, arbitrary: fc.subarray([...properties]).map((some) => Object.fromEntries(some)) },
  { weight: 1, arbitrary: from([null, undefined]) },
);

function objectOf(
  pairs: readonly Arbitrary<readonly [string, unknown]>[],
  most: number,
): Arbitrary<object> {
  // `fromEntries` makes an own property even of `__proto__`.
  return fc.array(fc.oneof(...pairs), { maxLength: most }).map((some) => Object.fromEntries(some));
}
