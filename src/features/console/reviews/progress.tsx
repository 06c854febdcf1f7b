import type { JSX } from 'preact';

import type { OwnReview } from '../../reviews/reading/contract';

type Numbers = OwnReview['numbers'];

/** How many items need no decision any more, of how many. */
export const Progress = ({ of }: { readonly of: Numbers }): JSX.Element => {
  const done = of.items - of.pending;
  const words = `${done.toLocaleString('en')} of ${of.items.toLocaleString('en')}`;
  return (
    <span class="progress">
      <progress max={Math.max(1, of.items)} value={done} aria-label="Decided" /> {words}
    </span>
  );
};
