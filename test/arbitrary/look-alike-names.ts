import fc, { type Arbitrary } from 'fast-check';

import type { Push } from './push-sequence';

/*
 * Small directories and HR systems whose people have names that look alike: letters of other scripts, compatible forms,
 * signs that nobody sees, and letters of ASCII that look like others.
 */

const names = [
  'ann',
  'Ann',
  '\u0430nn',
  'a\u0578n',
  '\uff41nn',
  'an\u200bn',
  'bob',
  'b\u043eb',
  'b0b',
  'mary',
  'rnary',
  'm\u0430ry',
  'bill',
  'bi1l',
  'b\u0456ll',
  'm\u00fcller',
  'Mu\u0308ller',
  'm\u00fcll\u0435r',
  '\u0438\u0432\u0430\u043d',
  '\u7530\u4e2d',
  'stra\u00dfe',
  'stra\u03b2e',
];
/** An increment is told of names that are not of ASCII alone: most of its names are such. */
const unusual = names.filter((one) => /\P{ASCII}/u.test(one));
const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });
const id = fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7', 'u8', 'ann', 'bob');

const entities = (name: Arbitrary<string>) => ({
  user: fc.record({ name, identity: id, email: maybe(name), full_name: maybe(name) }),
  group: fc.record({ name, identity: id }),
  employee: fc
    .record({ id, name, email: maybe(name), idp_id: maybe(name), username: maybe(name) })
    .map((one) => ({
      employee_number: '1',
      first_name: 'A',
      last_name: 'B',
      is_active: true,
      employment_status: 'ACTIVE',
      ...one,
    })),
});
const whole = entities(fc.constantFrom(...names));
const partial = entities(fc.constantFrom(...names, ...unusual, ...unusual));

const several = <T>(
  one: Arbitrary<T>,
  idOf: (one: T) => string,
  [minLength, maxLength]: readonly [number, number],
): Arbitrary<T[]> => fc.uniqueArray(one, { minLength, maxLength, selector: idOf });

/** Entries of an increment that add or change, or now and then delete, or say nothing. */
const changing = <T extends object>(entries: Arbitrary<T[]>): Arbitrary<object[]> =>
  fc
    .tuple(
      entries,
      fc.array(fc.constantFrom('add', 'add', 'add', 'add', 'modify', 'delete', undefined), {
        minLength: 7,
        maxLength: 7,
      }),
    )
    .map(([all, operations]) => all.map((one, at) => ({ ...one, operation: operations[at] })));

const directory = { idp_type: 'okta', domains: [{ name: 'corp' }] };
const system = { name: 'HR', hris_type: 'x', system: { id: 's', name: 's' } };

/** Payloads of a data source: a full push, or an increment. */
const payload = (source: number, isIncrement: boolean): Arbitrary<object> => {
  const more = isIncrement ? { incremental_change: true } : {};
  const { user, group, employee } = isIncrement ? partial : whole;
  const some = <T extends object>(one: Arbitrary<T>, idOf: (one: T) => string) =>
    isIncrement ? changing(several(one, idOf, [1, 2])) : several(one, idOf, [3, 7]);
  return source === 4
    ? some(employee, ({ id: own }) => own).map((all) => ({ ...system, ...more, employees: all }))
    : fc
        .tuple(
          some(user, ({ identity }) => identity),
          some(group, ({ identity }) => identity),
        )
        .map(([users, groups]) => ({ ...directory, ...more, users, groups }));
};

/** Pushes to two of the five data sources of a sequence: each begins with a full one. */
export const lookAlikeNames: Arbitrary<readonly Push[]> = fc
  .array(fc.record({ source: fc.constantFrom(0, 4), isIncrement: fc.boolean() }), {
    minLength: 4,
    maxLength: 6,
    size: 'max',
  })
  .chain((steps) =>
    fc.tuple(
      ...steps.map(({ source, isIncrement }, at) => {
        const isFirst = !steps.slice(0, at).some((step) => step.source === source);
        return payload(source, isIncrement && !isFirst).map((sent): Push => {
          const text = JSON.stringify(sent);
          return { source, text, payload: JSON.parse(text) as object, shapeProblems: [] };
        });
      }),
    ),
  );
