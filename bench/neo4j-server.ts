import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import neo4j, { type Driver } from 'neo4j-driver';

import { startEmbeddedNeo4j } from '../src/embedded/server';
import { storeFolder } from '../src/embedded/store';

/** The Neo4j of all measurements. */
export interface BenchNeo4j {
  readonly uri: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** Its process id; `null` if the bench did not start it. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** Connects to it as a hand-written program does. */
export const connect = ({
  uri,
  user,
  password,
}: Pick<BenchNeo4j, 'uri' | 'user' | 'password'>): Driver =>
  neo4j.driver(uri, password === undefined ? undefined : neo4j.auth.basic(user, password), {
    telemetryDisabled: true,
    notificationFilter: { minimumSeverityLevel: 'OFF' },
  });

/** Uses the Neo4j of `NEO4J_URI`, or starts an embedded one in a folder. */
export const benchNeo4j = async (
  folder: string,
  heap: string,
  progress: (text: string) => void,
): Promise<BenchNeo4j> => {
  const { NEO4J_URI: uri, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE, NEO4J_LINE } = process.env;
  if (uri) {
    return {
      uri,
      user: NEO4J_USER || 'neo4j',
      password: NEO4J_PASSWORD || undefined,
      database: NEO4J_DATABASE || 'neo4j',
      pid: null,
      stop: () => Promise.resolve(),
    };
  }
  const server = await startEmbeddedNeo4j({
    dataFolder: folder,
    boltPort: 0,
    httpPort: 0,
    heap,
    line: NEO4J_LINE === '5.26' || NEO4J_LINE === 'calendar' ? NEO4J_LINE : undefined,
    progress,
  });
  return {
    uri: server.uri,
    user: server.user,
    password: server.password,
    database: 'neo4j',
    pid: await serverPid(storeFolder(folder, server.line)),
    stop: () => server.stop(),
  };
};

/** Reads the process id of the server from its store. */
const serverPid = async (store: string): Promise<number> => {
  const run = JSON.parse(await readFile(join(store, 'run.json'), 'utf8')) as { server: number };
  return run.server;
};
