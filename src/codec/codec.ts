import * as t from 'io-ts';

import type { ProblemCode } from '../problem';
import type { Step } from './pointer';
import { type Message, ProblemCollector } from './problem-collector';

/** Where an explanation stands in the payload, and where it puts what is wrong there. */
export class Walk {
  /** How many recursive codecs the walk is inside of. */
  levels = 0;
  /** What the entry around does to entries without an operation of their own (docs/rules.md: Increments). */
  inherited: 'add' | 'add_resource' | null = null;
  private readonly path: Step[] = [];

  constructor(private readonly problems: ProblemCollector) {}

  refuse(code: ProblemCode, message: Message): void {
    this.problems.add(this.path, code, message);
  }

  /** Does something inside an entry that hands on its operation. */
  inside(inherited: Walk['inherited'], explain: () => void): void {
    const outer = this.inherited;
    this.inherited = inherited;
    explain();
    this.inherited = outer;
  }

  /** Does something one step below. */
  at(step: Step, explain: () => void): void {
    this.path.push(step);
    explain();
    this.path.pop();
  }
}

/** Says to the walk all that is wrong with a value; nothing if it is good once it is normalized. */
export type Explain = (value: unknown, walk: Walk) => void;

/**
 * The one form of a good value that the guard accepts: known spellings of keys, and `null` for an optional object `{}`, enumeration `""` or
 * time `""` (docs/rules.md: Values, Problems). The value itself if it has that form.
 */
export type Normalize = (value: unknown) => unknown;

/** A JSON Schema. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Any of our codecs, as `t.Mixed` is any of io-ts. */
export interface AnyCodec extends t.Mixed {
  readonly explain: Explain;
  readonly normalize: Normalize;
  /** What means unset where the field is optional, beside `null`. */
  readonly unset: Unset;
  /** What a codec without a structure of its own accepts; of others the schema is made by walking them. */
  readonly schema: JsonSchema | null;
}

/** How an optional field may say that it is unset, beside `null` (docs/rules.md: Values). */
export type Unset = 'empty text' | 'empty object' | null;

/** Whether the value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value present in an optional field leaves it unset. */
export const isUnset = (value: unknown, unset: Unset): boolean =>
  value === null ||
  value === undefined ||
  (unset === 'empty text' && value === '') ||
  (unset === 'empty object' && isObject(value) && Object.keys(value).length === 0);

const asItIs: Normalize = (value) => value;

const failuresOf = (value: unknown, context: t.Context, explain: Explain): t.Errors => {
  const collector = new ProblemCollector();
  explain(value, new Walk(collector));
  return collector.list().problems.map(({ pointer, code, message }) => ({
    value,
    context: [...context, { key: pointer, type: t.unknown }],
    message: `${code}: ${message}`,
  }));
};

/** What a codec may have beside its guard and explanation. */
export interface CodecOptions {
  readonly normalize?: Normalize;
  readonly unset?: Unset;
  readonly schema?: JsonSchema;
}

/**
 * An io-ts codec whose good values pass on the guard alone; only a value that fails it is walked to be explained, and normalized if nothing is
 * wrong with it.
 */
export class Codec<A> extends t.Type<A> implements AnyCodec {
  readonly normalize: Normalize;
  readonly unset: Unset;
  readonly schema: JsonSchema | null;

  constructor(
    name: string,
    is: (value: unknown) => boolean,
    readonly explain: Explain,
    { normalize = asItIs, unset = null, schema }: CodecOptions = {},
  ) {
    super(
      name,
      is as t.Is<A>,
      (value, context) => {
        if (is(value)) return t.success(value as A);
        const errors = failuresOf(value, context, explain);
        return errors.length === 0 ? t.success(normalize(value) as A) : t.failures(errors);
      },
      t.identity,
    );
    this.normalize = normalize;
    this.unset = unset;
    this.schema = schema ?? null;
  }
}

/** The JSON type of a value, in words for messages. */
export const typeInWords = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;
