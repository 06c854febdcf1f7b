import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { oneProblem, type ProblemList } from '../problem';
import { ApplicationPayload, applicationPayloadWithin, RESOURCE_LEVELS } from './application';
import { type Codec, isObject, Walk } from './codec';
import { IdentityProviderPayload } from './identity-provider';
import { pointerOf, stepsOf } from './pointer';
import { ProblemCollector } from './problem-collector';

/** The kinds of payload that can be pushed (api.md 1). */
export type Template = 'identity_provider' | 'application';

/** The payload of each template. */
export interface PayloadOf {
  readonly identity_provider: IdentityProviderPayload;
  readonly application: ApplicationPayload;
}

/** A payload of the right shape. */
export interface Decoded<P> {
  /** The payload with known spellings of all keys. */
  readonly payload: P;
  /** A pointer into the payload as one into the JSON that was sent. */
  readonly pointerAsSent: (pointer: string) => string;
}

const spellingIn = (holder: unknown, field: string): string => {
  if (!isObject(holder) || Object.hasOwn(holder, field)) return field;
  return Object.keys(holder).find((key) => key.toLowerCase() === field) ?? field;
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

const decodeWith = <P>(codec: Codec<P>, json: unknown): E.Either<ProblemList, Decoded<P>> => {
  if (codec.is(json)) return E.right({ payload: json, pointerAsSent: (pointer) => pointer });
  const collector = new ProblemCollector();
  codec.explain(json, new Walk(collector));
  if (!collector.isEmpty) return E.left(collector.list());
  return E.right({
    payload: codec.normalize(json) as P,
    pointerAsSent: (pointer) => respellPointer(json, pointer),
  });
};

/** A request's body, or what is wrong with it. */
export const decodeRequest = <A>(codec: Codec<A>, body: unknown): E.Either<ProblemList, A> =>
  pipe(
    decodeWith(codec, body),
    E.map(({ payload }) => payload),
  );

const isIncrement = (json: unknown): boolean =>
  isObject(json) && json[spellingIn(json, 'incremental_change')] === true;

const CODECS: {
  readonly [T in Template]: (levels: number) => Codec<PayloadOf[T]>;
} = {
  identity_provider: () => IdentityProviderPayload,
  application: (levels) =>
    levels === RESOURCE_LEVELS ? ApplicationPayload : applicationPayloadWithin(levels),
};

/**
 * Stage 1 of the checks: is the payload shaped right? If not, what is wrong with it, in payload order (graph.md 8). The entries of an increment have
 * other required fields (graph.md 7), so it is refused before its shape is looked at.
 */
export const decodePayload = <T extends Template>(
  template: T,
  json: unknown,
  resourceLevels = RESOURCE_LEVELS,
): E.Either<ProblemList, Decoded<PayloadOf[T]>> =>
  isIncrement(json)
    ? E.left(
        oneProblem(
          pointerOf(spellingIn(json, 'incremental_change')),
          'INCREMENTAL_UNSUPPORTED',
          'incremental pushes are not supported yet: push the whole payload without incremental_change',
        ),
      )
    : decodeWith(CODECS[template](resourceLevels), json);
