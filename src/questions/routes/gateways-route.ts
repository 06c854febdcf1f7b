import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { instantOf, isTrue } from '../../contract/parameters/query-parameters';
import { badField, type Failure } from '../../problem';
import type { Asking } from '../../web/lists/listed';
import { queryOf } from '../../web/lists/list-query';
import { anyOf, permissionTypesOf } from './access-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints, type GatewayAnswer } from '../endpoints';
import { gatewaysOf } from '../in-context';

const listed = <V>(values: readonly V[]) => ({
  values,
  has_more: false,
  next_page_token: '',
  total: values.length,
});

const NEITHER = badField(
  '/resource',
  'MISSING_FIELD',
  'is needed, unless `without` says what nobody would gain through',
);

const NO_CONTENTS = badField(
  '/contents',
  'UNKNOWN_FIELD',
  'is no parameter of this question: without a `resource` everything counts',
);

/**
 * Through which groups humans reach a resource, or who would lose what without one, for the
 * parameters of a request (docs/rules.md: Gateways).
 */
export const gatewaysAnswer =
  (context: Context) =>
  (asking: Asking): TE.TaskEither<Failure, GatewayAnswer> =>
    pipe(
      TE.fromEither(queryOf(endpoints.gateways.query, asking)),
      TE.flatMap(({ resource, without, at, ...asked }): TE.TaskEither<Failure, GatewayAnswer> => {
        const questions = gatewaysOf(context);
        const instant = instantOf(at);
        const counted = {
          permissions: anyOf(asked.permission),
          permissionTypes: permissionTypesOf(asked.permission_type),
        };
        if (!resource) {
          if (!without) return TE.left(NEITHER);
          if (asked.contents) return TE.left(NO_CONTENTS);
          return pipe(
            questions.emptied(without, counted, instant),
            TE.map(({ answer: { losers, ...total }, asOf }) => ({
              ...total,
              ...listed(
                losers.map(({ about, losses, ...counts }) => ({
                  ...about,
                  ...counts,
                  losses: losses.map(({ about: of, lost, left }) => ({ ...of, lost, left })),
                })),
              ),
              as_of: asOf,
            })),
          );
        }
        const reached = { resource, contents: isTrue(asked.contents), ...counted };
        return without
          ? pipe(
              questions.without(reached, without, instant),
              TE.map(({ answer: { of, without: gateway, people, losses }, asOf }) => ({
                resource: of,
                without: gateway,
                people,
                ...listed(losses.map(({ about, lost, left }) => ({ ...about, lost, left }))),
                as_of: asOf,
              })),
            )
          : pipe(
              questions.find(reached, instant),
              TE.map(({ answer: { of, people, direct, gateways }, asOf }) => ({
                resource: of,
                people,
                direct,
                ...listed(
                  gateways.map(({ about, people: count }) => ({ ...about, people: count })),
                ),
                as_of: asOf,
              })),
            );
      }),
    );

/** The route of this answer. */
export const gatewaysRoute = ({ question }: Web, context: Context): Route =>
  route({
    ...endpoints.gateways,
    handler: question(gatewaysAnswer(context)),
  });
