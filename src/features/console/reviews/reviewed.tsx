import type { JSX } from 'preact';

import type { ReviewedApplication } from '../../reviews/reading/contract';
import { visible } from '../../../visible-text';
import { Name } from '../parts/name';
import { Time } from '../parts/time';

/** When the applications of a data source were reviewed last: green, yellow or red, and why. */
export const Reviewed = ({
  of,
}: {
  readonly of: ReviewedApplication | undefined;
}): JSX.Element | null =>
  of === undefined ? null : (
    <span
      class={of.status === 'green' ? undefined : 'loss'}
      title={of.why.length === 0 ? undefined : `${visible(of.name)}: ${of.why.join('; ')}`}
    >
      {of.status}: <Name>{of.name}</Name>,{' '}
      {of.last_reviewed === null ? 'never' : <Time of={of.last_reviewed} />}
    </span>
  );

/** When an application was reviewed last, when it is due again, who owns the review, and what is wrong. */
export const ReviewOfApplication = ({
  of: { status, last_reviewed, next_due, owner, why },
}: {
  readonly of: ReviewedApplication;
}): JSX.Element => (
  <>
    <span class={status === 'green' ? undefined : 'loss'}>{status}</span>
    {last_reviewed === null ? (
      ', never'
    ) : (
      <>
        , <Time of={last_reviewed} />
      </>
    )}
    {next_due === null ? null : (
      <>
        ; due again <Time of={next_due} />
      </>
    )}
    {owner === null ? null : (
      <>
        ; <Name>{owner.name ?? owner.alias}</Name> owns the review
      </>
    )}
    {why.length === 0 ? null : <>: {why.join('; ')}</>}
  </>
);
