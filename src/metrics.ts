import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { BUILD_FIELDS } from './build';

/** What the metrics count about a finished push. */
export interface MeasuredPush {
  readonly template: string;
  readonly outcome: 'accepted' | 'unchanged' | 'refused' | 'failed';
  readonly put: Rows;
  readonly removed: Rows;
  /** How many seconds each step lasted, by the step's name. */
  readonly seconds: Readonly<Record<string, number>>;
}

interface Rows {
  readonly nodes: number;
  readonly relationships: number;
}

/** What the service measures again each time somebody reads the metrics. */
export interface Measurable {
  readonly threads: () => { readonly busy: number; readonly waiting: number };
  readonly eventStreams: () => number;
  readonly isGraphUp: () => Promise<boolean>;
  /** `null` if Neo4j does not answer. */
  readonly figures: () => Promise<MeasuredGraph | null>;
}

/** The size of the graph, and when each data source had its last push. */
interface MeasuredGraph {
  readonly nodes: number;
  readonly relationships: number;
  readonly pastFacts: number;
  /** When the first push was whose changes of access are not counted. */
  readonly uncountedSince: string | null;
  /** Providers with policies. */
  readonly policies: readonly {
    readonly provider: string;
    readonly open: number;
    readonly dead: number;
    readonly lastRunAt: string | null;
  }[];
  readonly sources: readonly {
    readonly provider: string;
    readonly dataSource: string;
    readonly lastPushAt: string;
  }[];
}

/** The metrics that Prometheus reads (docs/rules.md: Requests). */
export interface Metrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  readonly push: (push: MeasuredPush) => void;
  readonly import: (reading: string, outcome: string) => void;
  /** Counts an action of a policy. */
  readonly action: (kind: string, outcome: string) => void;
  /** Counts a query that Neo4j has not ended after its limit; the function says that it has. */
  readonly overdue: () => () => void;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * Makes the metrics of a process. With `ofProcess` they include its own memory, CPU and the like.
 */
export const createMetrics = (measurable: Measurable, { ofProcess = true } = {}): Metrics => {
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
  const pushes = new Counter({
    name: 'grantgraph_pushes_total',
    help: 'Pushes by how they ended.',
    labelNames: ['template', 'outcome'],
    registers,
  });
  const imports = new Counter({
    name: 'grantgraph_scim_imports_total',
    help: 'Imports of applications over SCIM by how they read and ended.',
    labelNames: ['reading', 'outcome'],
    registers,
  });
  const written = new Counter({
    name: 'grantgraph_push_written_total',
    help: 'Nodes and relationships that pushes wrote and removed.',
    labelNames: ['template', 'what', 'change'],
    registers,
  });
  const steps = new Counter({
    name: 'grantgraph_push_step_seconds_total',
    help: 'Seconds that accepted pushes spent in each step.',
    labelNames: ['template', 'step'],
    registers,
  });
  const overdue = new Gauge({
    name: 'grantgraph_overdue_questions',
    help: 'Queries that Neo4j has not ended after their limit, and that still run.',
    registers,
  });
  const actions = new Counter({
    name: 'grantgraph_policy_actions_total',
    help: 'Actions of policies in applications by how they ended.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'grantgraph_push_threads_busy',
    help: 'Threads in which a big push runs.',
    registers,
    collect() {
      this.set(measurable.threads().busy);
    },
  });
  new Gauge({
    name: 'grantgraph_pushes_waiting',
    help: 'Big pushes that wait for a thread.',
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
  new Gauge({
    name: 'grantgraph_build_info',
    help: 'The build: version, commit, and version of the rules; always 1.',
    labelNames: Object.keys(BUILD_FIELDS),
    registers,
  }).set({ ...BUILD_FIELDS, rules_version: String(BUILD_FIELDS.rules_version) }, 1);
  measureGraph(registers, measurable.figures);

  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    import: (reading, outcome) => imports.inc({ reading, outcome }),
    action: (kind, outcome) => actions.inc({ kind, outcome }),
    overdue: () => {
      overdue.inc();
      return () => overdue.dec();
    },
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

const GRAPH = [
  ['nodes', 'grantgraph_graph_nodes', 'All nodes in the graph but facts that ended'],
  ['relationships', 'grantgraph_graph_relationships', 'All relationships in the graph'],
  ['pastFacts', 'grantgraph_history_facts', 'Facts that ended and are stored'],
] as const;

const secondsSince = (time: string | null): number =>
  time === null ? 0 : Math.max(0, (Date.now() - Date.parse(time)) / 1000);

const measureGraph = (registers: Registry[], figures: Measurable['figures']): void => {
  for (const [what, name, help] of GRAPH) {
    new Gauge({
      name,
      help: `${help}; absent while Neo4j does not answer.`,
      registers,
      async collect() {
        const graph = await figures();
        if (graph === null) this.remove();
        else this.set(graph[what]);
      },
    });
  }
  new Gauge({
    name: 'grantgraph_access_changes_delay_seconds',
    help: 'How long the first push has waited whose changes of access are not counted; 0 if none waits.',
    registers,
    async collect() {
      const graph = await figures();
      if (graph === null) this.remove();
      else this.set(secondsSince(graph.uncountedSince));
    },
  });
  new Gauge({
    name: 'grantgraph_policy_open_actions',
    help: 'Actions of policies that are not done, by provider; `dead` are given up.',
    labelNames: ['provider', 'state'],
    registers,
    async collect() {
      const graph = await figures();
      this.reset();
      for (const { provider, open, dead } of graph?.policies ?? []) {
        this.set({ provider, state: 'open' }, open);
        this.set({ provider, state: 'dead' }, dead);
      }
    },
  });
  new Gauge({
    name: 'grantgraph_policy_last_run_age_seconds',
    help: 'How long ago the policies of a provider last ran; absent before the first run.',
    labelNames: ['provider'],
    registers,
    async collect() {
      const graph = await figures();
      this.reset();
      for (const { provider, lastRunAt } of graph?.policies ?? []) {
        if (lastRunAt !== null) this.set({ provider }, secondsSince(lastRunAt));
      }
    },
  });
  new Gauge({
    name: 'grantgraph_data_source_last_push_age_seconds',
    help: 'How long ago the last accepted push of a data source was; absent before the first one.',
    labelNames: ['provider', 'data_source'],
    registers,
    async collect() {
      const graph = await figures();
      this.reset();
      for (const { provider, dataSource, lastPushAt } of graph?.sources ?? []) {
        this.set({ provider, data_source: dataSource }, secondsSince(lastPushAt));
      }
    },
  });
};
