import type { JSX } from 'preact';

import { visible } from '../../../visible-text';
import { byName, nameOfSource, type SourceOfProvider } from '../overview/overview';

/** Data sources to choose from, by their names. The choice is the id of one. */
export const SourceOptions = ({
  of,
  chosen = '',
}: {
  readonly of: readonly SourceOfProvider[];
  /** The id of the one that is chosen; empty: none is. */
  readonly chosen?: string;
}): JSX.Element => (
  <>
    {byName(of).map((each) => (
      <option key={each.source.id} value={each.source.id} selected={each.source.id === chosen}>
        {visible(nameOfSource(each))}
      </option>
    ))}
  </>
);
