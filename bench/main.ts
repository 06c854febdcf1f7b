import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { measureAccess } from './access';
import { applicationPayload } from './application-payload';
import { measureBig } from './big';
import { measureCompany } from './company';
import { Connector } from './connector';
import { measureContainer } from './container';
import { BenchGraph } from './contents';
import { measureDirectory } from './directory';
import { measureHistory, type StagesWith } from './history';
import { measureIncrements } from './increment';
import { measureScopes } from './scopes';
import { load, machine, peakMemory } from './machine';
import { measureLists } from './lists';
import { measureMemory } from './memory';
import { type BenchNeo4j, benchNeo4j, connect } from './neo4j-server';
import { BadOptions, type Options, readOptions, USAGE } from './options';
import { summarize, table } from './report';
import { measureKilledParts, measureParts, partsSettings } from './parts';
import { measureReaders } from './readers';
import { measureReports } from './reports';
import { measurePages } from './pages';
import { measurePolicies, policySettings } from './policies';
import { scimApplication } from './scim-application';
import { type Round, type RoundTools, runRound } from './round';
import { type ServiceProcess, startServiceProcess } from './service-process';
import { measureSteady } from './steady';
import { measureWalks } from './walks';

const RESULTS = join(__dirname, '../../../bench/results');

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The steps that clean up. They run last to first, and all of them run even if one fails. */
const undoing: (() => Promise<unknown>)[] = [];

const undo = async (): Promise<void> => {
  for (const step of undoing.splice(0).reverse()) {
    await step().catch((error: unknown) => say(`Cannot clean up: ${String(error)}`));
  }
};

const describeRound = (name: string, { counts, ...timed }: Round): string => {
  const elements = counts.nodes + counts.relationships;
  const rate = ({ seconds }: { seconds: number }): string =>
    `${seconds.toFixed(2)} s (${Math.round(elements / seconds)}/s)`;
  const { first, identical, again, changed, increment, yardstick, merged } = timed;
  return `${name}: first ${rate(first)}, same bytes ${identical.seconds.toFixed(2)} s, again ${again.seconds.toFixed(2)} s, changed ${changed.seconds.toFixed(2)} s, increment ${increment.seconds.toFixed(2)} s, yardstick ${rate(yardstick)}, by MERGE ${rate(merged)}; load ${load()}`;
};

type Stage = RoundTools & {
  readonly server: BenchNeo4j;
  /** Starts the service once more. */
  readonly startService: (
    more?: Readonly<Record<string, string>>,
    starter?: readonly string[],
  ) => Promise<ServiceProcess>;
};

/** Starts what every measurement needs. */
const prepare = async (
  options: Options,
  kept?: string,
  settings: Readonly<Record<string, string>> = {},
  main?: string,
): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-bench-'));
  undoing.push(() => rm(folder, { recursive: true, force: true }));
  const server = await benchNeo4j(kept ?? join(folder, 'neo4j'), options.heap, say);
  undoing.push(() => server.stop());
  const driver = connect(server);
  undoing.push(() => driver.close());
  const graph = new BenchGraph(driver, server.database);
  if (kept === undefined) {
    await graph.requireEmpty();
    // The data of a Neo4j that the bench started are removed with its folder.
    if (server.pid === null) undoing.push(() => graph.clearAll());
  }
  const startService = async (
    more: Readonly<Record<string, string>> = {},
    starter: readonly string[] = [],
  ): Promise<ServiceProcess> => {
    const home = join(folder, 'service');
    const all = { ...settings, ...more };
    const started = await startServiceProcess(server, home, options.profile, all, starter, main);
    undoing.push(() => started.stop());
    return started;
  };
  const service = await startService();

  return {
    server,
    startService,
    service,
    connector: new Connector(service),
    graph,
    driver,
    database: server.database,
    neo4jPid: server.pid,
  };
};

