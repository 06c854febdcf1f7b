import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How a push ended, as far as it is counted. */
export interface MeasuredPush {
  readonly template: string;
  readonly outcome: 'accepted' | 'unchanged' | 'refused' | 'failed';
  readonly put: Rows;
  readonly removed: Rows;
  /** By step. */
  readonly seconds: Readonly<Record<string, number>>;
}

interface Rows {
  readonly nodes: number;
  readonly relationships: number;
}

/** What is looked at when somebody asks for the metrics. */
export interface Measurable {
  readonly threads: () => { readonly busy: number; readonly waiting: number };
  readonly eventStreams: () => number;
  readonly isGraphUp: () => Promise<boolean>;
}

/** What Prometheus is told (api.md 7). */
export interface Metrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  readonly push: (push: MeasuredPush) => void;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The metrics of a process; its own memory and the like are among them only when `ofProcess` says so. */
export const createMetrics = (measurable: Measurable, { ofProcess = true } = {}): Metrics => {
  const register = new Registry();
  const registers = [register];
  if (ofProcess) collectDefaultMetrics({ register });

  const requests = new Histogram({
    name: 'grantgraph_http_request_seconds',
    help: 'Requests and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const pushes = new Counter({
    name: 'grantgraph_pushes_total',
    help: 'Pushes by how they ended.',
    labelNames: ['template', 'outcome'],
    registers,
  });
  const written = new Counter({
    name: 'grantgraph_push_written_total',
    help: 'Nodes and relationships that pushes put and removed.',
    labelNames: ['template', 'what', 'change'],
    registers,
  });
  const steps = new Counter({
    name: 'grantgraph_push_step_seconds_total',
    help: 'Seconds that accepted pushes spent in each step.',
    labelNames: ['template', 'step'],
    registers,
  });
  new Gauge({
    name: 'grantgraph_push_threads_busy',
    help: 'Threads in which a large push runs.',
    registers,
    collect() {
      this.set(measurable.threads().busy);
    },
  });
  new Gauge({
    name: 'grantgraph_pushes_waiting',
    help: 'Large pushes that wait for a thread.',
    registers,
    collect() {
      this.set(measurable.threads().waiting);
    },
  });
  new Gauge({
    name: 'grantgraph_event_streams',
    help: 'Live streams of events that are open.',
    registers,
    collect() {
      this.set(measurable.eventStreams());
    },
  });
  new Gauge({
    name: 'grantgraph_neo4j_up',
    help: 'Whether Neo4j answers.',
    registers,
    async collect() {
      this.set((await measurable.isGraphUp()) ? 1 : 0);
    },
  });

  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    push: ({ template, outcome, put, removed, seconds }) => {
      pushes.inc({ template, outcome });
      for (const [change, rows] of [
        ['put', put],
        ['removed', removed],
      ] as const) {
        written.inc({ template, what: 'nodes', change }, rows.nodes);
        written.inc({ template, what: 'relationships', change }, rows.relationships);
      }
      for (const [step, spent] of Object.entries(seconds)) steps.inc({ template, step }, spent);
    },
  };
};
