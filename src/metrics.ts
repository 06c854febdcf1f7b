import {
  collectDefaultMetrics,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram,
  Registry,
} from 'prom-client';

import { BUILD_FIELDS } from './build';

/** Something that the service counts. A feature declares its counters. */
export interface Counter<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** A figure with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Something that the service measures again each time somebody reads the metrics. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Returns no samples if there is nothing to measure, such as while Neo4j does not answer. */
  readonly read: () => Promise<readonly Sample[]> | readonly Sample[];
}

/** The metrics that Prometheus reads (docs/rules.md: Requests). */
export interface Metrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  /** Counts something that was declared. */
  readonly count: <L extends string>(
    counter: Counter<L>,
    labels: Readonly<Record<L, string>>,
    by?: number,
  ) => void;
  /** Adds something to measure. */
  readonly measure: (gauge: Gauge) => void;
  /** Counts a query that Neo4j has not ended after its limit; the function says that it has. */
  readonly overdue: () => () => void;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * Makes the metrics of a process, with the counters that are declared. With `ofProcess` they include
 * its own memory, CPU and the like.
 */
export const createMetrics = (
  counters: readonly Counter[] = [],
  { ofProcess = true } = {},
): Metrics => {
  const register = new Registry();
  const registers = [register];
  if (ofProcess) collectDefaultMetrics({ register });

  const requests = new Histogram({
    name: 'grantgraph_http_request_seconds',
    help: 'Requests and how long each one lasted.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const counting = new Map(
    counters.map((counter) => {
      const { name, help, labels } = counter;
      return [counter, new PromCounter({ name, help, labelNames: [...labels], registers })];
    }),
  );
  const overdue = new PromGauge({
    name: 'grantgraph_overdue_questions',
    help: 'Queries that Neo4j has not ended after their limit, and that still run.',
    registers,
  });
  new PromGauge({
    name: 'grantgraph_build_info',
    help: 'The build: version, commit, and version of the rules; always 1.',
    labelNames: Object.keys(BUILD_FIELDS),
    registers,
  }).set({ ...BUILD_FIELDS, rules_version: String(BUILD_FIELDS.rules_version) }, 1);

  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    count: (counter, labels, by = 1) => {
      const found = counting.get(counter);
      if (found === undefined) throw new Error(`Nobody declares the counter ${counter.name}.`);
      found.inc(labels, by);
    },
    measure: ({ name, help, labels = [], read }) => {
      new PromGauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          const samples = await read();
          if (labels.length === 0) this.remove();
          else this.reset();
          for (const sample of samples) this.set(sample.labels ?? {}, sample.value);
        },
      });
    },
    overdue: () => {
      overdue.inc();
      return () => overdue.dec();
    },
  };
};

/** How many seconds ago a time was; 0 for `null`. */
export const secondsSince = (time: string | null): number =>
  time === null ? 0 : Math.max(0, (Date.now() - Date.parse(time)) / 1000);
