import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { actOf } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { decodeBody } from '../../web/bodies/decode-body';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { erasureOf } from './contract';
import { endpoints, ErasePersonRequest } from './endpoints';

/** Erases a person: first the plan, then what its token confirms (docs/rules.md: Erasing a person). */
export const eraseRoute = ({ handle }: Web, context: Context): Route =>
  route({
    ...endpoints.erase,
    handler: handle((req, res) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => decodeBody(ErasePersonRequest, req, res)),
        TE.flatMap(({ principal, also, except, trusted_providers }) =>
          erasureOf(context)({
            ...actOf(res),
            principal,
            also: also ?? [],
            except: except ?? [],
            trusted: trusted_providers ?? [],
            confirmation: confirmedRemoval(req),
          }),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  });
