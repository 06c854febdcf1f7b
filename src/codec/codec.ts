import * as t from 'io-ts';

import type { ProblemCode } from '../problem';
import type { Step } from './pointer';
import { type Message, ProblemCollector } from './problem-collector';

/**
 * The place in the payload that a codec explains at the moment, and the collector of the problems.
 */
export class Walk {
  /** How many recursive codecs surround the place. */
  levels = 0;
  /**
   * The operation that the surrounding entry hands to entries without one of their own
   * (docs/rules.md: Increments).
   */
  inherited: 'add' | 'add_resource' | null = null;
  private readonly path: Step[] = [];

  constructor(private readonly problems: ProblemCollector) {}

  refuse(code: ProblemCode, message: Message): void {
    this.problems.add(this.path, code, message);
  }

  /** Explains the content of an entry that hands its operation to the entries inside it. */
  inside(inherited: Walk['inherited'], explain: () => void): void {
    const outer = this.inherited;
    this.inherited = inherited;
    explain();
    this.inherited = outer;
  }

  /** Explains what is one step below. */
  at(step: Step, explain: () => void): void {
    this.path.push(step);
    explain();
    this.path.pop();
  }
}

/**
 * Reports everything that is wrong with a value to the walk. It reports nothing if the value is
 * good once normalized.
 */
export type Explain = (value: unknown, walk: Walk) => void;

/**
 * Returns the one form of a good value that the guard accepts. In it, keys have their declared
 * spelling. In optional fields an object `{}`, and `""` as an enumeration or time, become `null`
 * (docs/rules.md: Values, Problems). A value that already has this form is returned as it is.
 */
export type Normalize = (value: unknown) => unknown;

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Any codec of this folder, as `t.Mixed` is any codec of io-ts. */
export interface AnyCodec extends t.Mixed {
  readonly explain: Explain;
  readonly normalize: Normalize;
  /** The value that leaves an optional field unset, in addition to `null`. */
  readonly unset: Unset;
  /**
   * The JSON Schema of a codec without inner codecs. `null` if the schema follows from inner
   * codecs.
   */
  readonly schema: JsonSchema | null;
}

/** A value that leaves an optional field unset, in addition to `null` (docs/rules.md: Values). */
export type Unset = 'empty text' | 'empty object' | null;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether this value leaves an optional field unset. */
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

/** What a codec may have in addition to its guard and its explanation. */
export interface CodecOptions {
  readonly normalize?: Normalize;
  readonly unset?: Unset;
  readonly schema?: JsonSchema;
}

/**
 * An io-ts codec that is quick for good values: they only pass the guard. A value that fails the
 * guard is explained, and is normalized if nothing is wrong with it.
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

/** The JSON type of a value, as messages call it. */
export const typeInWords = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;
