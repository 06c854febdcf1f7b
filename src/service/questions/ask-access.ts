import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Hints } from '../../codec/hints';
import type { AccessGraph, AccessPage, Pair } from '../../graph/questions/access';
import type { AccessRow, Listed, WantedAccess } from '../../graph/questions/access-lists';
import type { Explanation, Hop } from '../../graph/questions/explanation';
import type { Settled } from '../../graph/questions/settled-answer';
import { nodeKinds } from '../../templates/graph/nodes';
import { type Failure, invalid, oneProblem } from '../../problem';
import { ACCESS_ORDERS, type AccessOrder } from '../../translate/questions/access-pages';

export type {
  AccessGraph,
  AccessOrder,
  AccessPage,
  AccessRow,
  Explanation,
  Hop,
  Listed,
  Pair,
  Settled,
  WantedAccess,
};

/** The orders of access lists. */
export const accessOrders = Object.keys(ACCESS_ORDERS) as readonly AccessOrder[];

const LABELS: Readonly<Record<'principal' | 'resource', readonly string[]>> = {
  principal: ['Application', 'Resource'],
  resource: [
    ...new Set([
      'Resource',
      ...nodeKinds
        .filter(({ also }) => also.includes('Principal'))
        .flatMap(({ label, also }) => [label, ...also]),
    ]),
  ].sort(),
};

/**
 * Lists what a principal can reach, or who can reach a resource or application. Refuses a label
 * that no row of the list can have.
 */
export const listAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (
    of: 'principal' | 'resource',
    id: string,
    listed: Listed,
    wanted: WantedAccess,
  ): TE.TaskEither<Failure, Settled<AccessPage>> => {
    const { label } = listed;
    if (label === null || LABELS[of].includes(label)) return access.list(of, id, listed, wanted);
    const guess = new Hints().didYouMean(label, LABELS[of], 1);
    const message = `is none of ${LABELS[of].join(', ')}${guess}`;
    return TE.left(
      invalid('The request is not valid.', oneProblem('/label', 'UNKNOWN_VALUE', message)),
    );
  };

/** Checks whether a principal has a permission on a resource (docs/rules.md: Access answers). */
export const checkAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (pair: Pair): TE.TaskEither<Failure, Settled<boolean>> =>
    pipe(
      access.between(pair),
      TE.map(({ answer, ...settled }) => ({ answer: answer.length > 0, ...settled })),
    );
