import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../../contract/answers/page';
import { SetIconRequest } from '../../../contract/envelopes';
import { actOf } from '../../../http/admission/caller';
import { addressedProvider } from '../../../http/exchange/addressed';
import { LONG_TEXT_BODY } from '../../../http/exchange/body-bounds';
import { decodeBody } from '../../../http/exchange/decode-body';
import { route, type Route } from '../../../http/routing/route';
import type { Context } from '../../../context';
import type { Web } from '../../../http/routing/web';
import { providersOf, registryOf } from '../contract';

/** Takes the icon of a provider (docs/rules.md: Requests). */
export const iconRoute = ({ handle }: Web, context: Context): Route => {
  const providers = providersOf(context);
  const { setIcon } = registryOf(context);
  return route({
    method: 'post',
    path: '/api/v1/providers/custom/:providerId\\:icon',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Gives a provider its icon: PNG or SVG, at most 64 KB.',
    answer: Done,
    body: [SetIconRequest],
    bodyBounds: LONG_TEXT_BODY,
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providers, req),
        TE.flatMap((provider) =>
          pipe(
            decodeBody(SetIconRequest, req, res),
            TE.flatMap((body) => setIcon(provider, body.icon_base64, actOf(res))),
          ),
        ),
        TE.map(() => ({})),
      ),
    ),
  });
};
