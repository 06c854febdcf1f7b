import type { JSX } from 'preact';

import type {
  AccessChangeList,
  ChangeCounts,
} from '../../../contract/answers/questions/access-changes';
import { counted } from '../parts/counted';

const people = (count: number): string => counted(count, 'person', 'people');

/** How many people gained and lost access, as the beginning of a sentence; others after them. */
export const InPeople = ({ of }: { readonly of: ChangeCounts }): JSX.Element => {
  const { people_gained: gained, people_lost: lost, others } = of;
  const some = [
    ...(gained === 0 ? [] : [<b class="gain">{`${people(gained)} gained`}</b>]),
    ...(lost === 0
      ? []
      : [<b class="loss">{`${gained === 0 ? people(lost) : lost.toLocaleString('en')} lost`}</b>]),
  ];
  const nobodys = counted(others, 'other', 'others');
  if (of.people === 0) return <>{`Access of nobody but ${nobodys} changed`}</>;
  return (
    <>
      {some.map((each, at) => (
        <>
          {at > 0 ? ' and ' : ''}
          {each}
        </>
      ))}{' '}
      access{others === 0 ? '' : `, and that of ${nobodys} changed`}
    </>
  );
};

/**
 * The same of a list, which may have nothing. One that is narrowed to what was lost says nothing of what
 * was gained.
 */
export const ChangedFor = ({
  of: { total, counts },
  change = null,
}: {
  readonly of: Pick<AccessChangeList, 'total' | 'counts'>;
  /** The change to which the list is narrowed, if it is. */
  readonly change?: string | null | undefined;
}): JSX.Element => {
  if (total > 0) return <InPeople of={counts} />;
  return (
    <>Nobody {change === 'gained' || change === 'lost' ? change : 'gained or lost'} anything</>
  );
};

/** What the counts of changes count. */
export const PermissionsOf = ({ of }: { readonly of: ChangeCounts }): JSX.Element => (
  <>
    {`${counted(of.gained, 'permission')} gained and ${of.lost.toLocaleString('en')} lost on ${counted(of.resources, 'resource or application', 'resources or applications')}: one for each user, identity, account, group or role that has it. A person is counted once, with all that is theirs; groups, roles, service accounts and what is nobody’s are others.`}
  </>
);
