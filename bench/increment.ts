import { applicationPayload } from './application-payload';
import type { PreparedPush } from './connector';
import { countHits } from './hit-count';
import { type Heat, hotDirectory, hotIncrements, hotPayload } from './hot-payload';
import { fillGraph, pushOnce } from './large-graph';
import { load, processorSeconds } from './machine';
import type { BenchNeo4j } from './neo4j-server';
import type { Options } from './options';
import { quantile } from './probe';
import type { RoundTools } from './round';

/** What a measurement runs on. */
export type Stage = RoundTools & { readonly server: BenchNeo4j };

/** Starts a Neo4j and a service, with the graph of the folder `data` if one is given. */
export interface Stages {
  begin(data: string | undefined): Promise<Stage>;
  end(): Promise<void>;
}

/** The increments to one data source in one graph. */
interface Case {
  readonly name: string;
  readonly heat: Heat;
  readonly pushes: readonly PreparedPush[];
}

const SMALL_ELEMENTS = 10_000;
/** How many of these elements the hot application has. */
const OF_THE_HOT_ONE = 3000;
const SOME: Heat = { tagged: 1000, statements: 100 };
const MANY: Heat = { tagged: 50_000, statements: 5000 };

const MOST_RATIO = 1.5;
const WARM_PUSHES = 60;
const PUSHES = 100;

const prepareCase = async (
  stage: Stage,
  name: string,
  heat: Heat,
  say: (text: string) => void,
): Promise<Case> => {
  const told = `${heat.tagged} tagged, ${heat.statements} statements`;
  await pushOnce(
    stage,
    `Hot directory, ${told}`,
    'identity_provider',
    () => hotDirectory(heat),
    say,
  );
  const source = await pushOnce(stage, `Hot, ${told}`, 'application', () => hotPayload(heat), say);
  const { connector } = stage;
  const pushes = await Promise.all(
    hotIncrements(heat).map((payload) => connector.prepare(source, payload)),
  );
  return { name, heat, pushes };
};

/** The cost of the increments of a case. */
interface Taken {
  readonly seconds: readonly number[];
  /** Processor seconds of the service and of Neo4j for each increment; `null` if unknown. */
  readonly worked: number | null;
  /** Neo4j's store accesses for each of the two increments. */
  readonly hits: readonly number[];
}

/** Pushes the increments of all cases by turns, so that the machine is the same for all. */
const measured = async (stage: Stage, cases: readonly Case[]): Promise<readonly Taken[]> => {
  const { service, neo4jPid, connector, server } = stage;
  const worked = async (): Promise<number> => {
    const seconds = await Promise.all([service.pid, neo4jPid].map(processorSeconds));
    return seconds.reduce<number>((sum, each) => sum + (each ?? NaN), 0);
  };
  const taken = cases.map(() => ({ seconds: [] as number[], worked: 0 }));
  for (let at = 0; at < WARM_PUSHES + PUSHES; at += 1) {
    for (const [index, { pushes }] of cases.entries()) {
      const push = pushes[at % pushes.length] as PreparedPush;
      const before = await worked();
      const { seconds, isUnchanged } = await connector.push(push);
      if (isUnchanged) throw new Error('An increment changed nothing.');
      const after = await worked();
      if (at < WARM_PUSHES) continue;
      taken[index]?.seconds.push(seconds);
      (taken[index] as { worked: number }).worked += (after - before) / PUSHES;
    }
  }
  const all: Taken[] = [];
  for (const [index, { pushes, heat }] of cases.entries()) {
    const { seconds, worked: sum } = taken[index] as { seconds: number[]; worked: number };
    const [push] = pushes;
    const hits = await countHits(server, (push as PreparedPush).source, hotIncrements(heat));
    all.push({ seconds, worked: Number.isNaN(sum) ? null : sum, hits });
  }
  return all;
};

const line = ({ name, heat }: Case, { seconds, worked, hits }: Taken): string =>
  `| ${[
    name,
    heat.tagged,
    heat.statements,
    ...[0.5, 0.95].map((share) => (quantile(seconds, share) * 1000).toFixed(0)),
    worked === null ? '?' : (worked * 1000).toFixed(0),
    hits.join(', '),
  ].join(' | ')} |`;

/**
 * Measures increments of a hundred entities that touch a tag and an identity (docs/performance.md:
 * Pushes): on a small graph, on a large one, and on the large one where very many share the tag and
 * the identity.
 */
export const measureIncrements = async (
  stages: Stages,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const small = await stages.begin(undefined);
  await pushOnce(
    small,
    'Others',
    'application',
    () => applicationPayload(SMALL_ELEMENTS - OF_THE_HOT_ONE, options.seed),
    say,
  );
  const inSmall = await prepareCase(small, `${SMALL_ELEMENTS} elements`, SOME, say);
  const [ofSmall] = await measured(small, [inSmall]);
  await stages.end();

  const large = await stages.begin(options.data);
  await fillGraph(large, options, say);
  const inLarge = await prepareCase(large, `${options.elements} elements`, SOME, say);
  const inHot = await prepareCase(large, 'the same, hot', MANY, say);
  const [ofLarge, ofHot] = await measured(large, [inLarge, inHot]);

  const rows = [
    [inSmall, ofSmall],
    [inLarge, ofLarge],
    [inHot, ofHot],
  ] as readonly [Case, Taken][];
  const head =
    '| graph | tag on nodes | identity in statements | p50 (ms) | p95 (ms) | processors (ms) | store hits |';
  say('');
  say(head);
  say(head.replace(/[^|]+/g, ' --- '));
  for (const [each, taken] of rows) say(line(each, taken));
  const medians = rows.map(([, { seconds }]) => quantile(seconds, 0.5));
  const ratio = Math.max(...medians) / Math.min(...medians);
  say('');
  say(
    `Slowest to fastest: ${ratio.toFixed(2)} (asked: at most ${MOST_RATIO}) ${ratio <= MOST_RATIO ? 'reached' : 'MISSED'}; load ${load()}`,
  );
};
