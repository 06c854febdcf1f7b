import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { visible } from '../../../visible-text';
import { Reading, useAddresses } from '../frame/reading';
import { DAY_MILLISECONDS } from '../overview/days';
import { clockAt } from '../words/time-zone';

/** An instant to the minute or second, in the reader's time zone; its title has it exactly. */
export const Time = ({
  of,
  isToSecond = false,
  zone: given,
}: {
  readonly of: string | null | undefined;
  readonly isToSecond?: boolean;
  /** The time zone of the reader; needed only outside the content of a page. */
  readonly zone?: string;
}): JSX.Element | null => {
  const reading = useContext(Reading);
  const zone = given ?? reading.zone;
  if (of === null || of === undefined) return null;
  const { date, time } = clockAt(Date.parse(of), zone);
  return (
    <time dateTime={of} title={of}>
      {date}
      <span class="hour"> {time.slice(0, isToSecond ? 8 : 5)}</span>
    </time>
  );
};

/** Words for a time that has passed, by the days that it lasts at least. */
const AGES: readonly (readonly [least: number, days: number, unit: string])[] = [
  [730, 365, 'years'],
  [61, 30.4, 'months'],
  [14, 7, 'weeks'],
  [2, 1, 'days'],
];

/** How long ago an instant is, in words. Days are those of a time zone. */
export const agoInWords = (of: string, now: number, zone: string): string => {
  const dayOf = (at: number): number => Date.parse(clockAt(at, zone).date) / DAY_MILLISECONDS;
  const days = dayOf(now) - dayOf(Date.parse(of));
  const [, each = 1, unit = ''] = AGES.find(([least]) => days >= least) ?? [];
  if (unit !== '') return `${Math.floor(days / each)} ${unit} ago`;
  return days === 1 ? 'yesterday' : 'today';
};

/** How long ago an instant is; its title has the instant exactly. */
export const Ago = ({ of }: { readonly of: string | null | undefined }): JSX.Element | null => {
  const { zone } = useContext(Reading);
  return of === null || of === undefined ? null : (
    <time dateTime={of} title={of}>
      {agoInWords(of, Date.now(), zone)}
    </time>
  );
};

/** Since when something is so, and the push that brought it. */
export const Since = ({
  of,
  push,
}: {
  readonly of: string | null;
  readonly push: string | null;
}): JSX.Element | null =>
  of === null ? null : (
    <>
      <Time of={of} />
      {push === null ? null : <Push id={push} />}
    </>
  );

/** A push by the beginning of its id, as a link to what it changed; its title has all of it. */
export const Push = ({ id }: { readonly id: string }): JSX.Element => {
  const href = useAddresses().push(id);
  const code = <code title={visible(id)}>{visible(id.slice(0, 8))}</code>;
  return (
    <span class="quiet">
      {' push '}
      {href === null ? code : <a href={href}>{code}</a>}
    </span>
  );
};
