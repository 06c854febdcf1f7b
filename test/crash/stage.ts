import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Driver } from 'neo4j-driver';

import { type LocalNeo4j, startEmbeddedNeo4j } from '../../src/embedded/server';
import { storeFolder } from '../../src/embedded/store';
import { startServiceProcess, type ServiceProcess } from '../connectors/service-process';
import { announceTestNeo4j, clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { BoltProxy } from './bolt-proxy';

/** What the service answered; a status of 0: it ended before it did. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
}

type Method = 'GET' | 'POST' | 'DELETE';

const UNANSWERED: Answered = { status: 0, body: {}, retryAfter: null };
const READY_MILLISECONDS = 60_000;
/** The folder of the store. */
const DATA = 'data';

/** The real service on a Neo4j, either of which can be killed, with a proxy between them. */
export class Stage {
  private neo4j: LocalNeo4j | undefined;
  private running: ServiceProcess | undefined;
  private through: BoltProxy | undefined;
  private direct: Driver | undefined;

  private constructor(
    private readonly folder: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts all, with a Neo4j of its own. */
  static async open(settings: Readonly<Record<string, string>>): Promise<Stage> {
    return Stage.opened(settings, async (stage) => {
      await stage.startNeo4j();
      const { uri, user, password } = stage.server;
      const signIn = password === undefined ? {} : { password };
      announceTestNeo4j({ uri, user, database: 'neo4j', ...signIn });
    });
  }

  /** Empties the tests' Neo4j and starts the service on it. Neo4j has plans there already, and cannot be killed. */
  static async onTestNeo4j(settings: Readonly<Record<string, string>>): Promise<Stage> {
    return Stage.opened(settings, async () => {
      const driver = testDriver();
      await clearGraph(driver);
      await driver.close();
    });
  }

  private static async opened(
    settings: Readonly<Record<string, string>>,
    prepare: (stage: Stage) => Promise<void>,
  ): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'grantgraph-crash-'));
    const stage = new Stage(folder, settings);
    try {
      await prepare(stage);
      stage.through = await BoltProxy.before(testNeo4j().uri);
      stage.direct = testDriver();
      await stage.startService();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get proxy(): BoltProxy {
    if (this.through === undefined) throw new Error('There is no proxy yet.');
    return this.through;
  }

  /** Past the proxy. */
  get driver(): Driver {
    if (this.direct === undefined) throw new Error('There is no driver yet.');
    return this.direct;
  }

  get service(): ServiceProcess {
    if (this.running === undefined) throw new Error('The service does not run.');
    return this.running;
  }

  async startService(): Promise<void> {
    const settings = {
      TLS: '',
      NEO4J_URI: `bolt://127.0.0.1:${this.proxy.port}`,
      ...this.settings,
    };
    this.running = await startServiceProcess(settings);
  }

  /** Kills the service where it is, and what it had sent but Neo4j not received yet is lost. */
  async killService(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.kill();
    await this.proxy.cut();
  }

  async startServiceAgain(): Promise<void> {
    await this.proxy.mend();
    await this.startService();
  }

  /** Kills Neo4j where it is, or stops it; what it had answered but the service not received yet is lost. */
  async killNeo4j(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    process.kill(await this.neo4jPid(), signal);
    await this.server.exited;
    this.neo4j = undefined;
    await this.proxy.cut();
  }

  /** Starts Neo4j on the store that it left; the service finds it by itself. */
  async startNeo4jAgain(): Promise<void> {
    await this.startNeo4j();
    await this.proxy.mend();
    await this.ready();
  }

  /** The process of Neo4j, as its store notes it. */
  async neo4jPid(): Promise<number> {
    const store = storeFolder(join(this.folder, DATA), this.server.line);
    return (JSON.parse(await readFile(join(store, 'run.json'), 'utf8')) as { server: number })
      .server;
  }

  /** Sends a request to the service. */
  async send(method: Method, path: string, body?: unknown): Promise<Answered> {
    const { address, apiKey } = this.service;
    try {
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        body: (await answer.json()) as Readonly<Record<string, unknown>>,
        retryAfter: answer.headers.get('retry-after'),
      };
    } catch (error) {
      // How undici tells of a connection that ended; its errors are of another realm than jest's.
      if ((error as { name?: unknown }).name === 'TypeError') return UNANSWERED;
      throw error;
    }
  }

  /** Waits until the service says that it is ready. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_MILLISECONDS;
    while ((await this.send('GET', '/readyz')).status !== 200) {
      if (performance.now() > deadline) throw new Error(`Not ready:\n${this.service.printed()}`);
      await sleep(100);
    }
  }

  async close(): Promise<void> {
    await this.running?.stop();
    await this.through?.cut();
    await this.direct?.close();
    await this.neo4j?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get server(): LocalNeo4j {
    if (this.neo4j === undefined) throw new Error('Neo4j does not run.');
    return this.neo4j;
  }

  private async startNeo4j(): Promise<void> {
    const line = process.env.NEO4J_LINE;
    this.neo4j = await startEmbeddedNeo4j({
      dataFolder: join(this.folder, DATA),
      // Again where it was.
      boltPort: this.through?.neo4jPort ?? 0,
      httpPort: 0,
      heap: '512m',
      line: line === '5.26' || line === 'calendar' ? line : undefined,
      progress: () => undefined,
    });
  }
}
