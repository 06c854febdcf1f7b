import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { SetIconRequest } from '../../contract/envelopes';
import type { UseCases } from '../../service/use-cases';
import { addressedProvider } from '../exchange/addressed';
import { readSmallBody } from '../exchange/body';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import type { Respond } from '../exchange/respond';

/** What the endpoint of icons works with. */
export interface IconRouteDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<UseCases, 'findProvider' | 'setIcon'>;
}

/** Takes the icon of a provider (api.md 1). */
export const iconRoute = ({ handle, respond, useCases }: IconRouteDeps): Router => {
  const router = Router();
  router
    .route('/api/v1/providers/custom/:providerId\\:icon')
    .post(
      handle((req, res) =>
        pipe(
          addressedProvider(useCases, req),
          TE.flatMap((provider) =>
            pipe(
              decodeBody(SetIconRequest, readSmallBody, req, res),
              TE.flatMap((body) => useCases.setIcon(provider, body.icon_base64)),
            ),
          ),
          TE.map(() => ({})),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'POST'));

  return router;
};
