import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ErasureValue } from '../../contract/answers/erasure';
import { ErasePersonRequest } from '../../contract/envelopes';
import { actOf } from '../../web/admission/caller';
import { CONFIRM_REMOVAL, confirmedRemoval } from '../../web/admission/confirmed-removal';
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import { decodeBody } from '../../web/bodies/decode-body';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { erasureOf } from './contract';

/** Erases a person: first the plan, then what its token confirms (docs/rules.md: Erasing a person). */
export const eraseRoute = ({ handle }: Web, context: Context): Route =>
  route({
    method: 'post',
    path: '/api/v1/erase',
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Erases a person from the graph, its history and its records; first tells the plan.',
    more: 'api#erasing-a-person',
    answer: ErasureValue,
    body: [ErasePersonRequest],
    bodyBounds: LISTING_BODY,
    headers: [CONFIRM_REMOVAL],
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
