import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type {
  AccessExplanation,
  ExplanationAnswer,
} from '../../../contract/answers/questions/access';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { sourcesOfStops, type Way, waysOf, withProviders } from '../map/ways';
import { type Answered, ask } from './ask';

/** A principal, or several that are one human's, and a resource. */
export interface AskedPair {
  readonly principal: readonly string[];
  readonly resource: string;
  readonly person: string;
  readonly permission: string;
  readonly type: string;
  /** An instant; empty: now. */
  readonly at: string;
}

/** Through what somebody reaches a resource. */
export const askWhy = (
  context: Context,
  { principal, resource, person, permission, type, at }: AskedPair,
): TE.TaskEither<Failure, Answered<AccessExplanation>> =>
  ask(
    interfaceOf(context).access.explain,
    { endpoint: questions.explain, hasCypher: true },
    { principal, resource, person, permission, permission_type: type, at },
  );

/** Ways, and for whom they are. */
export interface FoundWhy extends Answered<AccessExplanation> {
  /** The principals that the question has. */
  readonly principal: readonly string[];
  readonly person: string;
  /** Whether this is for one of several, since the others did not exist, or were not theirs. */
  readonly isOfOne: boolean;
}

/**
 * Whether a question failed because of its principals, so that it may succeed for only one of them.
 */
const isOfPrincipals = (failure: Failure): boolean =>
  failure._tag === 'NotFound' ||
  (failure._tag === 'Invalid' &&
    failure.problems.every(({ code }) => code === 'AMBIGUOUS_REFERENCE'));

/**
 * Through what somebody reaches a resource. Of several nodes that are one human's at an instant, some
 * may not exist at another one, or not be theirs. The answer is then for the first one that exists.
 */
export const askWhyOfOne = (
  context: Context,
  pair: AskedPair,
): TE.TaskEither<Failure, FoundWhy> => {
  const { principal, person } = pair;
  const [first, ...others] = principal;
  const all = pipe(
    askWhy(context, pair),
    TE.map((found): FoundWhy => ({ ...found, principal, person, isOfOne: false })),
  );
  if (first === undefined || others.length === 0) return all;
  const ofOne = (one: string): TE.TaskEither<Failure, FoundWhy> =>
    pipe(
      askWhy(context, { ...pair, principal: [one], person: 'true' }),
      TE.map((found): FoundWhy => ({
        ...found,
        principal: [one],
        person: 'true',
        isOfOne: true,
      })),
    );
  const orOthers = others.reduce(
    (asked, one) =>
      pipe(
        asked,
        TE.orElse((failure) => (failure._tag === 'NotFound' ? ofOne(one) : TE.left(failure))),
      ),
    ofOne(first),
  );
  return pipe(
    all,
    TE.orElse((failure) => (isOfPrincipals(failure) ? orOthers : TE.left(failure))),
  );
};

/** Names of data sources and of their providers, by the ids of data sources. */
export type SourceNames = ReadonlyMap<string, { readonly name: string; readonly provider: string }>;

/** The name of a data source, with that of its provider; unset: it is gone. */
export const sourceInWords = (names: SourceNames, id: string): string | undefined => {
  const found = names.get(id);
  return found && `${found.provider}, ${found.name}`;
};

/** Ways, and the names of the data sources of their steps and stops. */
export interface NamedWays {
  readonly ways: readonly Way[];
  readonly names: SourceNames;
}

/** The ways of an explanation, whose stops say their providers. */
export const askNamedWays = (
  context: Context,
  explained: ExplanationAnswer,
): TE.TaskEither<Failure, NamedWays> => {
  const ways = waysOf(explained);
  const ids = ways.flatMap(({ steps }) => steps.flatMap(({ source }) => source ?? []));
  return pipe(
    interfaceOf(context).sourceNames([...new Set([...ids, ...sourcesOfStops(ways)])]),
    TE.map((named): NamedWays => {
      const names = new Map(named.map((each) => [each.id, each]));
      return { ways: withProviders(ways, (id) => names.get(id)?.provider), names };
    }),
  );
};
