import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { isTrue } from '../../contract/parameters/query-parameters';
import { actOf } from '../../web/admission/caller';
import { addressedProvider } from '../../web/exchange/addressed';
import { decodeBody } from '../../web/bodies/decode-body';
import { queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import { type Context, oncePerContext } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { endpoints, SetTrustsRequest } from './endpoints';
import { graphTrusts } from './trust-records';
import { pushLimitsOf, pushLineOf } from '../../push/contract';
import { listTrusts, setTrusts, type SetTrusts } from './set-trusts';

/** Lists and sets the trusts: what each provider may claim, and whom its texts may mean. */
const trustsOf = oncePerContext((context) => {
  const { inTurn } = pushLineOf(context);
  const trusting = {
    trusts: graphTrusts(context.graph, pushLimitsOf(context)),
    listed: context.config.limits.listedChanges,
  };
  return {
    list: listTrusts(trusting),
    set: (request: SetTrusts) => inTurn(request, setTrusts(trusting)(request)),
  };
});

/** Lists and sets which provider may claim whose names (docs/rules.md: Trusts). */
export const trustRoutes = ({ handle }: Web, context: Context): readonly Route[] => [
  route({
    ...endpoints.list,
    handler: handle((req) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => trustsOf(context).list()),
      ),
    ),
  }),
  route({
    ...endpoints.set,
    handler: handle((req, res) =>
      pipe(
        TE.fromEither(queryOf(endpoints.set.query, req)),
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
