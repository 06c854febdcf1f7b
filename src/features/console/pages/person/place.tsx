import type { JSX } from 'preact';

import { address, type Parameters } from '../../frame/address';
import type { Moment } from '../../frame/page';
import { ViewLinks } from '../../parts/answer';

/** Where the page of a person is: its path and what its address says besides the view. */
export interface PersonPlace {
  readonly path: string;
  /** The instant as the reader wrote it; of changes, that at which they end. */
  readonly written: string;
  /** `true`: only this node, and not the human to whom it belongs. */
  readonly only: string;
}

/** The links between the views of a person. */
export const Views = ({
  view,
  place: { path, written, only },
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
        href: address(path, { at: written, only }),
        ...(reached === undefined ? {} : { count: reached }),
      },
      ...(members === 0
        ? []
        : [
            {
              name: 'Members',
              isShown: view === 'members',
              href: address(path, { view: 'members', at: written, only }),
              count: members,
            },
          ]),
      ...(isGroup && members > 0
        ? [
            {
              name: 'If nobody were in it',
              isShown: view === 'without',
              href: address(path, { view: 'without', at: written, only }),
            },
          ]
        : []),
      {
        name: 'Gained and lost',
        isShown: view === 'changes',
        href: address(path, { view: 'changes', only, until: written }),
      },
    ]}
  />
);

/** The instant of a page about a person. */
export const momentOf = (
  { path, written }: PersonPlace,
  at: string,
  parameters: Parameters,
): Moment => ({ written, at, path, parameters });
