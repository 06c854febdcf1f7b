import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { isTrue } from '../../contract/parameters/query-parameters';
import { actOf, callerOf } from '../../web/admission/caller';
import { addressedDataSource } from '../../web/exchange/addressed';
import { queryOf } from '../../web/lists/list-query';
import { notDeleting, pushLimitsOf, pushLineOf } from '../../push/contract';
import { route, type Route } from '../../web/routing/route';
import { type Context, oncePerContext } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { compareAccessMemory } from '../../questions/contract';
import { errorFields } from '../../log';
import { endpoints } from './endpoints';
import { graphVerifier } from './checks/verification';
import { verifyDataSource, type VerifyDataSource } from './verify-data-source';

/** Verifies a data source, and repairs it on request. */
const verifierOf = oncePerContext((context) => {
  const { inTurn, inDryRun } = pushLineOf(context);
  const verify = verifyDataSource({
    verifier: graphVerifier(context.graph, pushLimitsOf(context), context.records),
    listedChanges: context.config.limits.listedChanges,
  });
  return (request: VerifyDataSource) =>
    inDryRun({ by: request.by }, inTurn(request, verify(request)));
});

/**
 * Tells what somebody changed by hand in a data source's part of the graph. With `?repair=true` it
 * repairs that (docs/rules.md: Verification).
 */
export const verifyRoute = ({ handle }: Web, context: Context): Route => {
  return route({
    ...endpoints.verify,
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.tapEither(notDeleting),
        TE.bindTo('source'),
        TE.bind('asked', () => TE.fromEither(queryOf(endpoints.verify.query, req))),
        TE.flatMap(({ source, asked }) =>
          verifierOf(context)({
            source,
            ...actOf(res),
            isRepairing: isTrue(asked.repair),
            seesOthers: callerOf(res).providers === null,
          }),
        ),
        // What was changed by hand may be in the memory of this process, or missing there. The
        // verification is right, whether that can be compared or not.
        TE.tapTask(() => async () => {
          try {
            await compareAccessMemory(context);
          } catch (error) {
            context.log.warn('the graph of access could not be compared', errorFields(error));
          }
        }),
      ),
    ),
  });
};
