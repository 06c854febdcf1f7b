import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { address, type Parameters } from '../frame/address';
import { Reading } from '../frame/reading';

/**
 * Leads to a file for people, and to the file that says what it answers. Without a role one downloads
 * nothing.
 */
export const FileForPeople = ({
  path,
  parameters,
  isAll = true,
}: {
  readonly path: string;
  readonly parameters: Parameters;
  /** Whether the file has all rows that there are. */
  readonly isAll?: boolean;
}): JSX.Element | null =>
  useContext(Reading).seesAll ? (
    <p class="asked">
      <a href={address(path, parameters)}>{isAll ? 'All' : 'These'} rows as CSV</a>
      {' · '}
      <a href={address(path, { ...parameters, about: 'true' })}>what that file answers</a>
    </p>
  ) : null;
