import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import * as E from 'fp-ts/Either';

import type { AnyCodec } from '../../src/codec/codec';
import { List } from '../../src/codec/collections';
import { Exact, type ExactFields, MapOf, Nullable } from '../../src/codec/exact';
import { Enumeration, Text } from '../../src/codec/text';
import type { Fields } from '../../src/contract/records/field';
import type { RecordKind, Rules } from '../../src/contract/records/record';
import { asTime } from '../../src/contract/records/stored';
import { recordTable } from '../../src/contract/records/record-table';
import { records } from '../../src/features';
import { openApiDocument } from '../../src/features/description/openapi';
import { parseInstant } from '../../src/model/instant';
import { fromGraph, toGraph } from '../../src/neo4j/values';
import { idleRoutes } from '../support/idle-app';

type Kind = RecordKind<Fields>;

/** The schemas of `/openapi.json`. */
const schemas = Object.values(openApiDocument(idleRoutes()).components.schemas ?? {}) as readonly {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}[];

const isKind = (value: unknown): value is Kind =>
  typeof value === 'object' && value !== null && 'node' in value && 'request' in value;

/** Every record that is declared once: in a feature, or where several features use it. */
const sources = join(__dirname, '../../src');
const kinds: readonly Kind[] = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^contract\/records\/|\/records\.ts$/.test(file))
  .flatMap((file) =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    Object.values(require(join(sources, file)) as Record<string, unknown>).filter(isKind),
  );
const named = kinds.map((kind) => [kind.name, kind] as const);

const asked = ({ fields }: Kind) =>
  Object.entries(fields).filter(([, { source }]) => source !== 'service');

/** Random values of a codec, as a node stores them. */
const valueOf = (codec: AnyCodec): fc.Arbitrary<unknown> => {
  if (codec instanceof Nullable) {
    return fc.option(valueOf((codec as Nullable<AnyCodec>).inner), { nil: null });
  }
  if (codec instanceof Enumeration) return fc.constantFrom(...(codec.values as string[]));
  if (codec instanceof Text) return fc.string({ minLength: 8 }).filter((text) => codec.is(text));
  if (codec instanceof List) {
    return fc.array(valueOf((codec as List<AnyCodec>).element), { maxLength: 3 });
  }
  if (codec instanceof MapOf) {
    return fc.dictionary(fc.string(), valueOf((codec as MapOf<AnyCodec>).value), {
      noNullPrototype: true,
    });
  }
  if (codec instanceof Exact) {
    const { fields } = codec as Exact<ExactFields>;
    const requiredKeys = Object.keys(fields).filter((name) => !fields[name]?.mayBeAbsent);
    return fc.record(
      Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, valueOf(each.codec)])),
      { requiredKeys, noNullPrototype: true },
    );
  }
  const { type, format, minimum, maximum } = codec.schema ?? {};
  if (format === 'date-time') {
    const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
    return fc.date(years).map((date) => parseInstant(date.toISOString())?.utc);
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.maxSafeInteger().map((at) => inRange(at, minimum, maximum));
  // JSON has no negative zero.
  if (type === 'number')
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  if (type === 'string') return fc.string();
  throw new Error(`no values of ${codec.name}`);
};

const inRange = (at: number, least: unknown, most: unknown): number =>
  Math.max(Number(least), Math.min(Number(most), Math.abs(at)));

const valuesOf = ({ fields }: Kind): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, { codec }]) => [name, valueOf(codec)])),
    { noNullPrototype: true },
  );

/** What Neo4j returns of what it was given. */
const kept = (kind: Kind, values: object) => fromGraph(toGraph(kind.stored(values)));

/** Rules that take each value as it is. */
const anyRules = ({ fields }: Kind): Rules<Fields> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, E.right]));

test('records that are declared once are records of features', () => {
  expect(kinds.length).toBeGreaterThan(0);
  expect(kinds.filter(({ node }) => !records.includes(node))).toEqual([]);
});

test.each(named)('what a %s holds survives the graph', (_, kind) => {
  fc.assert(
    fc.property(valuesOf(kind), (values) => {
      expect(kind.read(kept(kind, values))).toEqual(values);
    }),
  );
});

test.each(named)('what a request says of a %s is stored and shown', (_, kind) => {
  fc.assert(
    fc.property(valuesOf(kind), (values) => {
      const request = Object.fromEntries(asked(kind).map(([name]) => [name, values[name]]));
      const refused = asked(kind).filter(
        ([name, { source, asked: codec }]) =>
          source === 'request' && values[name] !== null && !codec.is(values[name]),
      );
      expect(refused).toEqual([]);
      const wanted = kind.wanted(request, anyRules(kind));
      expect(wanted).toEqual(
        E.right(
          Object.fromEntries(
            asked(kind).map(([name, { usual }]) => [name, values[name] ?? usual ?? null]),
          ),
        ),
      );
      const shown = kind.read(kept(kind, { ...values, ...(E.isRight(wanted) && wanted.right) }));
      expect(kind.answer.is(shown)).toBe(true);
      expect(shown).toMatchObject(E.isRight(wanted) ? wanted.right : {});
    }),
  );
});

test.each(named)('what a request leaves out of a %s has its usual value', (_, kind) => {
  const wanted = kind.wanted({}, anyRules(kind));
  for (const [name, { usual, isNeeded, codec }] of asked(kind)) {
    if (isNeeded) continue;
    expect(E.isRight(wanted) && wanted.right).toHaveProperty([name], usual);
    expect([name, codec.is(usual)]).toEqual([name, true]);
  }
});

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  texts: Array.isArray,
  flag: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  time: (value) => typeof value === 'object',
};

test.each(named)('a %s is stored in the properties of its node', (_, kind) => {
  fc.assert(
    fc.property(valuesOf(kind), (values) => {
      const wrong = Object.entries(kind.stored(values)).filter(([name, value]) => {
        const type = kind.node.properties[name]?.type;
        return type === undefined || (value !== null && TYPES[type]?.(value) !== true);
      });
      expect(wrong).toEqual([]);
    }),
  );
});

test.each(named)(
  'each field of a %s is in the description of the API and in the docs',
  (_, kind) => {
    const described = (names: readonly string[]): boolean =>
      schemas.some(({ properties = {} }) =>
        names.every((name) => (properties[name]?.description ?? '') !== ''),
      );
    expect(described(asked(kind).map(([name]) => name))).toBe(true);
    expect(described(Object.keys(kind.fields))).toBe(true);
    const table = recordTable(kind);
    expect(asked(kind).filter(([name]) => !table.includes(`| \`${name}\` |`))).toEqual([]);
  },
);

test('a time that cannot be read is refused: without it a key would never expire', () => {
  expect(() => asTime.write('expires_at', '2026-13-01T00:00:00Z')).toThrow('is not a time');
});

test.each(named)('a stored %s that lacks what each has is not read', (_, kind) => {
  expect(() => kind.read({ key: 'k1' })).toThrow(`the stored ${kind.name} k1 has no`);
});
