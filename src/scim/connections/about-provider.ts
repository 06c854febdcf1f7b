import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import type { Provider } from '../../contract/records/provider';
import type { Failure } from '../../problem';
import { addressedProvider } from '../../web/exchange/addressed';
import { queryOf } from '../../web/lists/list-query';
import type { Registry } from '../../graph/records/registry';

/** A provider, and what the query of a request about it says. */
interface AboutProvider<Q> {
  readonly provider: Provider;
  readonly asked: Q;
}

/** Refuses to change the application of a provider that is being deleted. */
const notLeaving = ({ state }: Provider): E.Either<Failure, void> =>
  state === 'DELETING'
    ? E.left({ _tag: 'Conflict', message: 'The provider is being deleted.' })
    : E.right(undefined);

/** Reads requests about a provider: the provider that the path names, then the query. */
export const aboutProvider = (registry: Pick<Registry, 'findProvider'>) => {
  const about =
    (check: (provider: Provider) => E.Either<Failure, void>) =>
    <Q>(req: Request, query: Codec<Q>): TE.TaskEither<Failure, AboutProvider<Q>> =>
      pipe(
        addressedProvider(registry, req),
        TE.tapEither(check),
        TE.bindTo('provider'),
        TE.bind('asked', () => TE.fromEither(queryOf(query, req))),
      );
  return {
    asking: about(() => E.right(undefined)),
    /** The same, for requests that a provider refuses while it is being deleted. */
    changing: about(notLeaving),
  };
};
