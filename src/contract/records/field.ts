import type * as t from 'io-ts';

import type { AnyCodec } from '../../codec/codec';
import { exact, type Exact, type ExactField, has, nullable, Nullable } from '../../codec/exact';
import { struct, type Struct, type StructRules } from '../../codec/struct';
import { joined, type Stored, type StoredValues } from './stored';

/** Where the value of a field comes from when a request is read. */
type Source =
  /** The service sets it; requests do not have the field. */
  | 'service'
  /** The request has the value, as answers show it. */
  | 'request'
  /** The request spells it in another way, and a rule of the feature reads it. */
  | 'rule';

/** A field of a record: its value, what requests say of it, and how a node stores it. */
export interface Field<
  C extends AnyCodec = AnyCodec,
  R extends AnyCodec = AnyCodec,
  N extends boolean = boolean,
  S extends Source = Source,
> {
  /** The codec of its value, as answers show it. */
  readonly codec: C;
  /** A sentence that says what it holds. */
  readonly doc: string;
  /** The codec of requests. */
  readonly asked: R;
  /** Whether a request must have it. */
  readonly isNeeded: N;
  readonly source: S;
  /** Its value in a request or a node that does not have it; `undefined` if each has it. */
  readonly usual: t.TypeOf<C> | undefined;
  /** Turns what a request says into the value. */
  readonly valueOf: (asked: unknown) => unknown;
  /** How a node stores it; `null` if no node does. */
  readonly stored: Stored | null;
  /** The fields within it. */
  readonly parts: Fields;
}

/** Fields by name, in the order of the documentation. */
export type Fields = Readonly<Record<string, Field>>;

/** A request leaves out what an answer shows as `null`. */
type AskedOf<C extends AnyCodec> = C extends Nullable<infer I> ? I : C;

const fieldOf = <C extends AnyCodec, N extends boolean, S extends Source>(
  codec: C,
  doc: string,
  how: { isNeeded: N; source: S; usual?: t.TypeOf<C>; stored: Stored | null },
): Field<C, AskedOf<C>, N, S> => ({
  codec,
  doc,
  parts: {},
  usual: undefined,
  ...how,
  asked: (codec instanceof Nullable ? codec.inner : codec) as AskedOf<C>,
  valueOf: (asked) => asked,
});

/** A field that each request has. */
export const needed = <C extends AnyCodec>(codec: C, doc: string, stored: Stored | null) =>
  fieldOf(codec, doc, { isNeeded: true, source: 'request', stored });

/**
 * A part that each request of its group has. It has its usual value where a request leaves the group
 * out.
 */
export const neededPart = <C extends AnyCodec>(
  codec: C,
  doc: string,
  usual: t.TypeOf<C>,
  stored: Stored | null = null,
) => fieldOf(codec, doc, { isNeeded: true, source: 'request', usual, stored });

/** A field that requests may leave out: then it has its usual value. */
export const optional = <C extends AnyCodec>(
  codec: C,
  doc: string,
  usual: t.TypeOf<C>,
  stored: Stored | null,
) => fieldOf(codec, doc, { isNeeded: false, source: 'request', usual, stored });

/** A field that the service sets. */
export const made = <C extends AnyCodec>(codec: C, doc: string, stored: Stored | null) =>
  fieldOf(codec, doc, { isNeeded: false, source: 'service', stored });

/** A field that requests spell in another way: a rule of the feature turns that into the value. */
export const askedAs = <C extends AnyCodec, R extends AnyCodec, N extends boolean>(
  asked: R,
  field: Field<C, AnyCodec, N, 'request'>,
): Field<C, R, N, 'rule'> => ({ ...field, asked, source: 'rule' });

/** The values of fields. */
export type ValuesOf<F extends Fields> = { readonly [K in keyof F]: t.TypeOf<F[K]['codec']> };

/** The fields that requests have. */
export type AskedFields<F extends Fields> = {
  readonly [K in keyof F as F[K]['source'] extends 'service' ? never : K]: F[K];
};

type Needed<F extends Fields> = {
  readonly [K in keyof AskedFields<F> as F[K]['isNeeded'] extends true ? K : never]: F[K]['asked'];
};
type Optional<F extends Fields> = {
  readonly [K in keyof AskedFields<F> as F[K]['isNeeded'] extends true ? never : K]: F[K]['asked'];
};

/** The codec of a request with these fields. */
export type RequestCodec<F extends Fields> = Struct<Needed<F>, Optional<F>>;

/** The codec of an answer with these fields. */
export type AnswerCodec<F extends Fields> = Exact<{
  readonly [K in keyof F]: ExactField<F[K]['codec'], false>;
}>;

const askedFields = (fields: Fields): readonly (readonly [string, Field])[] =>
  Object.entries(fields).filter(([, { source }]) => source !== 'service');

