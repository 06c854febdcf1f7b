import { hash } from 'node:crypto';

import { Digest, sized, sorted } from '../model/digest';
import { type AnyCodec, isObject } from '../codec/codec';
import { List, type Members, Recursive, Shapes } from '../codec/collections';
import { type Fields, Struct } from '../codec/struct';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type PayloadOf, type Template, templates } from '../templates/templates';

/** Writes a good value as a text that is the same for all spellings of one content: no order of keys, and none of a list that has no order, shows in it. */
type Writer = (value: unknown) => string;

// From so many on, elements are hashed and added up, which takes less time than sorting long texts.
const MANY = 64;

/** Any JSON, its lists in their order. */
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

/** What is set, under the names of its fields: another version may declare them in another order. */
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

// A codec that holds itself is there before its writer is.
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
 * SHA-256, in hexadecimal, of what a good whole payload says: equal for payloads that differ in nothing but the order of keys and of lists whose
 * order says nothing. Two that say the same with other words (a name in another normal form, `null` for what is absent) may differ.
 */
export const contentDigest = (template: Template, payload: PayloadOf[Template]): string =>
  hash('sha256', writerOf(templates[template].whole(RESOURCE_LEVELS))(payload), 'hex');
