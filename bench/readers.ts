import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ApplicationPayload } from '../src/templates/application/payload';
import { applicationPayload } from './application-payload';
import { startChild } from './child';
import type { BenchNeo4j } from './neo4j-server';
import { load, machine } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { median } from './report';
import type { RoundTools } from './round';
import { runYardstick, yardstickOf } from './yardstick';

/** A question of a reader, and the Neo4j that it asks. */
export interface Reading extends Pick<BenchNeo4j, 'uri' | 'user' | 'password' | 'database'> {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The pause between an answer and the next question. */
  readonly pauseMs: number;
}

/**
 * The limits for the 99th percentile: half of that beside the hand-written load, or so many
 * milliseconds.
 */
const MOST_SHARE = 0.5;
const MOST_MS = 100;
const PAUSE_MS = 10;
/** The number of elements of the graph that is read. */
const STANDING = 20_000;
const QUERY = join(__dirname, '../../../cypher/queries/access/who-can-read-a-resource.cypher');

/**
 * The same payload with other people and other tags. So the hand-written load can create its own
 * shared nodes.
 */
const apart = (payload: ApplicationPayload): ApplicationPayload =>
  JSON.parse(
    JSON.stringify(payload)
      .replaceAll('@example.com', '@read.example.com')
      .replaceAll('"value":"', '"value":"read '),
  ) as ApplicationPayload;

/**
 * Starts a reader in another process. The result is a function that stops it and gives the
 * milliseconds of each answer.
 */
const startReader = async (reading: Reading): Promise<() => Promise<readonly number[]>> => {
  const reader = startChild(join(__dirname, 'reader.js'), [JSON.stringify(reading)]);
  await reader.ready;
  return async () => (await reader.stop()) as readonly number[];
};

/** The times of answers beside one sort of load. */
interface Beside {
  readonly took: number[];
  readonly seconds: number[];
}

const told = (name: string, { took, seconds }: Beside): string =>
  `  ${name.padEnd(20)} ${took.length} answers in ${seconds.length} loads of ${median(seconds).toFixed(2)} s, ms: ` +
  `p50 ${quantile(took, 0.5).toFixed(1)}, p99 ${quantile(took, 0.99).toFixed(1)}, most ${quantile(took, 1).toFixed(1)}`;

/**
 * Asks who can read a resource of an existing graph, while another graph is written: by a first
 * push and by a hand-written load, by turns, until there are enough answers of both.
 */
export const measureReaders = async (
  tools: RoundTools & { readonly server: BenchNeo4j },
  { elements, samples, warmups, seed, heap }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { server, connector, graph, driver, database, neo4jPid } = tools;
  const payload = applicationPayload(elements, seed);
  const standing = apart(applicationPayload(STANDING, seed + 1));
  const alone = await connector.register('Alone', 'application');
  await connector.push(await connector.prepare(alone, payload));
  const yardstick = yardstickOf(await graph.read());
  await graph.clear();
  const reading: Omit<Reading, 'parameters'> = {
    uri: server.uri,
    user: server.user,
    password: server.password,
    database,
    // As the graph grows, Neo4j plans a query again at times, which takes a second. This prevents
    // it.
    text: `CYPHER replan=skip\n${await readFile(QUERY, 'utf8')}`,
    pauseMs: PAUSE_MS,
  };
  say(
    `Beside ${elements} elements, on a graph of ${STANDING}; ${machine().processors} processors, Node ${machine().node}, ` +
      `Neo4j heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );

  let round = 0;
  const beside = async (write: () => Promise<number>, noted: Beside): Promise<void> => {
    const source = await connector.register(`Read ${(round += 1)}`, 'application');
    await connector.push(await connector.prepare(source, standing));
    const { records } = await driver.executeQuery(
      'MATCH (r:Resource)<-[:ON]-() RETURN r.key AS key ORDER BY key LIMIT 1',
      {},
      { database },
    );
    const parameters = { resource: records[0]?.get('key') as unknown };
    const stop = await startReader({ ...reading, parameters });
    const [written] = await Promise.allSettled([write()]);
    const took = await stop();
    await graph.clear();
    if (written.status === 'rejected') throw written.reason;
    noted.took.push(...took);
    noted.seconds.push(written.value);
  };
  const push = async (): Promise<number> => {
    const source = await connector.register(`Written ${round}`, 'application');
    return (await connector.push(await connector.prepare(source, payload))).seconds;
  };
  const byHand = async (): Promise<number> =>
    (await runYardstick(driver, database, yardstick)).seconds;
  const [pushes, loads]: [Beside, Beside] = [
    { took: [], seconds: [] },
    { took: [], seconds: [] },
  ];
  for (let turn = 1; Math.min(pushes.took.length, loads.took.length) < samples; turn += 1) {
    await beside(push, pushes);
    await beside(byHand, loads);
    if (turn > warmups) continue;
    for (const { took, seconds } of [pushes, loads]) {
      took.length = 0;
      seconds.length = 0;
    }
  }
  say(told('Beside a first push', pushes));
  say(told('Beside the load', loads));
  const [p99, ofLoad] = [quantile(pushes.took, 0.99), quantile(loads.took, 0.99)];
  const isReached = p99 <= MOST_MS || p99 <= MOST_SHARE * ofLoad;
  say(
    `p99 beside a first push: ${p99.toFixed(1)} ms, ${(p99 / ofLoad).toFixed(2)} of that beside the load ` +
      `(asked: at most ${MOST_SHARE}, or ${MOST_MS} ms) ${isReached ? 'reached' : 'MISSED'}; load ${load()}`,
  );
};
