import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import { SetIconRequest } from '../../contract/envelopes';
import type { UseCases } from '../../service/use-cases';
import { addressedProvider } from '../exchange/addressed';
import { LONG_TEXT_BODY } from '../exchange/body-bounds';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { route, type Route } from '../routing/route';

/** What the endpoint of icons needs. */
export interface IconRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findProvider'>;
}

/** Answers connectors that set the icon of a provider. The service shows no icons, and stores none. */
export const iconRoute = ({ handle, useCases }: IconRouteDeps): Route =>
  route({
    method: 'post',
    path: '/api/v1/providers/custom/:providerId\\:icon',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Answers connectors that send an icon; the service stores none.',
    answer: Done,
    body: [SetIconRequest],
    bodyBounds: LONG_TEXT_BODY,
    handler: handle((req, res) =>
      pipe(
        addressedProvider(useCases, req),
        TE.flatMap(() => decodeBody(SetIconRequest, req, res)),
        TE.map(() => ({})),
      ),
    ),
  });
