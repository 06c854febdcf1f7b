import type { JSX } from 'preact';

import type { Failure } from '../../../problem';
import { visible } from '../../../visible-text';
import type { SourceOfProvider } from '../overview/overview';
import { ProblemList } from '../sources/troubles';
import { PlanForm } from './file-forms';

/** A refusal about which the sender can do something. */
export type Refusal = Extract<Failure, { readonly _tag: 'Invalid' | 'Conflict' | 'TooLarge' }>;

/** Whether the sender of a file can do something about a failure. */
export const isRefusal = (failure: Failure): failure is Refusal =>
  failure._tag === 'Invalid' || failure._tag === 'Conflict' || failure._tag === 'TooLarge';

/** What somebody can do about a refusal, in addition to what its message says. */
const ADVICE: Readonly<Record<Refusal['_tag'], string>> = {
  Invalid: 'Mend the file, and choose it again.',
  Conflict:
    'Choose the file again, and look at its new plan. What needs a confirmation has a box there.',
  TooLarge: 'Push less at once, or use the command line: it sends a file in parts.',
};

/** Why the service refused a file: all problems at once, and the form to choose another one. */
export const RefusedView = ({
  of,
  failure,
  most,
}: {
  readonly of: SourceOfProvider;
  readonly failure: Refusal;
  /** How many problems an answer lists. */
  readonly most: number;
}): JSX.Element => (
  <>
    <h2>Nothing was pushed</h2>
    <p class="note warn" role="alert">
      {visible(failure.message)}
    </p>
    <p>{ADVICE[failure._tag]}</p>
    {failure._tag === 'Invalid' ? (
      <ProblemList of={failure.problems.slice(0, most)} total={failure.total} />
    ) : null}
    <h2>Push a file</h2>
    <PlanForm of={of} />
  </>
);
