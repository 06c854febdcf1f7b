import type { Driver } from 'neo4j-driver';

import type { ApplicationPayload } from '../src/templates/application/payload';
import { type Change, changeOf } from './changes';
import type { Connector, PreparedPush, PushAnswer } from './connector';
import { type BenchGraph, countsOf, type Counts, fingerprint } from './contents';
import { processorSeconds } from './machine';
import { Random } from './random';
import { reordered } from './reordered';
import type { ServiceProcess, Steps } from './service-process';
import { runYardstick, type Yardstick, yardstickOf } from './yardstick';

/** One measurement. */
export interface Timed {
  readonly seconds: number;
  readonly steps: Steps;
  /** Processor seconds of the client and of Neo4j meanwhile; `null` if unknown. */
  readonly processor: { readonly client: number | null; readonly neo4j: number | null };
}

/** What a round measures, in this order, on one server. */
export const CONTESTANTS = [
  'first',
  'identical',
  'again',
  'changed',
  'increment',
  'yardstick',
  'merged',
] as const;

/** How often a round repeats a push and a change. The medians count. */
const TIMES = 3;

/**
 * One round: a first push; the same bytes; the same content in another order; 1 % of its rows
 * changed by a full push; another 1 % changed by an increment; and the hand-written load with
 * CREATE and with MERGE.
 */
export interface Round extends Readonly<Record<(typeof CONTESTANTS)[number], Timed>> {
  readonly counts: Counts;
  readonly payloadBytes: number;
  readonly bodyBytes: number;
  readonly warnings: number;
}

/** What rounds work with. */
export interface RoundTools {
  readonly service: ServiceProcess;
  readonly connector: Connector;
  readonly graph: BenchGraph;
  readonly driver: Driver;
  readonly database: string;
  /** The process id of Neo4j; `null` if unknown. */
  readonly neo4jPid: number | null;
}

const since = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before;

/** Runs `work`, and measures the processor seconds that it costs. */
export const metered = async <A>(
  { neo4jPid }: RoundTools,
  client: number,
  work: () => Promise<A>,
): Promise<{ readonly result: A; readonly processor: Timed['processor'] }> => {
  const read = () => Promise.all([processorSeconds(client), processorSeconds(neo4jPid)]);
  const before = await read();
  const result = await work();
  const after = await read();
  return {
    result,
    processor: { client: since(before[0], after[0]), neo4j: since(before[1], after[1]) },
  };
};

const pushed = async (
  tools: RoundTools,
  push: PreparedPush,
): Promise<Timed & { readonly answer: PushAnswer }> => {
  const { connector, service } = tools;
  const { result, processor } = await metered(tools, service.pid, () => connector.push(push));
  const { seconds } = result;
  return { answer: result, seconds, steps: await service.steps(result.push), processor };
};

/** The measurement with the median of the seconds. */
const middle = (timed: readonly Timed[]): Timed =>
  timed.toSorted((a, b) => a.seconds - b.seconds)[timed.length >> 1] as Timed;

/** Measures several times, and gives the measurement with the median. */
const severalTimes = async (once: (number: number) => Promise<Timed>): Promise<Timed> => {
  const timed: Timed[] = [];
  for (let number = 1; number <= TIMES; number += 1) timed.push(await once(number));
  return middle(timed);
};

/** Runs one round on an empty graph, and empties the graph. */
export const runRound = async (
  tools: RoundTools,
  payload: ApplicationPayload,
  name: string,
): Promise<Round> => {
  const { connector, graph, driver, database } = tools;
  const source = await connector.register(name, 'application');
  const push = await connector.prepare(source, payload);

  const { answer, ...first } = await pushed(tools, push);
  const repeated = (repeat: () => Promise<PreparedPush>): Promise<Timed> =>
    severalTimes(async () => {
      const { answer: same, ...timed } = await pushed(tools, await repeat());
      const isSame = same.digest === answer.digest && same.warnings === answer.warnings;
      if (!same.isUnchanged || !isSame) throw new Error('The same was answered otherwise.');
      return timed;
    });
  const identical = await repeated(() => Promise.resolve(push));
  const orders = new Random(push.payloadBytes);
  const again = await repeated(() => connector.prepare(source, reordered(payload, orders)));
  const contents = await graph.read();
  const random = new Random(push.body.length);
  const rows = countsOf(contents).nodes / 100;
  let standing = payload;
  const changeBy = (told: keyof Change): Promise<Timed> =>
    severalTimes(async (number) => {
      const change = changeOf(standing, rows, `${told} ${number}`, random);
      const { answer, ...timed } = await pushed(
        tools,
        await connector.prepare(source, change[told]),
      );
      if (answer.isUnchanged) throw new Error('What was changed was answered as unchanged.');
      standing = change.whole;
      return timed;
    });
  const changed = await changeBy('whole');
  const increment = await changeBy('increment');
  const expected = fingerprint(contents);
  await graph.clear();
  const written = async (yardstick: Yardstick): Promise<Timed> => {
    const { result, processor } = await metered(tools, process.pid, () =>
      runYardstick(driver, database, yardstick),
    );
    if (fingerprint(await graph.read()) !== expected) {
      throw new Error('The yardstick did not write the very same.');
    }
    await graph.clear();
    return { ...result, processor };
  };
  const yardstick = await written(yardstickOf(contents));
  const merged = await written(yardstickOf(contents, 'MERGE'));
  return {
    first,
    identical,
    again,
    changed,
    increment,
    yardstick,
    merged,
    counts: countsOf(contents),
    payloadBytes: push.payloadBytes,
    bodyBytes: push.body.length,
    warnings: answer.warnings,
  };
};
