import { Effort, type Pieces } from '../../../access/pieces';
import { listAt } from '../../../model/grouped';

/** A step that leads to a place. */
export interface Step<S> {
  readonly step: S;
  readonly to: string;
}

/** A directed graph: a start, the steps from each place, and the goals. */
export interface Terrain<S> {
  readonly start: string;
  readonly stepsFrom: (place: string) => readonly Step<S>[];
  readonly isGoal: (place: string) => boolean;
}

/** The limits of a search. */
export interface WayLimits {
  readonly most: number;
  /** The length of the longest way, in steps. If the shortest ways are longer, these count. */
  readonly longest: number;
  /** How many places the search visits before it gives up. It finds one way at least. */
  readonly effort: number;
}

/** A way to a goal. It passes no place twice. */
export interface Way<S> {
  readonly steps: readonly S[];
  readonly goal: string;
}

/** The ways, shortest first. `truncated` means that there may be more. */
export interface Ways<S> {
  readonly ways: readonly Way<S>[];
  readonly truncated: boolean;
}

/** The beginning of a way, as a linked list of its steps. */
interface Stretch<S> {
  readonly place: string;
  readonly step: S | null;
  readonly before: Stretch<S> | null;
  readonly length: number;
}

const hasVisited = <S>(stretch: Stretch<S>, place: string): boolean => {
  for (let at: Stretch<S> | null = stretch; at !== null; at = at.before) {
    if (at.place === place) return true;
  }
  return false;
};

const wayOf = <S>(stretch: Stretch<S>): Way<S> => {
  const steps: S[] = [];
  for (let at: Stretch<S> | null = stretch; at !== null; at = at.before) {
    if (at.step !== null) steps.push(at.step);
  }
  return { steps: steps.reverse(), goal: stretch.place };
};

/**
 * The distance of each reachable place to the nearest goal. Places that lead to no goal are absent.
 */
function* distances<S>({
  start,
  stepsFrom,
  isGoal,
}: Terrain<S>): Pieces<ReadonlyMap<string, number>> {
  const effort = new Effort();
  const comingTo = new Map<string, string[]>();
  const known = new Set([start]);
  // A loop over a set also visits what is added to the set during the loop.
  for (const place of known) {
    if (effort.isTired(1)) yield;
    for (const { to } of stepsFrom(place)) {
      if (effort.isTired(1)) yield;
      known.add(to);
      listAt(comingTo, to).push(place);
    }
  }
  const far = new Map<string, number>();
  for (const place of known) {
    if (effort.isTired(1)) yield;
    if (isGoal(place)) far.set(place, 0);
  }
  for (const [place, distance] of far) {
    for (const before of comingTo.get(place) ?? []) {
      if (effort.isTired(1)) yield;
      if (!far.has(before)) far.set(before, distance + 1);
    }
  }
  return far;
}

/**
 * Whether a stretch can be extended to a goal without passing a place twice. `looked` counts the
 * visited places.
 */
function* leadsOn<S>(
  { stepsFrom, isGoal }: Terrain<S>,
  stretch: Stretch<S>,
): Pieces<{ readonly leads: boolean; readonly looked: number }> {
  const effort = new Effort();
  const known = new Set([stretch.place]);
  for (const place of known) {
    if (isGoal(place)) return { leads: true, looked: known.size };
    for (const { to } of stepsFrom(place)) {
      if (effort.isTired(stretch.length + 1)) yield;
      if (!hasVisited(stretch, to)) known.add(to);
    }
  }
  return { leads: false, looked: known.size };
}

/**
 * Finds the shortest ways to goals (docs/rules.md: Access answers). It always extends the stretch
 * whose way can be shortest (its length plus the distance to the nearest goal). So it visits hardly
 * more places than the ways have. If there is a way, it finds one, however long the shortest is.
 */
export function* shortestWays<S>(
  terrain: Terrain<S>,
  { most, longest, effort }: WayLimits,
): Pieces<Ways<S>> {
  const far = yield* distances(terrain);
  const furthest = Math.max(longest, far.get(terrain.start) ?? 0);
  const ways: Way<S>[] = [];
  // Stretches by the least length that their way can have.
  const open: Stretch<S>[][] = Array.from({ length: furthest + 1 }, () => []);
  let isMore = false;
  let looked = 0;
  const add = function* (stretch: Stretch<S>): Pieces<void> {
    const distance = far.get(stretch.place);
    if (distance === undefined) return;
    const list = open[stretch.length + distance];
    if (list !== undefined) list.push(stretch);
    else if (!isMore && looked <= effort) {
      const further = yield* leadsOn(terrain, stretch);
      looked += further.looked;
      isMore = further.leads;
    }
  };
  yield* add({ place: terrain.start, step: null, before: null, length: 0 });
  const pauses = new Effort();
  for (const list of open) {
    // Last in, first out: all stretches of a list can give equally short ways. So the search
    // finishes one way before it begins the next, and finds ways early even where very many branch.
    for (let stretch = list.pop(); stretch !== undefined; stretch = list.pop()) {
      looked += 1;
      // All stretches before the first way are parts of shortest ways, so that way comes soon.
      if ((looked > effort && ways.length > 0) || ways.length > most) break;
      if (terrain.isGoal(stretch.place)) {
        ways.push(wayOf(stretch));
        continue;
      }
      for (const { step, to } of terrain.stepsFrom(stretch.place).toReversed()) {
        if (pauses.isTired(stretch.length + 1)) yield;
        if (hasVisited(stretch, to)) continue;
        yield* add({ place: to, step, before: stretch, length: stretch.length + 1 });
      }
    }
  }
  return {
    ways: ways.slice(0, most),
    truncated: isMore || ways.length > most || looked > effort,
  };
}
