import { applicationPayload } from './application-payload';
import type { DataSource, PreparedPush } from './connector';
import { countHits } from './hit-count';
import type { Stage, Stages } from './increment';
import { fillGraph, pushOnce } from './large-graph';
import { load } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { scopeIncrements, scopePayload, type Scopes, smallIncrements } from './scope-payload';

const SMALL_ELEMENTS = 10_000;
const MOST_RATIO = 1.5;
const WARM_PUSHES = 40;
const PUSHES = 100;
/** A thousand pairs in each increment: half of them are given, half are taken. */
const scopesOf = (scope: number): Scopes => ({ grants: 50, scope, moved: 10 });
const SCOPES = [10, 1_000, 10_000].map(scopesOf);

const seconds = async (
  { connector }: Stage,
  source: DataSource,
  increments: readonly object[],
  pushes = PUSHES,
): Promise<readonly number[]> => {
  const prepared = await Promise.all(increments.map((one) => connector.prepare(source, one)));
  const taken: number[] = [];
  for (let at = 0; at < WARM_PUSHES + pushes; at += 1) {
    const pushed = await connector.push(prepared[at % prepared.length] as PreparedPush);
    if (pushed.isUnchanged) throw new Error('An increment changed nothing.');
    if (at >= WARM_PUSHES) taken.push(pushed.seconds);
  }
  return taken;
};

const milliseconds = (all: readonly number[], share: number): string =>
  (quantile(all, share) * 1000).toFixed(1);

const put = (stage: Stage, scopes: Scopes, say: (text: string) => void): Promise<DataSource> =>
  pushOnce(stage, `Scopes of ${scopes.scope}`, 'application', () => scopePayload(scopes), say);

/**
 * Measures increments that give and take a thousand resources, in grants with scopes of several
 * sizes, and increments that change three rows, on a small graph and on a large one
 * (docs/performance.md: Pushes).
 */
export const measureScopes = async (
  stages: Stages,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const [least] = SCOPES as [Scopes];
  const threeRows = async (stage: Stage, source: DataSource, graph: string): Promise<void> => {
    const taken = await seconds(stage, source, smallIncrements(least));
    say(
      `Three rows on ${graph}: p50 ${milliseconds(taken, 0.5)} ms, p95 ${milliseconds(taken, 0.95)} ms; load ${load()}`,
    );
  };
  const small = await stages.begin(undefined);
  const others = (): object => applicationPayload(SMALL_ELEMENTS, options.seed);
  await pushOnce(small, 'Others', 'application', others, say);
  await threeRows(small, await put(small, least, say), `${SMALL_ELEMENTS} elements`);
  await stages.end();

  const large = await stages.begin(options.data);
  await fillGraph(large, options, say);
  await threeRows(large, await put(large, least, say), `${options.elements} elements`);
  const costs: { readonly hits: number; readonly median: number }[] = [];
  for (const scopes of SCOPES) {
    const source = await put(large, scopes, say);
    const increments = scopeIncrements(scopes);
    const taken = await seconds(large, source, increments, PUSHES / 5);
    const hits = await countHits(large.server, source, increments);
    costs.push({ hits: Math.max(...hits), median: quantile(taken, 0.5) });
    say(
      `1,000 pairs in scopes of ${scopes.scope}: p50 ${milliseconds(taken, 0.5)} ms, store hits ${hits.join(', ')}; load ${load()}`,
    );
  }
  for (const name of ['hits', 'median'] as const) {
    const all = costs.map((cost) => cost[name]);
    const ratio = Math.max(...all) / Math.min(...all);
    say(
      `Most to least, ${name}: ${ratio.toFixed(2)} (asked: at most ${MOST_RATIO}) ${ratio <= MOST_RATIO ? 'reached' : 'MISSED'}`,
    );
  }
};
