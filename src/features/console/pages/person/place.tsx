import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { EntityPage } from '../../../../contract/answers/questions/entities';
import type { Context } from '../../../../context';
import type { Failure } from '../../../../problem';
import { type About, countAccess } from '../../asking/person';
import { orTooLarge } from '../../asking/too-large';
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

/** How much somebody reaches, for their views; `null` if that is too much to count. */
export const askReached = (context: Context, about: About): TE.TaskEither<Failure, number | null> =>
  pipe(
    orTooLarge(countAccess(context, about), true),
    TE.map((counts) => (typeof counts === 'string' ? null : (counts.all ?? 0))),
  );

/** The links between the views of a person, an account, a group or a role: the same on each of them. */
export const Views = ({
  of: entity,
  view,
  place: { path, written, against, time, only },
  reached,
  seesAll,
}: {
  readonly of: EntityPage;
  readonly view: 'access' | 'members' | 'without' | 'changes';
  readonly place: PersonPlace;
  /** How much can be reached; `null` if nobody could count it. */
  readonly reached: number | null;
  /** Whether the reader may see who would lose what without a group. */
  readonly seesAll: boolean;
}): JSX.Element => {
  const members = membersOf(entity);
  const kept = { at: written, against, only };
  return (
    <ViewLinks
      of={[
        {
          name: 'Access',
          isShown: view === 'access',
          href: address(path, kept),
          ...(reached === null ? {} : { count: reached }),
        },
        ...(members === 0
          ? []
          : [
              {
                name: 'Members',
                isShown: view === 'members',
                href: address(path, { view: 'members', ...kept }),
                count: members,
              },
            ]),
        ...(entity.label.endsWith('Group') && seesAll && members > 0
          ? [
              {
                name: 'If nobody were in it',
                isShown: view === 'without',
                href: address(path, { view: 'without', ...kept }),
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
};
