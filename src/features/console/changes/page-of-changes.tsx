import type { JSX } from 'preact';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import { counted } from '../parts/counted';
import { Entity } from '../parts/name';
import { PageOf, type Sorting } from '../tables/sorting';

/** How many of the people of a list its page shows, and of the others. */
const shownOf = ({ values, counts }: AccessChangeList): string => {
  const ids = (isPerson: boolean): number =>
    new Set(
      values
        .filter(({ is_person }) => (is_person === true) === isPerson)
        .map(({ human, principal }) => (human ?? principal).id),
    ).size;
  const parts = [
    ...(counts.people === 0
      ? []
      : [`${ids(true).toLocaleString('en')} of ${counted(counts.people, 'person', 'people')}`]),
    ...(counts.others === 0
      ? []
      : [`${ids(false).toLocaleString('en')} of ${counted(counts.others, 'other')}`]),
  ];
  return `${parts.join(' and ')}.`;
};

/** Says how many people of a list a page shows, whose changes go on, and leads to the next page. */
export const PageOfChanges = ({
  of,
  isFirst,
  by,
  principalAddress,
}: {
  readonly of: AccessChangeList;
  readonly isFirst: boolean;
  readonly by: Sorting;
  /** Leads to the changes of one alone. */
  readonly principalAddress: (id: string) => string;
}): JSX.Element => (
  <>
    {of.unfinished === undefined ? null : (
      <p class="note" role="status">
        <Entity of={of.unfinished.of} /> has {counted(of.unfinished.more, 'more change')}, which{' '}
        {of.unfinished.more === 1 ? 'follows' : 'follow'} on the next page.{' '}
        <a href={principalAddress(of.unfinished.of.id)}>All changes of this one</a>
      </p>
    )}
    <PageOf of={of} {...{ isFirst, by }} shown={shownOf(of)} />
  </>
);
