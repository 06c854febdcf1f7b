import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import { SetIconRequest } from '../../contract/envelopes';
import type { UseCases } from '../../service/use-cases';
import { actOf } from '../admission/caller';
import { addressedProvider } from '../exchange/addressed';
import { LONG_TEXT_BODY } from '../exchange/body-bounds';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { route, type Route } from '../routing/route';

/** What the endpoint of icons needs. */
export interface IconRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findProvider' | 'setIcon'>;
}

/** Takes the icon of a provider (docs/rules.md: Requests). */
export const iconRoute = ({ handle, useCases }: IconRouteDeps): Route => {
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
        addressedProvider(useCases, req),
        TE.flatMap((provider) =>
          pipe(
            decodeBody(SetIconRequest, req, res),
            TE.flatMap((body) => useCases.setIcon(provider, body.icon_base64, actOf(res))),
          ),
        ),
        TE.map(() => ({})),
      ),
    ),
  });
};
