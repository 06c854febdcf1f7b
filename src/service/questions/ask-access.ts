import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type {
  AccessGraph,
  AccessPage,
  AccessRow,
  Listed,
  Pair,
  WantedAccess,
} from '../../graph/questions/access';
import type { Explanation, Hop } from '../../graph/questions/explanation';
import type { HeldPermission } from '../../graph/questions/summary';
import type { Settled } from '../../graph/questions/settled-answer';
import { nodeKinds } from '../../model/nodes';
import { type Failure, invalid, oneProblem } from '../../problem';
import { ACCESS_ORDERS, type AccessOrder } from '../../translate/access-pages';

export type {
  AccessGraph,
  AccessOrder,
  AccessPage,
  AccessRow,
  Explanation,
  HeldPermission,
  Hop,
  Listed,
  Pair,
  Settled,
  WantedAccess,
};

/** By what lists of access may be ordered. */
export const accessOrders = Object.keys(ACCESS_ORDERS) as readonly AccessOrder[];

const labels: ReadonlySet<string> = new Set([
  'Resource',
  ...nodeKinds
    .filter(({ also }) => also.includes('Principal'))
    .flatMap(({ label, also }) => [label, ...also]),
]);

/** Who can reach a resource or application; of some label alone, if one is given (api.md 7). */
export const accessTo =
  ({ access }: { readonly access: AccessGraph }) =>
  (
    resource: string,
    listed: Listed,
    wanted: WantedAccess,
  ): TE.TaskEither<Failure, Settled<AccessPage>> =>
    listed.label === null || labels.has(listed.label)
      ? access.to(resource, listed, wanted)
      : TE.left(
          invalid(
            'The request is not valid.',
            oneProblem('/label', 'UNKNOWN_VALUE', `is none of ${[...labels].sort().join(', ')}`),
          ),
        );

/** Whether a principal may do something with a resource (api.md 7). */
export const checkAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (pair: Pair): TE.TaskEither<Failure, Settled<boolean>> =>
    pipe(
      access.between(pair),
      TE.map(({ answer, asOf }) => ({ answer: answer.length > 0, asOf })),
    );
