import { type Moment, STEPS_OF_TRANSACTIONS } from './bolt-connection';
import { KINDS, type PushKind } from './push-kinds';
import type { Stage } from './stage';
import type { Existing } from './standing';
import { type Left, strike, type Struck, undisturbed, type Victim } from './strike';

/** What crashes at the moments of one kind of push came to. */
export interface Swept {
  readonly kind: string;
  /** Moments that a push of the kind has. */
  readonly moments: number;
  /** Those of them that are told apart. */
  readonly places: number;
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

/** A moment of a kind of push, told from the others. */
interface Place {
  readonly name: string;
  readonly isThere: (moment: Moment) => boolean;
  /** What is struck when it does not come: parts written at the same time come in any order. */
  readonly instead?: Place;
}

/** Counts moments up to one, and is there. */
const nth = (wanted: number): Place => {
  let passed = -1;
  return {
    name: `moment ${wanted}`,
    isThere: () => {
      passed += 1;
      return passed === wanted;
    },
  };
};

const WRITES = /\b(CREATE|MERGE|SET|REMOVE|DELETE)\b/;

/**
 * What tells moments apart for Neo4j's store: what of the push has been committed, whether a transaction has read or written, which one is
 * committed. Each start of Neo4j takes long, so of moments that are alike one is struck; what the service makes of a Neo4j that is gone at any other of them
 * is seen when the connections break there. Asked for each moment of a push in turn.
 */
const likeness = (): ((moment: Moment) => string) => {
  const committed = new Set<string>();
  return ({ side, call: { what, transaction } }) => {
    const isStatement = !STEPS_OF_TRANSACTIONS.has(what);
    const reached = isStatement && side === 'after' ? [...transaction, what] : transaction;
    const written = [...new Set(reached)].filter((statement) => WRITES.test(statement)).join('\n');
    const isCommit = what === 'COMMIT';
    if (isCommit && side === 'after' && written !== '') committed.add(written);
    const inTransaction = isCommit ? written : written !== '';
    return JSON.stringify([side, isStatement ? null : what, inTransaction, [...committed]]);
  };
};

/** One of the moments that are alike, as a number decides, or else the first of them; they are named by where they came. */
const oneOf = (wanted: string, alike: readonly number[], drawn: number): Place => {
  const likenessOf = likeness();
  const chosen = drawn % alike.length;
  const counted = nth(chosen);
  return {
    name: `moment ${alike[chosen]}, one of ${alike.length} that are alike`,
    isThere: (moment) => likenessOf(moment) === wanted && counted.isThere(moment),
    ...(chosen > 0 && { instead: oneOf(wanted, alike, 0) }),
  };
};

/** The moments at which a kind of push is struck: the service and its connections at each. */
const placesOf = (moments: readonly string[], victim: Victim, seed: number): readonly Place[] => {
  if (victim !== 'Neo4j') return moments.map((_, at) => nth(at));
  const alike = new Map<string, number[]>();
  moments.forEach((like, at) => alike.set(like, [...(alike.get(like) ?? []), at]));
  return [...alike].map(([like, all], at) => oneOf(like, all, seed + at));
};

/** Equal seeds, equal orders. */
const shuffled = <A>(items: readonly A[], seed: number): A[] => {
  const order = [...items];
  let state = seed + 1;
  for (let at = order.length - 1; at > 0; at -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [order[at], order[other]] = [order[other] as A, order[at] as A];
  }
  return order;
};

/** The moments of each kind, when nobody disturbs them. */
const momentsOf = async (
  stage: Stage,
  standing: Existing,
): Promise<ReadonlyMap<PushKind, readonly string[]>> => {
  const moments = new Map<PushKind, string[]>();
  for (const kind of KINDS) {
    const ofKind: string[] = [];
    const likenessOf = likeness();
    await strike(stage, standing, kind, 'service', (moment) => {
      ofKind.push(likenessOf(moment));
      return false;
    });
    moments.set(kind, ofKind);
  }
  return moments;
};

/**
 * Strikes every moment of every kind of push (Neo4j: at one of those that are alike), round after round: in each, a new data source lives through all
 * kinds, each of which is struck at another of its moments, until none is left.
 */
export const sweep = async (
  stage: Stage,
  first: Existing,
  { victim, seconds, seed, progress }: SweepOptions,
): Promise<readonly Swept[]> => {
  // On an empty graph pushes make calls that they never make again.
  for (const kind of KINDS) await undisturbed(stage, first, kind);
  let standing = await first.next(stage);
  const moments = await momentsOf(stage, standing);
  const left = new Map(
    [...moments].map(([kind, all]) => [kind, shuffled(placesOf(all, victim, seed), seed)] as const),
  );
  const struck = new Map<PushKind, Struck[]>(KINDS.map((kind) => [kind, []]));
  const missed = new Map<PushKind, number>();
  const deadline = performance.now() + seconds * 1000;
  const isOver = (): boolean =>
    performance.now() > deadline || [...left.values()].every((ofKind) => ofKind.length === 0);
  while (!isOver()) {
    standing = await standing.next(stage);
    for (const kind of KINDS) {
      const place = left.get(kind)?.pop();
      if (place === undefined) {
        await undisturbed(stage, standing, kind);
        continue;
      }
      const outcome = await strike(stage, standing, kind, victim, place.isThere);
      if (outcome !== null) struck.get(kind)?.push(outcome);
      else if (place.instead !== undefined) left.get(kind)?.push(place.instead);
      else missed.set(kind, (missed.get(kind) ?? 0) + 1);
      progress(`${victim}, ${kind.name}, ${place.name}: ${told(outcome)}`);
    }
  }
  return KINDS.map((kind) => {
    const [struckOf, missedOf] = [struck.get(kind) ?? [], missed.get(kind) ?? 0];
    return {
      kind: kind.name,
      moments: moments.get(kind)?.length ?? 0,
      places: struckOf.length + missedOf + (left.get(kind)?.length ?? 0),
      struck: struckOf,
      missed: missedOf,
    };
  });
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
    'told apart',
    'struck',
    'not reached',
    ...LEFTS,
    ...RETRIED.map((end) => `again: ${end}`),
  ];
  return [
    line(head),
    line(head.map(() => '---')),
    ...swept.map(({ kind, moments, places, struck, missed }) =>
      line([
        kind,
        moments,
        places,
        struck.length,
        missed,
        ...LEFTS.map((left) => struck.filter((one) => one.left === left).length),
        ...RETRIED.map((end) => struck.filter(({ retried }) => retried === end).length),
      ]),
    ),
  ].join('\n');
};
