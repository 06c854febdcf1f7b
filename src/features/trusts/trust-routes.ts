import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { TrustList, TrustsChangedValue } from '../../contract/answers/trusts';
import { SetTrustsRequest } from '../../contract/envelopes';
import { TrustsParameters } from '../../contract/parameters/question-parameters';
import { isTrue } from '../../contract/parameters/query-parameters';
import { actOf } from '../../web/admission/caller';
import { addressedProvider } from '../../web/exchange/addressed';
import { decodeBody } from '../../web/bodies/decode-body';
import { queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../registry/contract';
import { trustsOf } from './contract';

/** Lists and sets which provider may claim whose names (docs/rules.md: Trusts). */
export const trustRoutes = ({ handle }: Web, context: Context): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/trusts',
    // They name other providers.
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Lists which providers may claim which email addresses, and whom they mean.',
    more: 'api#trusts',
    answer: TrustList,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => trustsOf(context).list()),
      ),
    ),
  }),
  route({
    method: 'put',
    path: '/api/v1/providers/custom/:providerId/trusts',
    // They decide about claims of all other providers too.
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Sets which email addresses a provider may claim, and whom it means.',
    more: 'api#trusts',
    answer: TrustsChangedValue,
    query: TrustsParameters,
    body: [SetTrustsRequest],
    handler: handle((req, res) =>
      pipe(
        TE.fromEither(queryOf(TrustsParameters, req)),
        TE.bindTo('asked'),
        TE.bind('provider', () => addressedProvider(providersOf(context), req)),
        TE.bind('wanted', () => decodeBody(SetTrustsRequest, req, res)),
        TE.flatMap(({ asked, provider, wanted }) =>
          trustsOf(context).set({
            ...actOf(res),
            provider,
            wanted,
            isDryRun: isTrue(asked.dry_run),
          }),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
];
