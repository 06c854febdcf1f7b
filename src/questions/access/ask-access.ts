import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Hints } from '../../codec/hints/hints';
import type { AccessGraph, AccessPage, AccessQuestions, ForHuman, PairQuestion } from './access';
import { type AccessRow, type Listed, placeOf, type WantedAccess } from './access-lists';
import type { Explanation } from './explanation/explanation';
import { alone, type Subject } from '../humans/subject';
import type { Settled } from '../answering/settled-answer';
import type { Instant } from '../../model/instant';
import { nodeKinds } from '../../templates/graph/nodes';
import { badField, type Failure } from '../../problem';
import { ACCESS_ORDERS, type AccessOrder, type RowForm } from '../statements/access-pages';

export type {
  AccessGraph,
  AccessOrder,
  AccessPage,
  AccessRow,
  Explanation,
  ForHuman,
  Instant,
  Listed,
  PairQuestion,
  RowForm,
  Settled,
  Subject,
  WantedAccess,
};
export { alone, placeOf };

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

/** The questions about an instant, or about now if it is `null`. */
const asOf = (access: AccessGraph, at: Instant | null): AccessQuestions =>
  at === null ? access : access.at(at);

/**
 * Lists what a principal can reach, or who can reach a resource or application. Refuses a label
 * that no row of the list can have.
 */
export const listAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (
    of: 'principal' | 'resource',
    subject: Subject,
    listed: Listed,
    wanted: WantedAccess,
    at: Instant | null,
  ): TE.TaskEither<Failure, Settled<AccessPage>> => {
    const { label } = listed;
    if (label === null || LABELS[of].includes(label))
      return asOf(access, at).list(of, subject, listed, wanted);
    const guess = new Hints().didYouMean(label, LABELS[of], 1);
    const message = `is none of ${LABELS[of].join(', ')}${guess}`;
    return TE.left(badField('/label', 'UNKNOWN_VALUE', message));
  };

/** Checks whether a principal has a permission on a resource (docs/rules.md: Access answers). */
export const checkAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (pair: PairQuestion, at: Instant | null): TE.TaskEither<Failure, Settled<ForHuman<boolean>>> =>
    pipe(
      asOf(access, at).between(pair),
      TE.map(({ answer, ...settled }) => ({
        answer: { ...answer, found: answer.found.length > 0 },
        ...settled,
      })),
    );

/** Explains why a principal can reach a resource (docs/rules.md: Access answers). */
export const explainAccess =
  ({ access }: { readonly access: AccessGraph }) =>
  (
    pair: PairQuestion,
    at: Instant | null,
  ): TE.TaskEither<Failure, Settled<ForHuman<Explanation>>> =>
    asOf(access, at).explain(pair);
