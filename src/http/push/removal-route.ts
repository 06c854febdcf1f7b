import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { RemovalAllowed } from '../../contract/answers/registry';
import type { UseCases } from '../../service/use-cases';
import { actOf } from '../admission/caller';
import { addressedDataSource } from '../exchange/addressed';
import type { Handle } from '../exchange/handle';
import { takesNone } from '../lists/list-query';
import { route, type Route } from '../routing/route';

/** What the endpoint needs. */
export interface RemovalRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findDataSource' | 'allowRemoval'>;
}

/**
 * Lets the next push to a data source pass the removal guard, for clients that cannot send headers
 * (docs/rules.md: Removal guard).
 */
export const removalRoute = ({ handle, useCases }: RemovalRouteDeps): Route => {
  return route({
    method: 'post',
    path: '/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:allow-removal',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Lets the next push within an hour remove as much as it wants.',
    more: 'connectors#removal-guard',
    answer: RemovalAllowed,
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(useCases, req),
        TE.tapEither(() => takesNone(req)),
        TE.flatMap((source) => useCases.allowRemoval(source, actOf(res))),
        TE.map((until) => ({ value: { removal_allowed_until: until } })),
      ),
    ),
  });
};
