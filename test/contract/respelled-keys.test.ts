import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import type { AnyCodec, Codec } from '../../src/codec/codec';
import { type Fields, Struct } from '../../src/codec/struct';
import { Definitions } from '../../src/check/definitions';
import { decodePayload, decodeRequest } from '../../src/contract/decode';
import { payloadRows } from '../../src/rows/payload-rows';
import { mappingOf } from '../../src/scim/actions/mapping';
import { idleRoutes } from '../support/idle-app';

/*
 * A key in another case, or in another form of Unicode, is never another key, and never nothing
 * (docs/rules.md: Problems, Property names, Requests).
 */

const BODIES = idleRoutes().flatMap(({ method, path, body = [] }) =>
  body.flatMap((codec) =>
    codec instanceof Struct
      ? [[`${method} ${path}`, codec as Struct<Fields, Fields>] as const]
      : [],
  ),
);

/** What becomes of a body: what the service reads, or its problems with their places. */
const outcome = (codec: AnyCodec, body: object): unknown => {
  const read = decodeRequest(codec as Codec<unknown>, body);
  return E.isRight(read)
    ? read.right
    : read.left.problems.map(({ pointer, code }) => `${pointer} ${code}`.toLowerCase()).sort();
};

const VALUES = [true, 1, 'x', '', ['x'], { type: 'bearer' }, null] as const;
const SPELLINGS = [
  (name: string) => name.toUpperCase(),
  (name: string) => name.charAt(0).toUpperCase() + name.slice(1),
];

test.each(BODIES)('%s reads a field in any case, or refuses it', (_route, codec) => {
  const fields = Object.keys({ ...codec.required, ...codec.optional });
  for (const field of fields) {
    for (const spelled of SPELLINGS.map((spelling) => spelling(field))) {
      for (const value of VALUES) {
        expect([spelled, value, outcome(codec, { [spelled]: value })]).toEqual([
          spelled,
          value,
          outcome(codec, { [field]: value }),
        ]);
      }
      expect(outcome(codec, { [field]: 'x', [spelled]: 'x' })).toContain(
        `/${field} repeated_field`,
      );
    }
  }
});

test('the bodies of requests have fields', () => {
  expect(BODIES.length).toBeGreaterThan(20);
});

/** Names of properties in many scripts, with marks that have composed forms. */
const WORDS = ['Zo\u00eb', 'Ёлкина', 'Άννα', 'महेश', 'فَاطِمة', 'דָּוִד', 'น้ำ', '민준', 'q\u0307\u0323'];
const MARKED = fc.constantFrom('e', 'a', 'o', 'u', 'E', '\u0301', '\u0308', '\u0323');
const names = fc
  .tuple(fc.constantFrom(...WORDS), fc.array(MARKED, { maxLength: 8 }))
  .map(([word, marks]) => `n_${word}${marks.join('')}`);

const TYPES = ['user_properties', 'group_properties'] as const;

const payload = (declared: string, custom: object, dynamic: object): object => ({
  custom_property_definition: Object.fromEntries(TYPES.map((of) => [of, { [declared]: 'STRING' }])),
  domains: [{ name: 'd' }],
  users: [{ name: 'ann', custom_properties: custom, dynamic_properties: dynamic }],
});

/** What the rows of a payload hold, or its problems. */
const rowsOf = (json: object): unknown => {
  const decoded = decodePayload('identity_provider', json);
  if (E.isLeft(decoded)) {
    return decoded.left.problems.map(({ pointer, code }) => `${pointer} ${code}`);
  }
  const { payload: read, _tag } = decoded.right;
  if (_tag !== 'Full') throw new Error(_tag);
  const { rows, problems } = payloadRows('identity_provider', read, Definitions.none);
  return problems.total > 0
    ? problems.problems.map(({ pointer, code }) => `${pointer} ${code}`)
    : rows.rows.map(({ key, properties }) => ({ key, properties }));
};

test('a property has one name, whatever form of Unicode it comes in', () => {
  let differing = 0;
  fc.assert(
    fc.property(names, (name) => {
      const [composed, decomposed] = [name.normalize('NFC'), name.normalize('NFD')];
      const expected = rowsOf(payload(composed, { [composed]: 'x' }, { [composed]: 'y' }));
      expect(expected).toContainEqual(
        expect.objectContaining({
          properties: expect.objectContaining({
            [`customprop_${composed}`]: 'x',
            [`dynprop_${composed}`]: 'y',
          }) as unknown,
        }),
      );
      for (const declared of [composed, decomposed]) {
        for (const used of [composed, decomposed]) {
          expect(rowsOf(payload(declared, { [used]: 'x' }, { [used]: 'y' }))).toEqual(expected);
        }
      }
      if (composed === decomposed) return;
      differing += 1;
      const both = { [composed]: 'x', [decomposed]: 'x' };
      expect(rowsOf(payload(composed, both, { [decomposed]: 1, [composed]: 1 }))).toEqual([
        `/users/0/custom_properties/${decomposed} REPEATED_FIELD`,
        `/users/0/dynamic_properties/${composed} REPEATED_FIELD`,
      ]);
    }),
    { numRuns: 300 },
  );
  expect(differing).toBeGreaterThan(100);
});

test('a problem of a decomposed name is told at the spelling that was sent', () => {
  const sent = 'priorite\u0301';
  const json = payload(sent.normalize('NFC'), { [sent]: 5 }, {});
  const decoded = decodePayload('identity_provider', json);
  if (E.isLeft(decoded)) throw new Error('refused');
  const composed = `/users/0/custom_properties/${sent.normalize('NFC')}`;
  expect(decoded.right.pointerAsSent(composed)).toBe(`/users/0/custom_properties/${sent}`);
});

test('attributes come from properties in every script, whatever form their names have', () => {
  fc.assert(
    fc.property(names, (name) => {
      const mapping = mappingOf({ title: `customprop_${name.normalize('NFD')}` });
      expect(mapping).toMatchObject({ _tag: 'Right' });
      if (E.isRight(mapping)) {
        expect(mapping.right.get('title')).toEqual([`customprop_${name.normalize('NFC')}`]);
      }
    }),
  );
  expect(mappingOf({ title: 'customprop_a b' })).toMatchObject({ _tag: 'Left' });
});
