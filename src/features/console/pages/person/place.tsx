import type { JSX } from 'preact';

import type { EntityPage } from '../../../../contract/answers/questions/entities';
import { address, type Parameters } from '../../frame/address';
import { ViewLinks } from '../../parts/answer';

/** How many are in a group in any way, if the answer says it; else how many are directly in it, or have a role. */
export const membersOf = ({ everybody, members }: EntityPage): number =>
  everybody?.total ?? members.total;

/** Where the page of a person is: its path and what its address says besides the view. */
export interface PersonPlace {
  readonly path: string;
  /** The instant as the reader wrote it; of changes, that at which they end. */
  readonly written: string;
  /** The instant with which the page compares, as the reader wrote it. */
  readonly against: string;
  /** The time of the changes to which the page leads. */
  readonly time: Parameters;
  /** `true`: only this node, and not the human to whom it belongs. */
  readonly only: string;
}

/** The links between the views of a person. */
export const Views = ({
  view,
  place: { path, written, against, time, only },
  reached,
  members = 0,
  isGroup = false,
}: {
  readonly view: 'access' | 'members' | 'without' | 'changes';
  readonly place: PersonPlace;
  /** How much can be reached, if it is known. */
  readonly reached?: number;
  /** How many members there are; 0: it has none, or is no group. */
  readonly members?: number;
  /** Whether it is a group, which could be emptied. */
  readonly isGroup?: boolean;
}): JSX.Element => (
  <ViewLinks
    of={[
      {
        name: 'Access',
        isShown: view === 'access',
        href: address(path, { at: written, against, only }),
        ...(reached === undefined ? {} : { count: reached }),
      },
      ...(members === 0
        ? []
        : [
            {
              name: 'Members',
              isShown: view === 'members',
              href: address(path, { view: 'members', at: written, against, only }),
              count: members,
            },
          ]),
      ...(isGroup && members > 0
        ? [
            {
              name: 'If nobody were in it',
              isShown: view === 'without',
              href: address(path, { view: 'without', at: written, against, only }),
            },
          ]
        : []),
      {
        name: 'Gained and lost',
        isShown: view === 'changes',
        href: address(path, { view: 'changes', only, ...time }),
      },
    ]}
  />
);
