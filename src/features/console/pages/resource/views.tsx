import type { JSX } from 'preact';

import type { EntityPage } from '../../../../contract/answers/questions/entities';
import { address, changesAddress, type Parameters, resourceAddress } from '../../frame/address';
import { type View, ViewLinks } from '../../parts/answer';

/** The views of the page: who reaches it, through which groups, and what is in it. */
export const VIEWS = ['who', 'through', 'inside'] as const;

/**
 * What narrows changes to what the page counts: the resource, or what is in it too. Others may have an
 * application of the same name, so its data source narrows them too.
 */
export const placeOf = (
  { id, label, name, data_source }: EntityPage,
  contents: boolean,
): Parameters => {
  if (!contents) return { resource: id };
  return label === 'Application'
    ? { application: name, data_source }
    : { resource: id, contents: 'true' };
};

/** The links between the views of a resource or an application: the same on each of them. */
export const ResourceViews = ({
  of: entity,
  view,
  who,
  contents,
  keeping,
  time,
}: {
  readonly of: EntityPage;
  /** The one that the page shows: one of `VIEWS`, or `changes`. */
  readonly view: string;
  /** How many reach it; `null` if the page does not count them. */
  readonly who: number | null;
  /** Whether what is in it counts. */
  readonly contents: boolean;
  /** What the links pass on, such as the instant. */
  readonly keeping: Parameters;
  /** The time of the changes to which they lead. */
  readonly time: Parameters;
}): JSX.Element => {
  const viewOf = (name: string, value: (typeof VIEWS)[number], count: number | null): View => ({
    name,
    isShown: view === value,
    ...(count === null ? {} : { count }),
    href: address(resourceAddress(entity.id), { ...keeping, view: value === 'who' ? '' : value }),
  });
  return (
    <ViewLinks
      of={[
        viewOf('Who', 'who', who),
        viewOf('Through which groups', 'through', null),
        viewOf('What is in it', 'inside', entity.contains.total),
        {
          name: 'Gained and lost',
          isShown: view === 'changes',
          href: changesAddress({ ...placeOf(entity, contents), ...time }),
        },
      ]}
    />
  );
};
