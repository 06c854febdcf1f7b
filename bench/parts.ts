import { setTimeout as sleep } from 'node:timers/promises';

import type { ApplicationPayload } from '../src/templates/application/payload';
import { applicationPayload } from './application-payload';
import { Connector, type PreparedPush, type PushAnswer } from './connector';
import { countsOf, fingerprint } from './contents';
import { load, machine, peakMemory } from './machine';
import { bytesOf, type Options } from './options';
import { otherConstants } from './other-constants';
import { Random } from './random';
import { reordered } from './reordered';
import { median } from './report';
import { metered, type RoundTools, type Timed } from './round';
import type { ServiceProcess } from './service-process';
import { runYardstickInParts, yardstickOf } from './yardstick';

/**
 * LIMIT_TRANSACTION_ROWS for an embedded Neo4j of this heap (docs/rules.md: Chunked pushes). The
 * service does not know the heap, since the bench starts its Neo4j.
 */
const transactionRows = (heap: string): number => Math.floor(bytesOf(heap) / 8192);

/** The settings of a service that takes such pushes. */
export const partsSettings = ({ heap }: Pick<Options, 'heap'>): Readonly<Record<string, string>> =>
  otherConstants({
    LIMIT_BODY_BYTES: 500 * 1024 ** 2,
    LIMIT_JSON_BYTES: 500 * 1024 ** 2,
    LIMIT_TRANSACTION_ROWS: transactionRows(heap),
  });

type Say = (text: string) => void;

/**
 * Times chunked first pushes, the same content in another order, and a hand-written load of the
 * same with a commit for each 10,000 rows. A fresh JVM is slow, so rounds with just enough rows for
 * a chunked push come before.
 */
export const measureParts = async (
  tools: RoundTools,
  options: Options,
  say: Say,
): Promise<void> => {
  const { elements, seed, heap, warmups, rounds } = options;
  tellMachine(tools, options, say);
  const few = Math.ceil(1.1 * transactionRows(heap));
  const ratios: number[] = [];
  for (let number = 1 - warmups; number <= rounds; number += 1) {
    const isWarmUp = number < 1;
    const name = isWarmUp ? `warm-up ${number + warmups}` : `round ${number}`;
    const payload = applicationPayload(isWarmUp ? few : elements, seed + number);
    const ratio = await measureRound(tools, name, payload, options, say);
    if (!isWarmUp) ratios.push(ratio);
  }
  say(`By hand / first push: ${median(ratios).toFixed(2)} (asked: at least 0.75)`);
  say(`${await peaks(tools, tools.service)}; load ${load()}`);
};

/**
 * Kills the service during a chunked first push, starts it again, and waits until it has resumed
 * and finished the push. Then the same content in another order must be `unchanged`, and a
 * verification must find nothing.
 */
export const measureKilledParts = async (
  tools: RoundTools & { readonly startService: () => Promise<ServiceProcess> },
  { elements, seed, ...options }: Options,
  say: Say,
): Promise<void> => {
  tellMachine(tools, options, say);
  const { service, connector } = tools;
  const payload = applicationPayload(elements, seed);
  const source = await connector.register('Killed', 'application');
  const push = await connector.prepare(source, payload);
  say(sizes(push));
  const start = performance.now();
  const seconds = (): string => ((performance.now() - start) / 1000).toFixed(1);
  const answer = connector.push(push).then(
    () => 'an answer',
    () => 'none',
  );
  for (;;) {
    const { pending, status } = await connector.state(source);
    if (status === 'SUCCESS') throw new Error('The push had ended before it was killed.');
    if (pending !== null && pending.done >= pending.total / 2) {
      say(`${seconds()} s: killed with ${pending.done} of ${pending.total} written`);
      break;
    }
    await sleep(100);
  }
  const before = await peaks(tools, service);
  await service.kill();
  say(`${before}; the client got ${await answer}`);
  const next = await tools.startService();
  say(`${seconds()} s: started again`);
  const resumed = new Connector(next);
  while ((await resumed.state(source)).status !== 'SUCCESS') await sleep(100);
  say(`${seconds()} s: finished; ${await peaks(tools, next)}`);
  const other = reordered(payload, new Random(seed));
  const again = await resumed.push(await resumed.prepare(source, other));
  say(
    `The same in another order: ${again.seconds.toFixed(2)} s, ${again.isUnchanged ? 'unchanged' : 'CHANGED'}`,
  );
  say(`${await peaks(tools, next)}; load ${load()}`);
  say(`Verification: ${await resumed.verify(source)} findings`);
};

