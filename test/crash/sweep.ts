import type { Moment } from './bolt-connection';
import { KINDS, type PushKind } from './push-kinds';
import type { Stage } from './stage';
import type { Standing } from './standing';
import { type Left, strike, type Struck, undisturbed, type Victim } from './strike';

/** What crashes at the moments of one kind of push came to. */
export interface Swept {
  readonly kind: string;
  /** Moments that a push of the kind has. */
  readonly moments: number;
  readonly struck: readonly Struck[];
  /** Moments that were waited for in vain. */
  readonly missed: number;
}

/** How far a sweep goes. */
export interface SweepOptions {
  readonly victim: Victim;
  /** After so long no round is begun; what is struck until then is spread over all moments. */
  readonly seconds: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
}

/** Counts moments up to one, and is there. */
const nth = (wanted: number): ((moment: Moment) => boolean) => {
  let passed = -1;
  return () => {
    passed += 1;
    return passed === wanted;
  };
};

/** Equal seeds, equal orders. */
const shuffled = (count: number, seed: number): number[] => {
  const order = Array.from({ length: count }, (_, at) => at);
  let state = seed + 1;
  for (let at = count - 1; at > 0; at -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
  return order;
};

/** How many moments each kind has, when nobody disturbs them. */
const countMoments = async (stage: Stage, standing: Standing): Promise<Map<PushKind, number>> => {
  const counts = new Map<PushKind, number>();
  for (const kind of KINDS) {
    let moments = 0;
    await strike(stage, standing, kind, 'service', () => {
      moments += 1;
      return false;
    });
    counts.set(kind, moments);
  }
  return counts;
};

/**
 * Strikes every moment of every kind of push, round after round: in each, a new data source lives through all kinds, each of which is struck at another of
 * its moments, until none is left.
 */
export const sweep = async (
  stage: Stage,
  first: Standing,
  { victim, seconds, seed, progress }: SweepOptions,
): Promise<readonly Swept[]> => {
  const counts = await countMoments(stage, first);
  const left = new Map([...counts].map(([kind, count]) => [kind, shuffled(count, seed)] as const));
  const struck = new Map<PushKind, Struck[]>(KINDS.map((kind) => [kind, []]));
  const missed = new Map<PushKind, number>();
  const deadline = performance.now() + seconds * 1000;
  let standing = first;
  const isOver = (): boolean =>
    performance.now() > deadline || [...left.values()].every((moments) => moments.length === 0);
  while (!isOver()) {
    standing = await standing.next(stage);
    for (const kind of KINDS) {
      const moment = left.get(kind)?.pop();
      if (moment === undefined) {
        await undisturbed(stage, standing, kind);
        continue;
      }
      const outcome = await strike(stage, standing, kind, victim, nth(moment));
      if (outcome === null) missed.set(kind, (missed.get(kind) ?? 0) + 1);
      else struck.get(kind)?.push(outcome);
      progress(`${victim}, ${kind.name}, moment ${moment}: ${told(outcome)}`);
    }
  }
  return KINDS.map((kind) => ({
    kind: kind.name,
    moments: counts.get(kind) ?? 0,
    struck: struck.get(kind) ?? [],
    missed: missed.get(kind) ?? 0,
  }));
};

const told = (outcome: Struck | null): string =>
  outcome === null ? 'not reached' : `left ${outcome.left}, again ${outcome.retried}`;

const LEFTS: readonly Left[] = ['before', 'after', 'resumes'];
const RETRIED = ['changed', 'unchanged', 'refused', 'deleted', 'gone'] as const;

/** The sweep as a Markdown table. */
export const sweepTable = (swept: readonly Swept[]): string => {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const head = [
    'push',
    'moments',
    'struck',
    'not reached',
    ...LEFTS,
    ...RETRIED.map((end) => `again: ${end}`),
  ];
  return [
    line(head),
    line(head.map(() => '---')),
    ...swept.map(({ kind, moments, struck, missed }) =>
      line([
        kind,
        moments,
        struck.length,
        missed,
        ...LEFTS.map((left) => struck.filter((one) => one.left === left).length),
        ...RETRIED.map((end) => struck.filter(({ retried }) => retried === end).length),
      ]),
    ),
  ].join('\n');
};