const measureSpeed = async (options: Options): Promise<void> => {
  const tools = await prepare(options);
  const { server, service, graph } = tools;
  const payload = applicationPayload(options.elements, options.seed);
  const startLoad = load();
  say(`Load before the first round: ${startLoad}`);
  const rounds: Round[] = [];
  for (let number = 1 - options.warmups; number <= options.rounds; number += 1) {
    const name = number < 1 ? `warm-up ${number + options.warmups}` : `round ${number}`;
    const round = await runRound(tools, payload, name);
    say(describeRound(name, round));
    if (number >= 1) rounds.push(round);
  }

  const summary = summarize(rounds);
  const [last] = rounds.slice(-1);
  const result = {
    at: new Date().toISOString(),
    machine: machine(),
    neo4j: { version: await graph.version(), heap: server.pid === null ? null : options.heap },
    load: { before: startLoad, after: load() },
    options,
    counts: last?.counts,
    payloadBytes: last?.payloadBytes,
    bodyBytes: last?.bodyBytes,
    warnings: last?.warnings,
    peakMemoryMib: {
      service: await peakMemory(service.pid),
      neo4j: await peakMemory(server.pid),
    },
    ...summary,
    rounds,
  };
  const { nodes = 0, relationships = 0 } = last?.counts ?? {};
  say('');
  say(
    `${nodes} nodes and ${relationships} relationships, ${((last?.payloadBytes ?? 0) / 1e6).toFixed(1)} MB of JSON, ` +
      `${((last?.bodyBytes ?? 0) / 1e6).toFixed(1)} MB gzipped; ${result.neo4j.version}, Node ${result.machine.node}, ` +
      `${result.machine.processors} processors, load ${result.load.before} to ${result.load.after}`,
  );
  table(summary).forEach(say);
  say(
    `Peak memory: service ${result.peakMemoryMib.service ?? '?'} MiB, Neo4j ${result.peakMemoryMib.neo4j ?? '?'} MiB`,
  );
  await mkdir(RESULTS, { recursive: true });
  const file = join(RESULTS, `${result.at.replace(/[:.]/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  say(`Written to ${file}`);
};

const MEASURES: Readonly<Record<Options['kind'], (options: Options) => Promise<void>>> = {
  speed: measureSpeed,
  big: async (options) => measureBig(await prepare(options), options, say),
  steady: async (options) => measureSteady(await prepare(options), options, say),
  walks: (options) => Promise.resolve(measureWalks(options, say)),
  parts: async (options) => {
    const tools = await prepare(options, undefined, partsSettings(options));
    await (options.kill ? measureKilledParts : measureParts)(tools, options, say);
  },
  pages: async (options) => measurePages(await prepare(options, options.data), options, say),
  access: async (options) => measureAccess(await prepare(options, options.data), options, say),
  container: async (options) => measureContainer(await prepare(options), options, say),
  memory: async (options) => measureMemory(await prepare(options), options, say),
  lists: async (options) => measureLists(await prepare(options), say),
  reports: async (options) => measureReports(await prepare(options, options.data), options, say),
  policies: async (options) => {
    const application = await scimApplication();
    undoing.push(() => application.close());
    const tools = await prepare(options, undefined, policySettings(application));
    await measurePolicies(tools, application, say);
  },
  readers: async (options) => measureReaders(await prepare(options), options, say),
  history: async (options) => {
    const folder = options.data ?? (await mkdtemp(join(tmpdir(), 'grantgraph-bench-history-')));
    try {
      const begin: StagesWith['begin'] = (settings, data) => prepare(options, data, settings);
      await measureHistory({ begin, end: undo }, folder, options, say);
      await undo();
    } finally {
      if (options.data === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
  company: (options) =>
    measureCompany(
      {
        begin: (settings, main) => prepare(options, undefined, settings, main ?? undefined),
        end: undo,
      },
      options,
      say,
    ),
  directory: (options) =>
    measureDirectory(
      { begin: (main) => prepare(options, undefined, {}, main ?? undefined), end: undo },
      options,
      say,
    ),
  increment: (options) =>
    measureIncrements({ begin: (data) => prepare(options, data), end: undo }, options, say),
  scopes: (options) =>
    measureScopes({ begin: (data) => prepare(options, data), end: undo }, options, say),
};

const main = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void undo().then(() => process.exit(130)));
  }
  try {
    const options = readOptions(process.argv.slice(2));
    await MEASURES[options.kind](options);
  } catch (error) {
    const isUsage = error instanceof BadOptions;
    process.stderr.write(
      isUsage
        ? `${error.message}\n${USAGE}\n`
        : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = isUsage ? 2 : 1;
  } finally {
    await undo();
  }
};

void main();
