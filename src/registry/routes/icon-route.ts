import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import { addressedProvider } from '../../web/exchange/addressed';
import { decodeBody } from '../../web/bodies/decode-body';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { endpoints, SetIconRequest } from '../endpoints';

/** Answers connectors that set the icon of a provider. The service shows no icons, and stores none. */
export const iconRoute = ({ handle }: Web, context: Context): Route =>
  route({
    ...endpoints.setIcon,
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.flatMap(() => decodeBody(SetIconRequest, req, res)),
        TE.map(() => ({})),
      ),
    ),
  });
