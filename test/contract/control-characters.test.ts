import fc from 'fast-check';

import type { AnyCodec } from '../../src/codec/codec';
import { Dictionary, List, Recursive, Shapes } from '../../src/codec/collections';
import { Entry } from '../../src/codec/entry';
import { ParentGroup } from '../../src/codec/parent-group';
import { type Fields, Struct } from '../../src/codec/struct';
import { Text } from '../../src/codec/text';
import { TEMPLATES, templates } from '../../src/templates/templates';
import { idleRoutes } from '../support/idle-app';
import { explained } from './explained';

/*
 * Every text that a body can bring, found by walking the codecs. A new field is among them by
 * itself.
 */

/** What holds the bytes of another text, which a codec reads in turn. */
const PACKED = new Set(['json_data', 'csv_data', 'data', 'cypher.parameters']);

/** All codecs inside a codec that have none inside them, each by its place. */
const leaves = (
  codec: AnyCodec,
  place: string,
  seen: Set<AnyCodec>,
): readonly (readonly [string, AnyCodec])[] => {
  if (seen.has(codec)) return [];
  seen.add(codec);
  const inside = (inner: AnyCodec, name: string) => leaves(inner, `${place}/${name}`, seen);
  if (codec instanceof Struct) {
    const { required, optional } = codec as Struct<Fields, Fields>;
    return Object.entries({ ...required, ...optional }).flatMap(([name, inner]) =>
      inside(inner, name),
    );
  }
  if (codec instanceof Entry) return inside((codec as { inner: AnyCodec }).inner, '+');
  if (codec instanceof List) return inside((codec as List<AnyCodec>).element, '*');
  if (codec instanceof Recursive) return inside(codec.inner() as AnyCodec, '^');
  if (codec instanceof Dictionary) {
    const { key, value } = codec as Dictionary<AnyCodec>;
    return [...inside(key, 'key'), ...inside(value, 'value')];
  }
  if (codec instanceof Shapes) {
    const members = Object.entries((codec as { members: Record<string, AnyCodec> }).members);
    return members.flatMap(([name, inner]) => inside(inner, name));
  }
  return [[place, codec]];
};

const BODIES: readonly (readonly [string, AnyCodec])[] = [
  ...TEMPLATES.flatMap((name): readonly (readonly [string, AnyCodec])[] => [
    [`push to ${name}`, templates[name].whole(3)],
    [`increment to ${name}`, templates[name].increment(3)],
  ]),
  ...idleRoutes().flatMap(({ method, path, body = [] }) =>
    body.map((codec) => [`${method} ${path}`, codec] as const),
  ),
];

const isPacked = (place: string): boolean => PACKED.has(place.slice(place.lastIndexOf('/') + 1));
const isControl = (code: number): boolean => code < 32 || (code > 126 && code < 160);
const controls = Array.from({ length: 160 }, (_, code) => code)
  .filter(isControl)
  .map((code) => String.fromCharCode(code));

test.each(BODIES)('no text of a %s holds a control character', (_, codec) => {
  for (const [place, leaf] of leaves(codec, '', new Set())) {
    const isOpen = !(leaf instanceof Text) && leaf.is('a\u0000b');
    expect({ place, isOpen: isOpen && !isPacked(place) }).toEqual({ place, isOpen: false });
    if (!(leaf instanceof Text)) continue;
    for (const control of controls) {
      const isLine = leaf.rule.mayHaveLines === true && '\t\n\r'.includes(control);
      const text = `some${control}text`;
      const told = explained(leaf, text);
      expect({ place, control, holds: leaf.is(text) }).toEqual({ place, control, holds: isLine });
      expect(told).toEqual(isLine ? [] : [' CONTROL_CHARACTER']);
    }
  }
});

test('few texts have lines: prose, values of properties, filters and names of columns', () => {
  const found = BODIES.flatMap(([, codec]) => leaves(codec, '', new Set())).flatMap(([, leaf]) =>
    leaf instanceof Text && leaf.rule.mayHaveLines === true ? [leaf.name] : [],
  );
  expect([...new Set(found)].sort()).toEqual([
    'Cypher',
    'column',
    'description of 255 characters',
    'description of 256 characters',
    'filter',
    'filter of SCIM',
    'icon',
    'notes',
    'property text',
    'schema definition',
  ]);
});

test('the key of a parent group has none', () => {
  expect(explained(ParentGroup, { 'g\u0000': 'parent' })).toEqual(['/g\u0000 CONTROL_CHARACTER']);
});

test('texts without control characters are taken, whatever else they hold', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const names = BODIES.flatMap(([, codec]) => leaves(codec, '', new Set())).flatMap(([, leaf]) =>
    leaf instanceof Text && leaf.rule.pattern === undefined ? [leaf] : [],
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), text, (leaf, sent) => {
      const isClean = ![...sent].some((one) => isControl(one.codePointAt(0) ?? 0));
      fc.pre(isClean && Buffer.byteLength(sent) <= 255 && sent.length >= (leaf.rule.least ?? 1));
      return leaf.is(sent);
    }),
  );
});
