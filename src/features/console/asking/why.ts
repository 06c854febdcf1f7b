import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccessExplanation } from '../../../contract/answers/questions/access';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import type { Way } from '../map/ways';
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

/** Names of data sources by their ids. */
export type SourceNames = ReadonlyMap<string, string>;

/** The names of the data sources that some ways name. */
export const askSourceNames = (
  context: Context,
  ways: readonly Way[],
): TE.TaskEither<Failure, SourceNames> => {
  const ids = ways.flatMap(({ steps }) => steps.flatMap(({ source }) => source ?? []));
  return pipe(
    interfaceOf(context).sourceNames([...new Set(ids)]),
    TE.map((named) => new Map(named.map(({ id, provider, name }) => [id, `${provider}, ${name}`]))),
  );
};
