import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { Reading } from '../frame/reading';
import { clockAt } from '../words/time-zone';

/** How much was gained and lost in a period. */
export interface Bar {
  readonly since: string;
  readonly until: string;
  readonly gained: number;
  readonly lost: number;
  /** Whether there were more changes than were counted. */
  readonly isCut: boolean;
}

const [WIDTH, HALF, GAP] = [760, 28, 6];

/** A time to the minute on clocks of a zone. The last instant before a minute is its beginning. */
const minuteIn = (zone: string, time: string): string => {
  const { date, time: clock } = clockAt(Date.parse(time) + 1, zone);
  return `${date} ${clock.slice(0, 5)}`;
};

const inWords = ({ gained, lost, isCut }: Bar): string =>
  `${isCut ? 'more than ' : ''}${gained} gained and ${lost} lost`;

/** How many permissions were gained and lost: a bar for each period, gains above the line, losses below. */
export const Bars = ({
  of,
  counts = '',
  addressOf,
}: {
  readonly of: readonly Bar[];
  /** What a bar counts, in words. */
  readonly counts?: string;
  readonly addressOf: (period: { readonly since: string; readonly until: string }) => string;
}): JSX.Element | null => {
  const { zone } = useContext(Reading);
  const most = Math.max(...of.flatMap(({ gained, lost }) => [gained, lost]), 0);
  if (most === 0) return null;
  const width = WIDTH / of.length;
  const height = (count: number): number => (count === 0 ? 0 : Math.max(3, (count / most) * HALF));
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${WIDTH} ${2 * HALF + 44}`}
      width={WIDTH}
      height={2 * HALF + 44}
      role="group"
      aria-label="Permissions gained and lost over time"
    >
      {of.map((bar, at) => {
        const x = at * width + GAP / 2;
        const wide = width - GAP;
        const { since, until, gained, lost } = bar;
        return (
          <a key={since} href={addressOf({ since, until })}>
            <title>{`${inWords(bar)} from ${minuteIn(zone, since)} to ${minuteIn(zone, until)}, in permissions`}</title>
            <rect class="ground" x={x} y={0} width={wide} height={2 * HALF + 28} />
            <rect
              class="gained"
              x={x}
              y={14 + HALF - height(gained)}
              width={wide}
              height={height(gained)}
            />
            <rect class="lost" x={x} y={14 + HALF} width={wide} height={height(lost)} />
            {gained === 0 ? null : (
              <text x={x + wide / 2} y={10 + HALF - height(gained)} text-anchor="middle">
                {`+${gained}`}
              </text>
            )}
            {lost === 0 ? null : (
              <text x={x + wide / 2} y={26 + HALF + height(lost)} text-anchor="middle">
                {`−${lost}`}
              </text>
            )}
          </a>
        );
      })}
      <line x1={0} x2={WIDTH} y1={14 + HALF} y2={14 + HALF} />
      <text x={0} y={2 * HALF + 42}>
        {minuteIn(zone, of[0]?.since ?? '')}
      </text>
      {counts === '' ? null : (
        <text x={WIDTH / 2} y={2 * HALF + 42} text-anchor="middle">
          {counts}
        </text>
      )}
      <text x={WIDTH} y={2 * HALF + 42} text-anchor="end">
        {minuteIn(zone, of.at(-1)?.until ?? '')}
      </text>
    </svg>
  );
};
