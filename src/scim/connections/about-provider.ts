import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import type { Context } from '../../context';
import type { Provider } from '../../contract/records/provider';
import type { KeyAct } from '../../graph/records/event-record';
import { providersOf } from '../../graph/records/registry';
import type { Failure } from '../../problem';
import { actOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { addressedProvider } from '../../web/exchange/addressed';
import type { Work } from '../../web/exchange/handle';
import { queryOf } from '../../web/lists/list-query';
import { type Endpoint, route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';

/** An endpoint about the provider that its path names. */
interface AboutProvider<Q, B, A> extends Endpoint {
  readonly query: Codec<Q> & NonNullable<Endpoint['query']>;
  readonly body?: readonly [Codec<B>];
  readonly answer: Codec<A>;
}

/** A request to such an endpoint, whose query and body are valid. */
interface Asking<Q, B> {
  readonly provider: Provider;
  readonly asked: Q;
  readonly body: B;
  readonly act: KeyAct;
  readonly req: Request;
  readonly res: Response;
}

/** Refuses to change the application of a provider that is being deleted. */
const notLeaving = ({ state }: Provider): E.Either<Failure, void> =>
  state === 'DELETING'
    ? E.left({ _tag: 'Conflict', message: 'The provider is being deleted.' })
    : E.right(undefined);

/**
 * Makes routes about a provider. They read the provider, then the query, then what `first` looks for, then
 * the body (docs/rules.md: Requests).
 */
export const aboutProvider = ({ handle }: Web, context: Context) => {
  const about =
    (check: (provider: Provider) => E.Either<Failure, void>) =>
    <Q, B, A extends object>(
      endpoint: AboutProvider<Q, B, A>,
      work: (asking: Asking<Q, B>) => ReturnType<Work<NoInfer<A>>>,
      first: (provider: Provider, req: Request) => TE.TaskEither<Failure, unknown> = TE.right,
    ): Route =>
      route({
        ...endpoint,
        handler: handle<A>((req, res) =>
          pipe(
            addressedProvider(providersOf(context), req),
            TE.tapEither(check),
            TE.bindTo('provider'),
            TE.bind('asked', () => TE.fromEither(queryOf(endpoint.query, req))),
            TE.tap(({ provider }) => first(provider, req)),
            TE.bind('body', () =>
              endpoint.body === undefined
                ? TE.right(undefined as B)
                : decodeBody(endpoint.body[0], req, res),
            ),
            TE.flatMap((asking) => work({ ...asking, act: actOf(res), req, res })),
          ),
        ),
      });
  return {
    asking: about(() => E.right(undefined)),
    /** The same, for requests that a provider refuses while it is being deleted. */
    changing: about(notLeaving),
  };
};
