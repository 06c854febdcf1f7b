import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';

import type { PageEnd } from '../../../contract/answers/page';
import { address, type Parameters } from '../frame/address';
import { Reading } from '../frame/reading';
import { dateMeant } from '../words/date-words';
import { UnseenHead } from './table';

/** The order of a table, as its address has it. */
export interface Sorting {
  readonly path: string;
  readonly parameters: Parameters;
  /** Such as `name` or `name desc`. */
  readonly sort: string;
}

/** The head of a column that orders the table; the same again orders it the other way. */
export const SortedBy = ({
  field,
  by: { path, parameters, sort },
  children,
}: {
  readonly field: string;
  readonly by: Sorting;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const [now = '', direction = 'asc'] = sort.split(' ');
  const isNow = now === field;
  const next = isNow && direction === 'asc' ? `${field} desc` : field;
  const order = direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isNow ? order : undefined}>
      <a href={address(path, { ...parameters, sort: next })}>
        {children}
        {isNow ? <span aria-hidden="true">{direction === 'asc' ? ' ↑' : ' ↓'}</span> : null}
      </a>
    </th>
  );
};

/** The heads of a list of access, of people or of resources; its first column is their name. */
export const accessHeads = (first: string, by: Sorting): readonly (string | JSX.Element)[] => [
  <SortedBy key="name" field="name" by={by}>
    {first}
  </SortedBy>,
  'Can',
  'Through',
  'Since',
  <UnseenHead key="more">More</UnseenHead>,
];

/** Days in words as dates: tomorrow _yesterday_ is another day, and the list another list. */
const withDates = (parameters: Parameters, zone: string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      TIMES.includes(name) && typeof value === 'string'
        ? (dateMeant(value, Date.now(), zone) ?? value)
        : value,
    ]),
  );

/** The parameters of pages that name a time. */
const TIMES = ['at', 'against', 'since', 'until'];

/** A page of a list, as answers have it. */
interface ListedPage extends Pick<PageEnd, 'next_page_token'> {
  readonly values: readonly unknown[];
  /** Unset: nobody has counted the list. */
  readonly total?: number;
}

/** Says how much of a list the page shows, and leads on. */
export const PageOf = ({
  of: { values, total, next_page_token: token },
  isFirst,
  by: { path, parameters, sort },
  shown: howMuch,
}: {
  readonly of: ListedPage;
  readonly isFirst: boolean;
  readonly by: Sorting;
  /** How much of the list the page shows, if it does not count rows. */
  readonly shown?: string;
}): JSX.Element | null => {
  const { hide, zone } = useContext(Reading);
  if (isFirst && token === '') return null;
  const shown = values.length;
  const all = { ...parameters, sort };
  return (
    <nav class="pages" aria-label="Pages of the list">
      <p>
        {howMuch ?? (total === undefined ? `${shown} rows.` : `${shown} of ${total} rows.`)}{' '}
        {isFirst ? null : <a href={address(path, all)}>First page</a>}{' '}
        {token === '' ? null : (
          <a rel="next" href={address(path, { ...withDates(all, zone), page: hide(token) })}>
            Next page
          </a>
        )}
      </p>
    </nav>
  );
};
