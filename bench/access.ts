import { type Ask, client, type Listed, type Question, questionsOn } from './access-questions';
import { fillGraph } from './large-graph';
import { load, peakMemory, processorSeconds } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { beginRestlessness } from './restless';
import type { RoundTools } from './round';

/**
 * After so many requests V8 and the JVM have compiled what they run. A service in use has answered
 * before, too.
 */
const WARM_REQUESTS = 1_500;
const REQUESTS = 1_000;
/** Used for first pages of thousands of rows, and beside a push, since both are slow. */
const FEW_REQUESTS = 100;

/** The measured answers to one question. */
interface Answered {
  readonly p50: number;
  readonly p99: number;
  readonly sizes: readonly number[];
  /**
   * The processor time of an answer in the service and in Neo4j, in milliseconds; `null` if
   * unknown.
   */
  readonly processorMs: number | null;
}

/** How many things an answer lists. */
const sizeOf = ({ total, value }: Listed): number =>
  total ?? value?.paths?.length ?? Number(value?.allowed ?? 0);

const askOften = async (
  { service, neo4jPid }: RoundTools,
  ask: Ask,
  { paths }: Question,
  count: number,
  warm: number,
): Promise<Answered> => {
  const path = (at: number): string => paths[at % paths.length] ?? '';
  for (let at = 0; at < warm; at += 1) await ask(path(at));
  const worked = async (): Promise<number> => {
    const seconds = await Promise.all([service.pid, neo4jPid].map(processorSeconds));
    return seconds.reduce<number>((sum, each) => sum + (each ?? NaN), 0);
  };
  const before = await worked();
  const took: number[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    const answer = await ask(path(at));
    took.push(performance.now() - start);
    sizes.push(sizeOf(answer));
  }
  const processorMs = ((await worked()) - before) * (1000 / count);
  return {
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    sizes,
    processorMs: Number.isNaN(processorMs) ? null : processorMs,
  };
};

const inMs = (value: number): string => value.toFixed(1);

const HEAD =
  '| question | results (p50, most) | idle: p50, p99 (ms) | processors (ms) | beside pushes: p50, p99 (ms) | asked: idle p99 at most |';

const line = ({ name, mostP99Ms }: Question, idle: Answered, beside: Answered): string =>
  `| ${[
    name,
    `${quantile(idle.sizes, 0.5)}, ${quantile(idle.sizes, 1)}`,
    `${inMs(idle.p50)}, ${inMs(idle.p99)}`,
    idle.processorMs === null ? '?' : inMs(idle.processorMs),
    `${inMs(beside.p50)}, ${inMs(beside.p99)}`,
    `${mostP99Ms} ${idle.p99 <= mostP99Ms ? 'reached' : 'MISSED'}`,
  ].join(' | ')} |`;

/**
 * Measures questions about access, one request after the other: first while nothing else happens,
 * then beside pushes (docs/performance.md: Questions about access).
 */
export const measureAccess = async (
  tools: RoundTools,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { service, connector, neo4jPid } = tools;
  const filling = await fillGraph(tools, options, say);
  const ask = client(service);
  const questions = await questionsOn(ask, options.seed);
  const idle: Answered[] = [];
  for (const question of questions) {
    const count = question.mostP99Ms >= 300 ? FEW_REQUESTS : REQUESTS;
    const answered = await askOften(tools, ask, question, count, Math.min(count, WARM_REQUESTS));
    say(`${question.name}: p50 ${inMs(answered.p50)} ms, p99 ${inMs(answered.p99)} ms`);
    idle.push(answered);
  }
  const quietLoad = load();
  const restless = await beginRestlessness(connector, filling);
  const beside: Answered[] = [];
  for (const question of questions) {
    beside.push(await askOften(tools, ask, question, FEW_REQUESTS, 0));
  }
  const { pushes, seconds } = await restless.stop();
  say('');
  say(HEAD);
  say(HEAD.replace(/[^|]+/g, ' --- '));
  for (const [at, question] of questions.entries()) {
    say(line(question, idle[at] as Answered, beside[at] as Answered));
  }
  say('');
  say(
    `Beside: ${pushes} whole pushes with a hundredth changed, ${seconds.toFixed(1)} s each. Load ${quietLoad} before, ${load()} after.`,
  );
  say(
    `Peak memory: service ${(await peakMemory(service.pid)) ?? '?'} MiB, Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB`,
  );
};
