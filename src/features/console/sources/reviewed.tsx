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
