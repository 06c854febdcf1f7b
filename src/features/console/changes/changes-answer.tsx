import type { JSX } from 'preact';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { DayOfChanges, TimeOfPushes } from '../overview/overview';
import { Answer } from '../parts/answer';
import { counted } from '../parts/counted';
import { Time } from '../parts/time';
import { FROM_BEGINNING, ONLY_INSTANTS } from '../words/causes';
import { ChangedFor } from './changed-people';

/** How many people gained and lost access in a time, in one sentence. */
export const ChangesInWords = ({
  of: { total, counts, from, to, from_beginning },
  change = null,
  more,
}: {
  /** The change to which the list is narrowed, if it is. */
  readonly change?: string | null | undefined;
  readonly of: Pick<AccessChangeList, 'total' | 'counts' | 'from' | 'to' | 'from_beginning'>;
  /** What more a reader must know. */
  readonly more: JSX.Element | null;
}): JSX.Element => (
  <Answer more={more}>
    <ChangedFor of={{ total, counts }} change={change} /> between <Time of={from} /> and{' '}
    <Time of={to} />.{from_beginning === true ? ` ${FROM_BEGINNING}` : ''}
    {total === 0 ? ` ${ONLY_INSTANTS}` : ''}
  </Answer>
);

/** How many pushes of some days nobody has counted. */
export const uncountedIn = (days: readonly DayOfChanges[]): number =>
  days.reduce((sum, { uncounted }) => sum + uncounted, 0);

/** How many permissions the pushes of some days gave and took, as far as they are counted. */
export const permissionsIn = (
  days: readonly DayOfChanges[],
): Readonly<Record<'gained' | 'lost', number>> => ({
  gained: days.reduce((sum, { gained }) => sum + gained, 0),
  lost: days.reduce((sum, { lost }) => sum + lost, 0),
});

/** The most people whose access one push of some days changed; 0 if a push does not say how many. */
const mostPeopleOf = (days: readonly DayOfChanges[]): number =>
  days.some(({ people }) => people === null)
    ? 0
    : Math.max(...days.map(({ people }) => people ?? 0));

/**
 * What pushes changed in a time, in one sentence, if the people are not counted. It says why, unless
 * the page says that elsewhere.
 */
export const PushesInWords = ({
  of: days,
  time: { from, to },
  isUnasked,
  more,
}: {
  readonly of: readonly DayOfChanges[];
  readonly time: TimeOfPushes;
  /** Whether the people would be counted with the list, for which nobody has asked yet. */
  readonly isUnasked: boolean;
  /** What more a reader must know. */
  readonly more: JSX.Element | null;
}): JSX.Element => {
  const { gained, lost } = permissionsIn(days);
  const uncounted = uncountedIn(days);
  const people = mostPeopleOf(days);
  const between = (
    <>
      between <Time of={from} /> and <Time of={to} />
    </>
  );
  const notCounted = `${uncounted === 1 ? 'one push is' : `${uncounted.toLocaleString('en')} pushes are`} not counted`;
  if (gained + lost === 0) {
    return (
      <Answer more={more}>
        How many people gained or lost access {between} is not known: {notCounted}.
      </Answer>
    );
  }
  return (
    <Answer
      more={
        more ??
        (uncounted === 0 && people > 0
          ? `One of these pushes changed the access of ${counted(people, 'person', 'people')}. None changed that of more.`
          : null)
      }
    >
      Pushes {between} gave <b class="gain">{counted(gained, 'permission')}</b> and took{' '}
      <b class="loss">{lost.toLocaleString('en')}</b>.
      {uncounted > 0
        ? ` How many people gained or lost access is not known: ${notCounted}.`
        : isUnasked
          ? ' How many people gained or lost access is counted with the list.'
          : ''}
    </Answer>
  );
};
