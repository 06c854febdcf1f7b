import type * as t from 'io-ts';

import { type AnyCodec, Codec, isObject, typeInWords, Walk } from './codec';
import { ProblemCollector } from './problem-collector';
import { quote } from './quote';

/**
 * Codecs of what the service itself writes. Payloads may spell a field in several ways, but these
 * codecs accept exactly what they declare. The codecs of struct.ts read requests and payloads.
 */

/** A field of an exact object: its codec, and a sentence that says what it holds. */
export interface ExactField<C extends AnyCodec = AnyCodec, M extends boolean = boolean> {
  readonly codec: C;
  readonly doc: string;
  readonly mayBeAbsent: M;
  /** Whether it repeats another field, for clients that read it by this name. */
  readonly isDeprecated?: true;
}

/** The fields of an exact object, in the order of the documentation. */
export interface ExactFields {
  readonly [name: string]: ExactField;
}

/** What an exact object with these fields holds. */
export type ExactOf<F extends ExactFields> = {
  readonly [N in keyof F as F[N]['mayBeAbsent'] extends false ? N : never]: t.TypeOf<F[N]['codec']>;
} & {
  readonly [N in keyof F as F[N]['mayBeAbsent'] extends false ? never : N]?: t.TypeOf<
    F[N]['codec']
  >;
};

/** A field that is always there. */
export const has = <C extends AnyCodec>(codec: C, doc: string): ExactField<C, false> => ({
  codec,
  doc,
  mayBeAbsent: false,
});

/** A field that is left out if it has no value. */
export const may = <C extends AnyCodec>(codec: C, doc: string): ExactField<C, true> => ({
  codec,
  doc,
  mayBeAbsent: true,
});

/** A field that repeats another one, for clients that read it by this name; it is always there. */
export const deprecated = <C extends AnyCodec>(codec: C, doc: string): ExactField<C, false> => ({
  ...has(codec, doc),
  isDeprecated: true,
});

const wrongType = (expected: string, value: unknown, walk: Walk): void =>
  walk.refuse('WRONG_TYPE', () => `expected ${expected}, got ${typeInWords(value)}`);

/** An object with exactly its fields, spelled as they are declared. */
export class Exact<F extends ExactFields> extends Codec<ExactOf<F>> {
  constructor(
    name: string,
    readonly fields: F,
  ) {
    const names = Object.keys(fields);
    const isField = (key: string): boolean => Object.hasOwn(fields, key);
    const explainField = (field: string, value: Readonly<Record<string, unknown>>, walk: Walk) => {
      const { codec, mayBeAbsent } = fields[field] as ExactField;
      if (Object.hasOwn(value, field)) codec.explain(value[field], walk);
      else if (!mayBeAbsent) walk.refuse('MISSING_FIELD', () => `${name} needs ${quote(field)}`);
    };
    super(
      name,
      (value) =>
        isObject(value) &&
        Object.keys(value).every(isField) &&
        Object.entries<ExactField>(fields).every(([field, { codec, mayBeAbsent }]) =>
          Object.hasOwn(value, field) ? codec.is(value[field]) : mayBeAbsent,
        ),
      (value, walk) => {
        if (!isObject(value)) return wrongType(`an object (${name})`, value, walk);
        for (const field of names) walk.at(field, () => explainField(field, value, walk));
        for (const key of Object.keys(value).filter((each) => !isField(each))) {
          walk.at(key, () =>
            walk.refuse('UNKNOWN_FIELD', () => `${name} has no field ${quote(key)}`),
          );
        }
      },
    );
  }
}

/** An object with exactly these fields. */
export const exact = <F extends ExactFields>(name: string, fields: F): Exact<F> =>
  new Exact(name, fields);

/** A value or `null`. */
export class Nullable<C extends AnyCodec> extends Codec<t.TypeOf<C> | null> {
  constructor(readonly inner: C) {
    super(
      `${inner.name} or null`,
      (value) => value === null || inner.is(value),
      (value, walk) => {
        if (value !== null) inner.explain(value, walk);
      },
    );
  }
}

/** A value of a codec or `null`. */
export const nullable = <C extends AnyCodec>(inner: C): Nullable<C> => new Nullable(inner);

/** An object whose keys are data, not fields. */
export class MapOf<C extends AnyCodec> extends Codec<{ readonly [key: string]: t.TypeOf<C> }> {
  constructor(
    name: string,
    readonly value: C,
  ) {
    super(
      name,
      (held) => isObject(held) && Object.values(held).every((each) => value.is(each)),
      (held, walk) => {
        if (!isObject(held)) return wrongType(`an object (${name})`, held, walk);
        for (const [key, each] of Object.entries(held)) {
          walk.at(key, () => value.explain(each, walk));
        }
      },
    );
  }
}

/** An object with any keys, whose values have one codec. */
export const mapOf = <C extends AnyCodec>(name: string, value: C): MapOf<C> =>
  new MapOf(name, value);

const faultsOf = (codec: AnyCodec, value: unknown): number => {
  const collector = new ProblemCollector();
  codec.explain(value, new Walk(collector));
  return collector.count;
};

/**
 * A value that one of several codecs accepts. If none accepts it, the codec that comes nearest
 * explains what is wrong.
 */
export class OneOf<M extends readonly AnyCodec[]> extends Codec<t.TypeOf<M[number]>> {
  constructor(
    name: string,
    readonly members: M,
  ) {
    super(
      name,
      (value) => members.some((member) => member.is(value)),
      (value, walk) => {
        const faults = members.map((member) => faultsOf(member, value));
        members[faults.indexOf(Math.min(...faults))]?.explain(value, walk);
      },
    );
  }
}

/** A value that one of these codecs accepts. */
export const oneOf = <M extends readonly AnyCodec[]>(name: string, ...members: M): OneOf<M> =>
  new OneOf(name, members);
