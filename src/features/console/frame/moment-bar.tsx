import type { JSX } from 'preact';

import { HiddenInputs } from '../parts/hidden-inputs';
import { address } from './address';
import type { Moment } from './page';

/** Says about which instant a page is, leads back to now, and shows the page about another one. */
export const MomentBar = ({
  of: { written, at, path, parameters },
}: {
  readonly of: Moment;
}): JSX.Element => (
  <div class={at === '' ? 'moment' : 'moment past'} role="region" aria-label="Instant">
    {at === '' ? (
      <span>
        As of now
        <span class="on-paper">: {new Date().toISOString()}</span>
      </span>
    ) : (
      <span>
        <strong>As of {at}</strong>
        {written === at ? null : ` (${written})`}{' '}
        <a href={address(path, parameters)}>back to now</a>
      </span>
    )}
    <form method="get" action={path}>
      <HiddenInputs of={parameters} />
      <label>
        Show it as of{' '}
        <input
          name="at"
          value={written}
          placeholder="a date, a time or a push"
          size={24}
          autocomplete="off"
          spellcheck={false}
        />
      </label>{' '}
      <button>Show</button>
    </form>
  </div>
);
