/** @more restarts */

import type { Driver } from 'neo4j-driver';

import { templates } from '../arbitrary/push-sequence';
import { wholePayload } from '../arbitrary/whole-payload';
import { startServiceProcess, type ServiceProcess } from '../connectors/service-process';
import { Mirror } from '../mirror/mirror';
import { receive } from '../mirror/reception';
import { clearGraph, testDriver } from '../support/neo4j';
import { sized } from '../support/test-size';
import { inCommitOrder } from './commit-order';
import { pushAtOnce, type Taken } from './concurrent-clients';
import type { Stream } from './comparison';
import { differences } from './graph-comparison';
import { pastDifferences } from './past-comparison';
import { expectNoMemoryDiffered } from './same-memory';
import { push, register, type Client } from './service-driver';
import { storedGraph } from './stored-graph';
import { Tally } from './tally';

// What every run of the suite does once; `CONCURRENT_SECONDS=300` goes on in rounds until they are over.
const clients = Number(process.env.CONCURRENT_CLIENTS ?? 8);
const pushes = Number(process.env.CONCURRENT_PUSHES ?? sized(8, 15));
const seconds = Number(process.env.CONCURRENT_SECONDS ?? 0);
const seed = Number(process.env.PROPERTY_SEED ?? 6);
const SETS = 3;

const tally = new Tally({
  pushes: [
    'refused',
    'unchanged',
    'changed',
    'increments accepted',
    'full pushes accepted',
    'committed in another order than dated',
  ],
  compared: ['nodes', 'relationships', 'facts that ended', 'wholes that stand'],
});

let driver: Driver;
let services: readonly ServiceProcess[] = [];

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  // One after the other: both make the schema.
  while (services.length < 2) {
    services = [...services, await startServiceProcess({ TLS: '' })];
  }
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await driver.close();
  const said = services.flatMap((service) => service.printed().split('\n'));
  const failures = said.filter((line) => line.includes('"level":"error"'));
  process.stdout.write(`${tally.toString()}\n${failures.join('\n')}\n`);
});

const clientOf = ({ address, apiKey }: ServiceProcess): Client => ({
  post: async (path, body) => {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  },
});

async function newStreams(client: Client): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  for (const template of templates) {
    const registered = await register(client, template);
    const { data_source_id: id, provider } = registered;
    streams.push({ registered, source: { id, provider, template } });
  }
  return streams;
}

/** The mirror takes the same pushes one after the other, and ends in the same graph: nothing is lost, and nothing left behind. */
async function expectReplayed(taken: readonly Taken[], mirror: Mirror): Promise<void> {
  const inOrder = await inCommitOrder(driver, taken);
  let newest = '';
  for (const { stream, payload, answer } of inOrder) {
    const outcome = mirror.accept(stream.source, payload, answer.at);
    if (!outcome.accepted)
      throw new Error(`${JSON.stringify(outcome)}\n${JSON.stringify(payload)}`);
    expect(answer.unchanged).toBe(outcome.unchanged);
    if (answer.at < newest) tally.count('pushes', 'committed in another order than dated');
    else newest = answer.at;
  }
  const expected = mirror.graph();
  const found = differences(expected, await storedGraph(driver));
  expect(found.slice(0, 12)).toEqual([]);
  // Each fact ended once, with the push that ended it in the order of commits.
  const past = mirror.past();
  expect((await pastDifferences(driver, past)).slice(0, 12)).toEqual([]);
  tally.count('compared', 'facts that ended', past.length);
  tally.count('compared', 'nodes', expected.nodes.length);
  tally.count('compared', 'relationships', expected.relationships.length);
}

/** What each data source holds now, pushed once more as a whole, changes nothing: rows, hashes and digests agree. */
async function expectWholesStand(
  client: Client,
  streams: readonly Stream[],
  mirror: Mirror,
): Promise<void> {
  for (const { registered, source } of streams) {
    const held = mirror.holds(source.id);
    if (held === null) continue;
    const { payload, isExact } = wholePayload(held);
    if (!isExact || receive(held, source, payload).problems.length > 0) continue;
    expect(await push(client, registered, JSON.stringify(payload))).toMatchObject({
      accepted: true,
      unchanged: true,
    });
    tally.count('compared', 'wholes that stand');
  }
}

test(
  'two processes and many clients at once end in the graph that their pushes make one after the other',
  async () => {
    const processes = services.map(clientOf);
    const [client] = processes as [Client, Client];
    const sets: (readonly Stream[])[] = [];
    while (sets.length < SETS) sets.push(await newStreams(client));
    const mirror = new Mirror();
    const end = performance.now() + seconds * 1_000;
    for (let round = 0; round === 0 || performance.now() < end; round += 1) {
      const crowd = { processes, sets, clients, pushes, seed: seed * 10_000 + round };
      const taken = await pushAtOnce(crowd, tally);
      await tally.time('replay and compare', () => expectReplayed(taken, mirror));
      tally.count('pushes', 'rounds');
    }
    await expectWholesStand(client, sets.flat(), mirror);
    const { registered } = sets[0]?.[0] as Stream;
    for (const each of processes) {
      const verified = await each.post(registered.path.replace(/:push$/, ':verify'), {});
      expect(verified.status).toBe(200);
    }
    await expectNoMemoryDiffered(driver);
    expect(tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