const tellMachine = ({ neo4jPid }: RoundTools, { heap }: Pick<Options, 'heap'>, say: Say): void =>
  say(
    `${machine().processors} processors, Node ${machine().node}, Neo4j heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );

const sizes = ({ payloadBytes, body }: PreparedPush): string =>
  `${(payloadBytes / 1e6).toFixed(1)} MB of JSON, ${(body.length / 1e6).toFixed(1)} MB gzipped`;

const peaks = async ({ neo4jPid }: RoundTools, { pid }: ServiceProcess): Promise<string> =>
  `Peak memory: service ${(await peakMemory(pid)) ?? '?'} MiB (asked: at most 2048), Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB`;

/**
 * Runs one round on an empty graph, and empties the graph. Gives the seconds of the hand-written
 * load divided by those of the first push.
 */
const measureRound = async (
  tools: RoundTools,
  name: string,
  payload: ApplicationPayload,
  { seed }: Options,
  say: Say,
): Promise<number> => {
  const { connector, graph, driver, database } = tools;
  const source = await connector.register(name, 'application');
  const push = await connector.prepare(source, payload);
  say(`${name}: ${sizes(push)}, load ${load()}`);
  const first = await told(tools, 'first push', push, say);
  const other = reordered(payload, new Random(seed));
  const again = await told(
    tools,
    'the same in another order',
    await connector.prepare(source, other),
    say,
  );
  if (!again.isUnchanged || again.digest !== first.digest) {
    throw new Error('The same content in another order changed something.');
  }
  const contents = await graph.read();
  const { nodes, relationships } = countsOf(contents);
  const expected = fingerprint(contents);
  const yardstick = yardstickOf(contents);
  await graph.clear();
  const { result: byHand, processor } = await metered(tools, process.pid, () =>
    runYardstickInParts(driver, database, yardstick),
  );
  if (fingerprint(await graph.read()) !== expected) {
    throw new Error('The yardstick did not write the very same.');
  }
  await graph.clear();
  const { seconds, steps } = byHand;
  say(
    `  by hand: ${seconds.toFixed(2)} s; nodes ${steps.nodes.toFixed(2)}, relationships ${steps.relationships.toFixed(2)}; ${worked(processor)}`,
  );
  const rate = (taken: number): number => Math.round((nodes + relationships) / taken);
  say(
    `  ${nodes} nodes and ${relationships} relationships: ${rate(first.seconds)}/s, by hand ${rate(seconds)}/s: ${(seconds / first.seconds).toFixed(2)}`,
  );
  return seconds / first.seconds;
};

const told = async (
  tools: RoundTools,
  name: string,
  push: PreparedPush,
  say: Say,
): Promise<PushAnswer> => {
  const { service, connector } = tools;
  const { result: answer, processor } = await metered(tools, service.pid, () =>
    connector.push(push),
  );
  const steps = Object.entries(await service.steps(answer.push));
  say(
    `  ${name}: ${answer.seconds.toFixed(2)} s, ${answer.isUnchanged ? 'unchanged' : 'accepted'}; ` +
      `${steps.map(([step, seconds]) => `${step} ${seconds.toFixed(2)}`).join(', ')}; ${worked(processor)}`,
  );
  return answer;
};

const worked = ({ client, neo4j }: Timed['processor']): string =>
  `processors: client ${client?.toFixed(1) ?? '?'}, Neo4j ${neo4j?.toFixed(1) ?? '?'}`;
