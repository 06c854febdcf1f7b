import * as TE from 'fp-ts/TaskEither';

import { Hints } from '../../codec/hints/hints';
import type { AccessQuestions } from './access';
import { nodeKinds } from '../../templates/graph/nodes';
import { badField } from '../../problem';

export type { AccessQuestions, AccessPage, ForHuman, PairQuestion } from './access';
export { type AccessRow, type Listed, placeOf, type WantedAccess } from './access-lists';
export type { Explanation } from './explanation/explanation';
export type { Answered } from '../answering/answered';
export type { RowForm } from '../../access/lists/lists';
export { alone, type Subject } from '../humans/subject';
export type { Instant } from '../../model/instant';

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
  ({ list }: AccessQuestions): AccessQuestions['list'] =>
  (of, subject, listed, wanted, at) => {
    const { label } = listed;
    if (label === null || LABELS[of].includes(label)) return list(of, subject, listed, wanted, at);
    const guess = new Hints().didYouMean(label, LABELS[of], 1);
    const message = `is none of ${LABELS[of].join(', ')}${guess}`;
    return TE.left(badField('/label', 'UNKNOWN_VALUE', message));
  };