/** The value of an unset field in words; `null` if a request must have the field. */
export const usualInWords = ({ isNeeded, usual }: Field): string | null =>
  isNeeded || usual === undefined ? null : JSON.stringify(usual);

const requestDoc = (field: Field): string => {
  const usual = usualInWords(field);
  return usual === null ? field.doc : `${field.doc} Unset: \`${usual}\`.`;
};

const codecsOf = (fields: Fields, isNeeded: boolean): Readonly<Record<string, AnyCodec>> =>
  Object.fromEntries(
    askedFields(fields)
      .filter(([, field]) => field.isNeeded === isNeeded)
      .map(([name, { asked }]) => [name, asked]),
  );

/** The codec of requests with these fields. */
export const requestOf = <F extends Fields>(
  name: string,
  fields: F,
  rules: StructRules = {},
): RequestCodec<F> =>
  struct(name, codecsOf(fields, true), codecsOf(fields, false), {
    ...rules,
    docs: Object.fromEntries(
      askedFields(fields).map(([field, declared]) => [field, requestDoc(declared)]),
    ),
  }) as unknown as RequestCodec<F>;

/** What a change says of a field: `null` unsets what an answer may show as `null`. */
type ChangeOf<F extends Field> =
  F['codec'] extends Nullable<AnyCodec> ? Nullable<F['asked']> : F['asked'];

const changeOf = ({ codec, asked }: Field): AnyCodec =>
  codec instanceof Nullable ? nullable(asked) : asked;

/** The codec of a request that changes some of these fields. */
export type ChangesCodec<F extends Fields> = Struct<
  Record<never, never>,
  { readonly [K in keyof AskedFields<F>]: ChangeOf<F[K]> }
>;

const SET_BY_SERVICE = 'the service sets it, so leave it out';

/**
 * The codec of requests to change some of these fields. It refuses all other fields: what somebody
 * wants to change must not be ignored (docs/rules.md: Requests). `instead` says of some of them what
 * to do.
 */
export const changesOf = <F extends Fields>(
  name: string,
  fields: F,
  instead: { readonly [K in keyof F]?: string } & Readonly<Record<string, string>>,
): ChangesCodec<F> =>
  struct(
    name,
    {},
    Object.fromEntries(askedFields(fields).map(([field, declared]) => [field, changeOf(declared)])),
    {
      isChange: true,
      instead: {
        ...Object.fromEntries(
          Object.entries(fields).flatMap(([field, { source }]) =>
            source === 'service' ? [[field, SET_BY_SERVICE]] : [],
          ),
        ),
        ...instead,
      },
      docs: Object.fromEntries(askedFields(fields).map(([field, { doc }]) => [field, doc])),
    },
  ) as unknown as ChangesCodec<F>;

/** The codec of answers with these fields. */
export const answerOf = <F extends Fields>(name: string, fields: F): AnswerCodec<F> =>
  exact(
    name,
    Object.fromEntries(
      Object.entries(fields).map(([field, { codec, doc }]) => [field, has(codec, doc)]),
    ),
  ) as unknown as AnswerCodec<F>;

const usualOf = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { usual }]) => [name, usual]));

/** Stores each part as the field's name, `_` and the name of the part. */
const inParts = (parts: Fields): Stored => {
  const all = Object.entries(parts);
  return {
    properties: (field) =>
      joined(
        all.map(([part, { stored, doc }]) => stored?.properties(`${field}_${part}`, doc) ?? {}),
      ),
    write: (field, value) =>
      joined(
        all.map(
          ([part, { stored }]) =>
            stored?.write(`${field}_${part}`, (value as StoredValues)[part]) ?? {},
        ),
      ),
    read: (field, values) =>
      Object.fromEntries(
        all.map(([part, { stored, usual }]) => [
          part,
          stored?.read(`${field}_${part}`, values) ?? usual,
        ]),
      ),
  };
};

/**
 * A field with fields of its own, all of which an answer has. A request may leave it out, or those
 * parts that it does not need. Without `stored` each part is a property of the node.
 */
export const group = <F extends Fields>(
  name: string,
  doc: string,
  parts: F,
  stored: Stored = inParts(parts),
): Field<AnswerCodec<F>, RequestCodec<F>, false, 'request'> => {
  const usual = usualOf(parts);
  return {
    doc,
    parts,
    stored,
    isNeeded: false,
    source: 'request',
    codec: answerOf(name, parts),
    asked: requestOf(name, parts),
    usual: usual as t.TypeOf<AnswerCodec<F>>,
    valueOf: (asked) =>
      Object.fromEntries(
        Object.entries(parts).map(([part, { valueOf }]) => {
          const partValue = (asked as StoredValues)[part] ?? null;
          return [part, partValue === null ? usual[part] : valueOf(partValue)];
        }),
      ),
  };
};
