import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { Done } from '../../../contract/answers/page';
import { SetIconRequest } from '../../../contract/envelopes';
import { addressedProvider } from '../../../web/exchange/addressed';
import { LONG_TEXT_BODY } from '../../../web/bodies/body-bounds';
import { decodeBody } from '../../../web/bodies/decode-body';
import { route, type Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../contract';

/** Answers connectors that set the icon of a provider. The service shows no icons, and stores none. */
export const iconRoute = ({ handle }: Web, context: Context): Route =>
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
        addressedProvider(providersOf(context), req),
        TE.flatMap(() => decodeBody(SetIconRequest, req, res)),
        TE.map(() => ({})),
      ),
    ),
  });
