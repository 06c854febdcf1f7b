import type { Round, Timed } from './round';

/** What one contestant did in all rounds. */
export interface Figures {
  readonly seconds: readonly number[];
  readonly medianSeconds: number;
  readonly elementsPerSecond: readonly number[];
  readonly medianElementsPerSecond: number;
  /** Medians by step. */
  readonly steps: Readonly<Record<string, number>>;
  /** Medians of what processors worked for whoever sent the statements and for Neo4j. */
  readonly processor: Timed['processor'];
}

/** What all rounds come to. */
export interface Summary {
  readonly elements: number;
  readonly first: Figures;
  readonly again: Figures;
  readonly yardstick: Figures;
  readonly ratios: {
    /** Rate of a first push by the rate of the yardstick. */
    readonly firstToYardstick: number;
    /** How many times faster the same content again is. */
    readonly againToFirst: number;
  };
}

/** What issue 4 asks of the two ratios. */
export const TARGETS = { firstToYardstick: 0.75, againToFirst: 8 } as const;

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

/** Medians and ratios of the rounds that count. */
export const summarize = (rounds: readonly Round[]): Summary => {
  const counts = rounds[0]?.counts ?? { nodes: 0, relationships: 0 };
  const elements = counts.nodes + counts.relationships;
  const [first, again, yardstick] = (['first', 'again', 'yardstick'] as const).map((name) =>
    figures(
      elements,
      rounds.map((round) => round[name]),
    ),
  ) as [Figures, Figures, Figures];
  return {
    elements,
    first,
    again,
    yardstick,
    ratios: {
      firstToYardstick: yardstick.medianSeconds / first.medianSeconds,
      againToFirst: first.medianSeconds / again.medianSeconds,
    },
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
  `${decimals(value)} (asked: at least ${target}) ${value >= target ? 'reached' : 'MISSED'}`;

/** The summary as lines to print. */
export const table = (summary: Summary): readonly string[] => [
  ...aligned([
    ['', 'elements/s', 'seconds', 'all seconds', 'all elements/s'],
    line('first push', summary.first),
    line('same again, other order', summary.again),
    line('yardstick, by hand', summary.yardstick),
  ]),
  '',
  'Median seconds by step',
  steps('  first push', summary.first),
  steps('  same again', summary.again),
  steps('  yardstick', summary.yardstick),
  '',
  'Median seconds that processors worked (client: the service, or the loader written by hand)',
  worked('  first push', summary.first),
  worked('  same again', summary.again),
  worked('  yardstick', summary.yardstick),
  '',
  `first push / yardstick  ${verdict(summary.ratios.firstToYardstick, TARGETS.firstToYardstick)}`,
  `first push / same again ${verdict(summary.ratios.againToFirst, TARGETS.againToFirst)}`,
];
