import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as E from 'fp-ts/Either';

import { ApplicationPayload } from '../../src/templates/application/payload';
import { type AnyCodec, isObject } from '../../src/codec/codec';
import { Dictionary, List, type Members, Recursive, Shapes } from '../../src/codec/collections';
import { decodePayload } from '../../src/contract/decode';
import { HrisPayload } from '../../src/templates/hris/template';
import { IdentityProviderPayload } from '../../src/templates/identity-provider/template';
import { ParentGroup } from '../../src/codec/parent-group';
import { type Fields, Struct } from '../../src/codec/struct';
import { Enumeration } from '../../src/codec/text';

const FOLDER = join(__dirname, '../../examples/company');
const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

const TEMPLATE = {
  identity_provider: IdentityProviderPayload,
  hris: HrisPayload,
  application: ApplicationPayload,
};
const PAYLOADS = [
  ['corporate-directory.json', 'identity_provider'],
  ['partner-directory.json', 'identity_provider'],
  ['hr-system.json', 'hris'],
  ['source-code-host.json', 'application'],
  ['crm.json', 'application'],
] as const;

/** Incremental operations have no place in full pushes. */
const IN_INCREMENTS_ONLY = 'operation';
/** Of the kinds of identity providers a company has a few. */
const SAMPLED = 'provider type';

const IS_KIND = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
  object: isObject,
};
const kindsOf = (shapes: AnyCodec) =>
  shapes instanceof Shapes
    ? (Object.entries((shapes as Shapes<Members>).members) as [keyof typeof IS_KIND, AnyCodec][])
    : [];
const fieldsOf = (struct: AnyCodec): readonly (readonly [string, AnyCodec])[] => {
  if (!(struct instanceof Struct)) return [];
  const { required, optional } = struct as Struct<Fields, Fields>;
  return Object.entries({ ...required, ...optional });
};

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  ((Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0);

/** Every value by the codec that it was for. */
const seen = new Map<AnyCodec, unknown[]>();

const see = (codec: AnyCodec, value: unknown): void => {
  if (isEmpty(value)) return;
  seen.set(codec, [...(seen.get(codec) ?? []), value]);
  if (codec instanceof Struct && isObject(value)) {
    for (const [field, held] of fieldsOf(codec)) see(held, value[field]);
  } else if (codec instanceof List && Array.isArray(value)) {
    for (const element of value) see(codec.element as AnyCodec, element);
  } else if (codec instanceof Dictionary && isObject(value)) {
    for (const held of Object.values(value)) see(codec.value as AnyCodec, held);
  } else if (codec instanceof Recursive) {
    see(codec.inner(), value);
  } else {
    for (const [kind, member] of kindsOf(codec)) if (IS_KIND[kind](value)) see(member, value);
  }
};

const unusedOf = (codec: AnyCodec, values: readonly unknown[]): readonly string[] => {
  if (codec instanceof Struct) {
    return fieldsOf(codec)
      .map(([field]) => field)
      .filter((field) => field !== IN_INCREMENTS_ONLY)
      .filter((field) => values.every((value) => !isObject(value) || isEmpty(value[field])))
      .map((field) => `field ${field} of ${codec.name}`);
  }
  if (codec instanceof Enumeration && codec.name !== SAMPLED) {
    return (codec as Enumeration<string>).values
      .filter((value) => !values.includes(value))
      .map((value) => `${codec.name} ${value}`);
  }
  return kindsOf(codec)
    .filter(([kind]) => !values.some(IS_KIND[kind]))
    .map(([kind]) => `${codec.name} as ${kind}`);
};

beforeAll(() => {
  for (const [name, template] of PAYLOADS) see(TEMPLATE[template], read(name));
});

test.each(PAYLOADS)('%s is a well-formed payload of the template %s', (name, template) => {
  const decoded = decodePayload(template, read(name));
  expect(E.isLeft(decoded) ? decoded.left : []).toEqual([]);
});

test('each field, shape and enumerated value of the contract is used at least once', () => {
  expect([...seen].flatMap(([codec, values]) => unusedOf(codec, values))).toEqual([]);
});

test('parent groups stand in both shapes', () => {
  const shapes = seen.get(ParentGroup)?.map((value) => isObject(value) && 'identity' in value);
  expect(new Set(shapes)).toEqual(new Set([true, false]));
});

test('the walk reaches the far ends of the contract', () => {
  const names = new Set([...seen.keys()].map((codec) => codec.name));
  for (const name of ['connection', 'owner', 'resource definition', 'app assignment', 'tag']) {
    expect(names).toContain(name);
  }
});
