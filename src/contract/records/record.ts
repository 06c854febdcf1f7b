import * as E from 'fp-ts/Either';
import type * as t from 'io-ts';

import type { StructRules } from '../../codec/struct';
import { type Holds, type NodeKind, type Properties, service } from '../../model/table';
import type { Failure } from '../../problem';
import {
  type AnswerCodec,
  answerOf,
  type AskedFields,
  type ChangesCodec,
  type Fields,
  type RequestCodec,
  requestOf,
  type ValuesOf,
} from './field';
import { joined, type StoredValue, type StoredValues } from './stored';

/** What a declaration of a record says in addition to its fields. */
interface RecordWords<F extends Fields> {
  /** What messages call it. */
  readonly name: string;
  readonly label: string;
  readonly doc: string;
  readonly holds: Holds;
  readonly indexes?: NodeKind['indexes'];
  readonly unique?: NodeKind['unique'];
  readonly lookups?: NodeKind['lookups'];
  readonly fields: F;
  /** Properties that are no fields: nobody requests or is shown them. */
  readonly hidden?: Properties;
  /** Rules of requests in addition to their fields, and what messages call one. */
  readonly requests?: Omit<StructRules, 'docs'> & { readonly name: string };
}

/** Reads the value of a field of a request, and refuses values that the codec of the field accepts. */
type Rule<A, V> = (asked: A, pointer: string) => E.Either<Failure, V>;

/**
 * The rules of the fields of requests. A field that requests spell in another way needs one; another
 * field may have one that refuses some of its values.
 */
export type Rules<F extends Fields> = {
  readonly [K in keyof F as F[K]['source'] extends 'rule' ? K : never]: Rule<
    t.TypeOf<F[K]['asked']>,
    t.TypeOf<F[K]['codec']>
  >;
} & {
  readonly [K in keyof F as F[K]['source'] extends 'request' ? K : never]?: Rule<
    t.TypeOf<F[K]['codec']>,
    t.TypeOf<F[K]['codec']>
  >;
};

type AnyRules = Readonly<Record<string, Rule<unknown, unknown> | undefined>>;

/** What requests say of a record. */
export type WantedOf<F extends Fields> = ValuesOf<AskedFields<F>>;

/** A record: its node, the codecs of requests and answers, and what leads from one to the next. */
export interface RecordKind<F extends Fields> {
  readonly name: string;
  readonly fields: F;
  readonly node: NodeKind;
  readonly request: RequestCodec<F>;
  readonly answer: AnswerCodec<F>;
  /** What a request says, with the usual values of what it leaves out; or the first refusal. */
  readonly wanted: (
    request: t.TypeOf<RequestCodec<F>>,
    rules: Rules<F>,
  ) => E.Either<Failure, WantedOf<F>>;
  /** What a request says of some fields, without rules. What it leaves out does not change. */
  readonly changes: (request: t.TypeOf<ChangesCodec<F>>) => Partial<WantedOf<F>>;
  /** The properties in which a node stores these fields. */
  readonly stored: (values: Partial<ValuesOf<F>>) => Readonly<Record<string, StoredValue>>;
  /** The values that a node stores. */
  readonly read: (stored: StoredValues) => ValuesOf<F>;
}

const wantedOf = (
  fields: Fields,
  request: StoredValues,
  rules: AnyRules,
): E.Either<Failure, StoredValues> => {
  const wanted: Record<string, unknown> = {};
  for (const [name, { source, usual, valueOf }] of Object.entries(fields)) {
    if (source === 'service') continue;
    const asked = request[name] ?? null;
    wanted[name] = asked === null ? usual : valueOf(asked);
    const rule = rules[name];
    if (asked === null || rule === undefined) continue;
    const read = rule(wanted[name], `/${name}`);
    if (E.isLeft(read)) return read;
    wanted[name] = read.right;
  }
  return E.right(wanted);
};

const changesIn = (fields: Fields, request: StoredValues): StoredValues =>
  joined(
    Object.entries(fields).map(([name, { source, valueOf }]) =>
      source === 'service' || request[name] === undefined ? {} : { [name]: valueOf(request[name]) },
    ),
  );

const storedOf = (fields: Fields, values: StoredValues): Readonly<Record<string, StoredValue>> =>
  joined(
    Object.entries(fields).map(([name, { stored }]) =>
      values[name] === undefined ? {} : (stored?.write(name, values[name]) ?? {}),
    ),
  );

const readOf = (record: string, fields: Fields, stored: StoredValues): StoredValues =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const usual: unknown = field.usual ?? null;
      const value = field.stored?.read(name, stored) ?? usual;
      if (value === null && !field.codec.is(null)) {
        throw new Error(`the stored ${record} ${String(stored.key)} has no ${name}`);
      }
      return [name, value];
    }),
  );

const propertiesOf = (fields: Fields): Properties =>
  joined(
    Object.entries(fields).map(([name, { stored, doc }]) => stored?.properties(name, doc) ?? {}),
  );

/**
 * Declares a record. Its node, the codecs of its requests and answers, their JSON Schemas and its
 * table in the docs follow from its fields.
 */
export const record = <F extends Fields>({
  name,
  label,
  fields,
  hidden = {},
  requests = { name },
  ...words
}: RecordWords<F>): RecordKind<F> => ({
  name,
  fields,
  node: service(label, { ...words, properties: { ...propertiesOf(fields), ...hidden } }),
  request: requestOf(requests.name, fields, requests),
  answer: answerOf(name, fields),
  wanted: (request, rules) => wantedOf(fields, request, rules) as E.Either<Failure, WantedOf<F>>,
  changes: (request) => changesIn(fields, request) as Partial<WantedOf<F>>,
  stored: (values) => storedOf(fields, values),
  read: (stored) => readOf(name, fields, stored) as ValuesOf<F>,
});
