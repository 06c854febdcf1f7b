import { hash } from 'node:crypto';

import { Digest, sized, sorted } from '../model/digest';
import { type AnyCodec, isObject } from '../codec/codec';
import { List, type Members, Recursive, Shapes } from '../codec/collections';
import { type Fields, Struct } from '../codec/struct';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type PayloadOf, type Template, templates } from '../templates/templates';

/**
 * Writes a valid value as a text. The text does not depend on the order of keys, nor on that of
 * lists whose order has no meaning.
 */
type Writer = (value: unknown) => string;

// A longer list is written as a digest of its elements, which takes less time than sorting long
// texts.
const MANY = 64;

/** Writes any JSON. Lists keep their order. */
const asItIs = (value: unknown): string => {
  if (typeof value === 'string') return sized(value);
  if (Array.isArray(value)) return `[${value.map(asItIs).join('')}]`;
  if (!isObject(value)) return `${JSON.stringify(value)};`;
  let text = '{';
  for (const key of sorted(Object.keys(value))) text += sized(key) + asItIs(value[key]);
  return `${text}}`;
};

const united = (texts: readonly string[]): string =>
  Digest.empty.with(texts.map((text) => hash('sha256', text, 'hex'))).hex;

const listWriter = ({ element }: List<AnyCodec>): Writer => {
  const write = writerOf(element);
  return (value) => {
    const texts = (value as readonly unknown[]).map(write);
    if (texts.length > MANY) return `[${texts.length}+${united(texts)}]`;
    let text = '[';
    for (const told of sorted(texts)) text += told;
    return `${text}]`;
  };
};

/**
 * Writes the fields that are set, with their names. Another release may declare the fields in
 * another order.
 */
const structWriter = ({ required, optional }: Struct<Fields, Fields>): Writer => {
  const fields = Object.entries({ ...required, ...optional }).map(
    ([name, codec]) => [name, `${name}:`, writerOf(codec)] as const,
  );
  return (value) => {
    let text = '{';
    for (const [name, title, write] of fields) {
      const held = (value as Readonly<Record<string, unknown>>)[name];
      if (held !== undefined && held !== null) text += title + write(held);
    }
    return `${text}}`;
  };
};

const shapesWriter = (codec: Shapes<Members>): Writer => {
  const members = Object.fromEntries(
    Object.entries(codec.members).map(([shape, member]) => [shape, writerOf(member as AnyCodec)]),
  );
  return (value) => {
    const shape = Array.isArray(value) ? 'list' : isObject(value) ? 'object' : undefined;
    return (shape === undefined ? asItIs : (members[shape] ?? asItIs))(value);
  };
};

// A recursive codec contains itself, so the writer of its content is made only when it is needed.
const recursiveWriter = (codec: Recursive<unknown>): Writer => {
  let inner: Writer | undefined;
  return (value) => (inner ??= writerOf(codec.inner()))(value);
};

const writers = new WeakMap<AnyCodec, Writer>();

const writerOf = (codec: AnyCodec): Writer => {
  const known = writers.get(codec);
  if (known !== undefined) return known;
  const writer = newWriter(codec);
  writers.set(codec, writer);
  return writer;
};

const newWriter = (codec: AnyCodec): Writer => {
  if (codec instanceof Struct) return structWriter(codec as Struct<Fields, Fields>);
  if (codec instanceof Recursive) return recursiveWriter(codec as Recursive<unknown>);
  if (codec instanceof List && !codec.keepsOrder) return listWriter(codec as List<AnyCodec>);
  if (codec instanceof Shapes) return shapesWriter(codec as Shapes<Members>);
  return asItIs;
};

/**
 * The SHA-256, in hexadecimal, of the content of a valid full payload. Payloads that differ only in
 * the order of keys, or of lists whose order has no meaning, have the same digest. Payloads that
 * say the same in other words (another normal form of a name, `null` for an absent field) may have
 * different ones.
 */
export const contentDigest = (template: Template, payload: PayloadOf[Template]): string =>
  hash('sha256', writerOf(templates[template].whole(RESOURCE_LEVELS))(payload), 'hex');
