import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { actOf } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { decodeBody } from '../../web/bodies/decode-body';
import { takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import { type Context, oncePerContext } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints, ErasePersonRequest } from './endpoints';
import { graphErasures } from './removal/erasure';
import { pushLimitsOf, pushLineOf } from '../../push/contract';
import { type ErasePerson, erasePerson } from './erase-person';

/** Erases a person, or plans that. */
const erasureOf = oncePerContext((context) => {
  const { inTurn } = pushLineOf(context);
  const erasing = {
    erasures: graphErasures(context.graph, pushLimitsOf(context), context.records),
    listed: context.config.limits.listedChanges,
    wake: context.wake,
  };
  return (request: ErasePerson) => inTurn(request, erasePerson(erasing)(request));
});

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
