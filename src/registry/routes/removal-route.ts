import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { actOf } from '../../web/admission/caller';
import { addressedDataSource } from '../../web/exchange/addressed';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { registryOf } from '../contract';
import { providersOf } from '../../graph/records/registry';
import { endpoints } from '../endpoints';

/**
 * Lets the next push to a data source pass the removal guard, for clients that cannot send headers
 * (docs/rules.md: Removal guard).
 */
export const removalRoute = ({ handle }: Web, context: Context): Route => {
  const providers = providersOf(context);
  const { allowRemoval } = registryOf(context);
  return route({
    ...endpoints.allowRemoval,
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(providers, req),
        TE.tapEither(() => takesNone(req)),
        TE.flatMap((source) => allowRemoval(source, actOf(res))),
        TE.map((until) => ({ value: { removal_allowed_until: until } })),
      ),
    ),
  });
};
