import type { JSX } from 'preact';

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

const inWords = ({ gained, lost, isCut }: Bar): string =>
  `${isCut ? 'more than ' : ''}${gained} gained and ${lost} lost`;

/** When somebody gained and lost: a bar for each period, gains above the line, losses below. */
export const Bars = ({
  of,
  addressOf,
}: {
  readonly of: readonly Bar[];
  readonly addressOf: (period: { readonly since: string; readonly until: string }) => string;
}): JSX.Element | null => {
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
      aria-label="Gains and losses over time"
    >
      {of.map((bar, at) => {
        const x = at * width + GAP / 2;
        const wide = width - GAP;
        const { since, until, gained, lost } = bar;
        return (
          <a key={since} href={addressOf({ since, until })}>
            <title>{`${inWords(bar)} from ${since} to ${until}`}</title>
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
        {of[0]?.since.slice(0, 16).replace('T', ' ')}
      </text>
      <text x={WIDTH} y={2 * HALF + 42} text-anchor="end">
        {of.at(-1)?.until.slice(0, 16).replace('T', ' ')}
      </text>
    </svg>
  );
};
