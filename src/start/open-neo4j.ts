import type { Config } from '../config';
import { type EmbeddedOptions, type LocalNeo4j, startEmbeddedNeo4j } from '../embedded/server';
import type { Log } from '../log';
import { isLoopback } from '../settings/addresses';
import { type KeptNeo4j, keepNeo4j } from './keep-neo4j';
import type { Stopper } from './stopper';

/** Starts a Neo4j on this machine. */
export type StartNeo4j = (
  options: EmbeddedOptions & { readonly dataFolder: string },
) => Promise<LocalNeo4j>;

/** Where the Neo4j of a service is. */
export interface Neo4jOfService {
  readonly uri: string;
  /** The address of Neo4j Browser; undefined if the service did not start Neo4j. */
  readonly httpAddress: string | undefined;
  /**
   * The command that deletes Neo4j's data once it is stopped; undefined if the service did not
   * start Neo4j.
   */
  readonly resetCommand: string | undefined;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
}

const localNeo4j = (
  { data, neo4j, embedded }: Config,
  start: StartNeo4j,
  log: Log,
): Promise<KeptNeo4j> => {
  // A Neo4j that is started again has the same ports.
  let ports = { boltPort: embedded.boltPort, httpPort: embedded.httpPort };
  return keepNeo4j(async () => {
    const started = await start({
      dataFolder: data.folder,
      ...ports,
      heap: embedded.heap,
      aotCache: embedded.aotCache,
      password: neo4j.password,
      progress: (text) => log.info(text),
      note: (text) => log.info(text),
    });
    ports = {
      boltPort: Number(new URL(started.uri).port),
      httpPort: Number(new URL(started.httpAddress).port),
    };
    return started;
  }, log);
};

/**
 * The Neo4j that NEO4J_URI names. Without it, the service starts one, and restarts it when it ends.
 */
export const openNeo4j = async (
  config: Config,
  start: StartNeo4j = startEmbeddedNeo4j,
  log: Log,
  started: Stopper,
): Promise<Neo4jOfService> => {
  const { uri, user, password, database } = config.neo4j;
  if (uri !== undefined) {
    return { uri, user, password, database, httpAddress: undefined, resetCommand: undefined };
  }
  const local = await localNeo4j(config, start, log);
  started.add(local.stop);
  const { first } = local;
  const { httpAddress, resetCommand } = first;
  return {
    uri: first.uri,
    user: first.user,
    password: first.password,
    database,
    httpAddress,
    resetCommand,
  };
};

/**
 * The settings with the address of Neo4j Browser: that of the Neo4j that the service started, if no
 * setting names another one and only people at this machine reach the service.
 */
export const withNeo4jBrowser = (
  config: Config,
  { httpAddress }: Pick<Neo4jOfService, 'httpAddress'>,
): Config =>
  config.console.neo4jBrowserUrl !== undefined ||
  httpAddress === undefined ||
  !isLoopback(config.http.host)
    ? config
    : { ...config, console: { ...config.console, neo4jBrowserUrl: `${httpAddress}/browser` } };
