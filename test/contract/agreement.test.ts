import fc from 'fast-check';

import { ApplicationPayload } from '../../src/templates/application/payload';
import type { AnyCodec } from '../../src/codec/codec';
import { Dictionary, List, Recursive, Shapes } from '../../src/codec/collections';
import { IdentityProviderPayload } from '../../src/templates/identity-provider/template';
import { ParentGroup } from '../../src/codec/parent-group';
import { stepsOf } from '../../src/codec/pointer';
import { flag, number } from '../../src/codec/scalars';
import { Struct } from '../../src/codec/struct';
import { Enumeration, time } from '../../src/codec/text';
import { explained } from './explained';

type Json = fc.Arbitrary<unknown>;

const junk: Json = fc.oneof(
  fc.constantFrom(null, '', 'a', 0, false, [], {}, [null], { identity: 'a' }, '\ud800', Infinity),
  fc.jsonValue({ maxDepth: 1 }),
);

const key = (field: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(field) },
    { weight: 1, arbitrary: fc.constant(field.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom(`${field}x`, '__proto__', 'toString') },
  );

const object = (fields: readonly (readonly [fc.Arbitrary<string>, Json])[]): Json =>
  fc.tuple(...fields.map(([name, value]) => fc.tuple(name, value))).map((entries) => {
    const built = {};
    for (const [name, value] of entries) {
      // As JSON.parse does: every key is the object's own.
      Object.defineProperty(built, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return built;
  });

/** Mostly good values of a codec, with faults strewn in. */
const likely = (codec: AnyCodec, depth: number): Json => {
  const faulty = (good: Json): Json =>
    fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: junk });
  if (codec instanceof Struct) {
    const { required, optional } = codec as {
      required: Record<string, AnyCodec>;
      optional: Record<string, AnyCodec>;
    };
    const must = Object.entries(required).map(
      ([field, inner]) => [key(field), likely(inner, depth)] as const,
    );
    const may = Object.entries(optional).map(
      ([field, inner]) =>
        [key(field), fc.oneof(fc.constant(null), likely(inner, depth - 1))] as const,
    );
    if (depth <= 0 || may.length === 0) return faulty(object(must));
    return faulty(
      fc
        .subarray(may, { maxLength: Math.min(4, may.length) })
        .chain((chosen) => object([...must, ...chosen])),
    );
  }
  if (codec instanceof List) {
    return faulty(fc.array(likely(codec.element as AnyCodec, depth - 1), { maxLength: 2 }));
  }
  if (codec instanceof Dictionary) {
    const value = likely(codec.value as AnyCodec, depth - 1);
    return faulty(
      fc.dictionary(fc.constantFrom('a', 'Name', 'name', 'a1', 'constructor'), value, {
        maxKeys: 2,
      }),
    );
  }
  if (codec instanceof Shapes) {
    const members = Object.values(codec.members as Record<string, AnyCodec>);
    return faulty(fc.oneof(...members.map((member) => likely(member, depth))));
  }
  if (codec instanceof Recursive) return depth <= 0 ? junk : likely(codec.inner(), depth);
  if (codec instanceof Enumeration)
    return faulty(fc.constantFrom(...(codec.values as readonly string[]), ''));
  if (codec === ParentGroup)
    return faulty(fc.constantFrom({ identity: 'g' }, { g: 'parent' }, { Identity: 'g' }));
  if (codec === flag) return faulty(fc.boolean());
  if (codec === number) return faulty(fc.double());
  if (codec === time) return faulty(fc.constantFrom('2024-01-01T00:00:00Z', '', '2024-01-01'));
  return faulty(fc.constantFrom('a', 'ä b', 'Name'));
};

const isThere = (value: unknown, steps: readonly string[]): boolean => {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string, unknown>)[step];
  }
  return true;
};

describe.each([
  ['identity provider', IdentityProviderPayload as AnyCodec],
  ['application', ApplicationPayload as AnyCodec],
])('of an %s payload', (_, codec) => {
  test('guard, explanation and normal form agree', () => {
    const seen = { good: 0, normalized: 0, bad: 0 };
    fc.assert(
      fc.property(likely(codec, 8), (value) => {
        const problems = explained(codec, value);
        const normal = codec.normalize(value);
        if (codec.is(value)) {
          seen.good += 1;
          expect(problems).toEqual([]);
          expect(normal).toBe(value);
        } else if (problems.length === 0) {
          seen.normalized += 1;
          expect(codec.is(normal)).toBe(true);
        } else {
          seen.bad += 1;
        }
        for (const problem of problems) {
          const steps = stepsOf(problem.slice(0, problem.lastIndexOf(' ')));
          const isMissing = problem.endsWith(' MISSING_FIELD');
          expect(isThere(value, isMissing ? steps.slice(0, -1) : steps)).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.good, seen.normalized, seen.bad)).toBeGreaterThan(50);
  });
});
