import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { ProblemList } from '../problem';
import { type Codec, isObject, Walk } from '../codec/codec';
import { sortProblems } from '../codec/payload-order';
import { pointerOf, stepsOf } from '../codec/pointer';
import { ProblemCollector } from '../codec/problem-collector';
import { nfc } from '../model/fold';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import {
  type IncrementOf,
  type PayloadOf,
  type Template,
  templates,
  type TemplateWords,
} from '../templates/templates';

/** A payload that has passed stage 1. */
export interface Decoded<P> {
  /** The payload. Its keys have the spelling that the codecs declare. */
  readonly payload: P;
  /** Converts a pointer into `payload` to a pointer into the JSON that was sent. */
  readonly pointerAsSent: (pointer: string) => string;
}

const spellingIn = (holder: unknown, field: string): string => {
  if (!isObject(holder) || Object.hasOwn(holder, field)) return field;
  const keys = Object.keys(holder);
  const isName = (key: string): boolean => nfc(key) === field;
  return keys.find((key) => key.toLowerCase() === field) ?? keys.find(isName) ?? field;
};

const respellPointer = (json: unknown, pointer: string): string => {
  let at = json;
  const steps = stepsOf(pointer).map((step) => {
    const key = spellingIn(at, step);
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    return key;
  });
  return pointerOf(...steps);
};

const explained = <P>(codec: Codec<P>, json: unknown): E.Either<ProblemList, Decoded<P>> => {
  const collector = new ProblemCollector();
  codec.explain(json, new Walk(collector));
  if (!collector.isEmpty) {
    const { problems, total } = collector.list();
    return E.left({ problems: sortProblems(json, problems), total });
  }
  return E.right({
    payload: codec.normalize(json) as P,
    pointerAsSent: (pointer) => respellPointer(json, pointer),
  });
};

const decodeWith = <P>(codec: Codec<P>, json: unknown): E.Either<ProblemList, Decoded<P>> =>
  codec.is(json)
    ? E.right({ payload: json, pointerAsSent: (pointer) => pointer })
    : explained(codec, json);

/** Decodes the body of a request, or lists its problems. */
export const decodeRequest = <A>(codec: Codec<A>, body: unknown): E.Either<ProblemList, A> =>
  pipe(
    decodeWith(codec, body),
    E.map(({ payload }) => payload),
  );

/** Whether a payload says that it is an increment. */
export const isIncrement = (json: unknown): boolean =>
  isObject(json) && json[spellingIn(json, 'incremental_change')] === true;

/** A full push or an increment that has passed stage 1. */
export type DecodedPush<T extends Template> =
  | ({ readonly _tag: 'Full' } & Decoded<PayloadOf[T]>)
  | ({ readonly _tag: 'Increment' } & Decoded<IncrementOf[T]>);

/**
 * Stage 1 of the checks: decodes a payload, or lists the problems of its shape in payload order
 * (docs/rules.md: Problems).
 */
export const decodePayload = <T extends Template>(
  template: T,
  json: unknown,
  resourceLevels = RESOURCE_LEVELS,
): E.Either<ProblemList, DecodedPush<T>> => {
  const { whole, increment } = templates[template] as TemplateWords<PayloadOf[T], IncrementOf[T]>;
  return isIncrement(json)
    ? pipe(
        explained(increment(resourceLevels), json),
        E.map((decoded) => ({ _tag: 'Increment', ...decoded })),
      )
    : pipe(
        decodeWith(whole(resourceLevels), json),
        E.map((decoded) => ({ _tag: 'Full', ...decoded })),
      );
};
