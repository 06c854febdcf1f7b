import { transactionMemory } from '../configuration';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { storedSecret } from '../../secrets/stored-secret';
import { docker } from './docker';
import { CALENDAR } from '../line';
import { freePort } from '../port';
import { isAlive } from '../process-state';
import { awaitAnswer } from '../readiness';
import type { EmbeddedOptions, LocalNeo4j } from '../server';
import { StartFailure } from '../start-failure';

/** The image of the newest line's Community edition. */
export const NEO4J_IMAGE = `neo4j:${CALENDAR.version}-community`;

const READY_SECONDS = 600;

/** The label of a container that holds the id of the process that started it. */
const SERVICE_LABEL = 'grantgraph.service';

/** The settings of one container. */
interface ContainerSettings {
  /** The name of the container, and of the volume with its data. */
  readonly name: string;
  readonly boltPort: number;
  readonly httpPort: number;
  readonly heap: string;
}

/** The arguments of `docker run` for a Neo4j whose data stay in a named volume. */
export const containerArguments = (settings: ContainerSettings): readonly string[] => {
  const { name, boltPort, httpPort, heap } = settings;
  return [
    'run',
    '--rm',
    '--detach',
    `--name=${name}`,
    `--label=${SERVICE_LABEL}=${process.pid}`,
    `--publish=127.0.0.1:${boltPort}:7687`,
    `--publish=127.0.0.1:${httpPort}:7474`,
    `--volume=${name}:/data`,
    // The password comes from the environment of the docker command, so the process list does not
    // show it.
    '--env=NEO4J_AUTH',
    `--env=NEO4J_server_bolt_advertised__address=127.0.0.1:${boltPort}`,
    `--env=NEO4J_server_memory_heap_initial__size=${heap}`,
    `--env=NEO4J_server_memory_heap_max__size=${heap}`,
    `--env=NEO4J_db_memory_transaction_max=${transactionMemory(heap)}`,
    '--env=NEO4J_server_memory_pagecache_size=256m',
    '--env=NEO4J_dbms_usage__report_enabled=false',
    '--env=NEO4J_client_allow__telemetry=false',
    '--env=NEO4J_server_fleet__discovery_enabled=false',
    '--env=NEO4J_browser_remote__content__hostname__whitelist=guides.neo4j.com,localhost,127.0.0.1',
    NEO4J_IMAGE,
  ];
};

/**
 * Starts Neo4j Community in a container, on machines with Docker but without Java or Maven. Rejects
 * with a StartFailure.
 */
export const startContainerNeo4j = async (
  options: EmbeddedOptions & { readonly dataFolder: string },
): Promise<LocalNeo4j> => {
  const dataFolder = resolve(options.dataFolder);
  const folderHash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const name = `grantgraph-neo4j-${folderHash}`;
  await removeLeftover(name);
  const boltPort = await freePort(options.boltPort, 'NEO4J_BOLT_PORT');
  const httpPort = await freePort(options.httpPort, 'NEO4J_HTTP_PORT');
  const password = options.password ?? (await storedSecret(dataFolder, 'neo4j-password'));
  options.progress(`Starting ${NEO4J_IMAGE} in a container (its image is pulled once) …`);
  try {
    const settings = { name, boltPort, httpPort, heap: options.heap };
    await docker(containerArguments(settings), { NEO4J_AUTH: `neo4j/${password}` });
  } catch (error) {
    throw new StartFailure('container-failed', `Docker could not start Neo4j: ${messageOf(error)}`);
  }
  const stop = async () => {
    await docker(['stop', '--time=30', name]);
  };
  const uri = `bolt://127.0.0.1:${boltPort}`;
  try {
    const signal = AbortSignal.timeout(READY_SECONDS * 1000);
    await awaitAnswer({ uri, user: 'neo4j', password }, signal);
  } catch (error) {
    const log = await docker(['logs', '--tail=15', name]).catch(messageOf);
    await stop().catch(() => undefined);
    if (error instanceof StartFailure) throw error;
    throw new StartFailure('container-failed', `Neo4j in the container did not answer:\n${log}`);
  }
  return {
    uri,
    httpAddress: `http://127.0.0.1:${httpPort}`,
    user: 'neo4j',
    password,
    line: CALENDAR.name,
    version: CALENDAR.version,
    resetCommand: `docker volume rm ${name} && rm -r "${options.dataFolder}"`,
    exited: docker(['wait', name]).catch(() => undefined),
    stop,
  };
};

/** Removes the container that a killed service left behind. The volume with its data remains. */
async function removeLeftover(name: string): Promise<void> {
  const format = `{{index .Config.Labels "${SERVICE_LABEL}"}}`;
  const service = Number(await docker(['inspect', '--format', format, name]).catch(() => NaN));
  if (Number.isNaN(service)) return;
  if (await isAlive(service)) {
    throw new StartFailure(
      'store-locked',
      `The container ${name} is in use by the Grantgraph of process ${service}. Stop that one, or choose another DATA_DIR.`,
    );
  }
  await docker(['rm', '--force', name]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
