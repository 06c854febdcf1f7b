import { CONTESTANTS, type Round, type Timed } from './round';

/** The figures of one contestant over all rounds. */
export interface Figures {
  readonly seconds: readonly number[];
  readonly medianSeconds: number;
  readonly elementsPerSecond: readonly number[];
  readonly medianElementsPerSecond: number;
  /** Median seconds by step. */
  readonly steps: Readonly<Record<string, number>>;
  /** Median processor seconds of the client and of Neo4j. */
  readonly processor: Timed['processor'];
}

/** The summary of all rounds. */
export interface Summary {
  readonly elements: number;
  readonly figures: Readonly<Record<Contestant, Figures>>;
  readonly ratios: Readonly<Record<string, { readonly value: number; readonly asked: number }>>;
}

type Contestant = (typeof CONTESTANTS)[number];

const IN_WORDS: Readonly<Record<Contestant, string>> = {
  first: 'first push',
  identical: 'same bytes again',
  again: 'same again, other order',
  changed: '1 % changed, full push',
  increment: '1 % changed, incremental',
  yardstick: 'yardstick, by hand',
  merged: 'the same by MERGE',
};

/** The ratios of seconds that the bench prints, each with the least value that must hold (docs/performance.md: Pushes); 0: none. */
const RATIOS: readonly {
  readonly of: Contestant;
  readonly to: Contestant;
  readonly asked: number;
}[] = [
  { of: 'yardstick', to: 'first', asked: 0.7 },
  { of: 'merged', to: 'first', asked: 0 },
  { of: 'first', to: 'identical', asked: 30 },
  { of: 'first', to: 'again', asked: 4 },
  { of: 'first', to: 'changed', asked: 0 },
  { of: 'first', to: 'increment', asked: 0 },
];

/** The middle value, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
};

const medianOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
};

const figures = (elements: number, runs: readonly Timed[]): Figures => {
  const seconds = runs.map((run) => run.seconds);
  const rates = seconds.map((spent) => Math.round(elements / spent));
  const steps = new Set(runs.flatMap((run) => Object.keys(run.steps)));
  return {
    seconds,
    medianSeconds: median(seconds),
    elementsPerSecond: rates,
    medianElementsPerSecond: median(rates),
    steps: Object.fromEntries(
      [...steps].map((step) => [step, median(runs.map((run) => run.steps[step] ?? 0))]),
    ),
    processor: {
      client: medianOfKnown(runs.map(({ processor }) => processor.client)),
      neo4j: medianOfKnown(runs.map(({ processor }) => processor.neo4j)),
    },
  };
};

/** The medians and ratios of the rounds that count. */
export const summarize = (rounds: readonly Round[]): Summary => {
  const counts = rounds[0]?.counts ?? { nodes: 0, relationships: 0 };
  const elements = counts.nodes + counts.relationships;
  const figuresOf = (name: Contestant): Figures =>
    figures(
      elements,
      rounds.map((round) => round[name]),
    );
  const all = Object.fromEntries(CONTESTANTS.map((name) => [name, figuresOf(name)])) as Record<
    Contestant,
    Figures
  >;
  const ratio = ({ of, to, asked }: (typeof RATIOS)[number]) => [
    `${IN_WORDS[of]} / ${IN_WORDS[to]}`,
    { value: all[of].medianSeconds / all[to].medianSeconds, asked },
  ];
  return {
    elements,
    figures: all,
    ratios: Object.fromEntries(RATIOS.map(ratio)) as Summary['ratios'],
  };
};

const thousands = (value: number): string =>
  Math.round(value).toLocaleString('en-US', { useGrouping: true });

const decimals = (value: number): string => value.toFixed(2);

const aligned = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
};

const line = (name: string, { seconds, elementsPerSecond, ...medians }: Figures) => [
  name,
  thousands(medians.medianElementsPerSecond),
  decimals(medians.medianSeconds),
  seconds.map(decimals).join(' '),
  elementsPerSecond.map(thousands).join(' '),
];

const steps = (name: string, { steps: bySteps, medianSeconds }: Figures): string => {
  const spent = Object.entries(bySteps).map(([step, seconds]) => `${step} ${decimals(seconds)}`);
  const told = Object.values(bySteps).reduce((sum, seconds) => sum + seconds, 0);
  return `${name}: ${spent.join(', ')}, else ${decimals(medianSeconds - told)}`;
};

const worked = (name: string, { processor: { client, neo4j } }: Figures): string =>
  `${name}: client ${client?.toFixed(2) ?? '?'}, Neo4j ${neo4j?.toFixed(2) ?? '?'}`;

const verdict = (value: number, target: number): string =>
  target === 0
    ? decimals(value)
    : `${decimals(value)} (asked: at least ${target}) ${value >= target ? 'reached' : 'MISSED'}`;

/** The summary as lines to print. */
export const table = ({ figures: all, ratios }: Summary): readonly string[] => [
  ...aligned([
    ['', 'elements/s', 'seconds', 'all seconds', 'all elements/s'],
    ...CONTESTANTS.map((name) => line(IN_WORDS[name], all[name])),
  ]),
  '',
  'Median seconds by step',
  ...CONTESTANTS.map((name) => steps(`  ${IN_WORDS[name]}`, all[name])),
  '',
  'Median seconds that processors worked (client: the service, or the loader written by hand)',
  ...CONTESTANTS.map((name) => worked(`  ${IN_WORDS[name]}`, all[name])),
  '',
  'Ratios of median seconds',
  ...Object.entries(ratios).map(
    ([name, { value, asked }]) => `  ${name.padEnd(50)}  ${verdict(value, asked)}`,
  ),
];
