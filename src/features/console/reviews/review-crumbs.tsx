import type { JSX } from 'preact';
import { REVIEWS } from './words';

/** Leads back to the list of reviews. */
export const ReviewCrumbs = (): JSX.Element => (
  <p class="crumbs">
    <a href={REVIEWS}>Reviews</a>
  </p>
);

/** Why the last step was refused. */
export const Refused = ({ of }: { readonly of: string | null }): JSX.Element | null =>
  of === null ? null : (
    <p class="note danger" role="alert">
      {of}
    </p>
  );
