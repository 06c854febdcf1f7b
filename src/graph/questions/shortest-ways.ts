/** A step to a place. */
export interface Step<S> {
  readonly step: S;
  readonly to: string;
}

/** Places, the steps between them, and which places are wanted. */
export interface Terrain<S> {
  readonly start: string;
  readonly stepsFrom: (place: string) => readonly Step<S>[];
  readonly isGoal: (place: string) => boolean;
}

/** How much is looked for. */
export interface WayLimits {
  readonly most: number;
  /** In steps. */
  readonly longest: number;
  /** Places that are looked at before the search gives up. */
  readonly effort: number;
}

/** A way to a goal, which comes by no place twice. */
export interface Way<S> {
  readonly steps: readonly S[];
  readonly goal: string;
}

/** Ways, shortest first, and whether there are more. */
export interface Ways<S> {
  readonly ways: readonly Way<S>[];
  readonly truncated: boolean;
}

/** A way under way. */
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

/** How far each place that can be come to is from the nearest goal; places that lead to none are absent. */
const distances = <S>({ start, stepsFrom, isGoal }: Terrain<S>): ReadonlyMap<string, number> => {
  const comingTo = new Map<string, string[]>();
  const known = new Set([start]);
  // A set visits what is added while it is walked.
  for (const place of known) {
    for (const { to } of stepsFrom(place)) {
      known.add(to);
      const before = comingTo.get(to);
      if (before === undefined) comingTo.set(to, [place]);
      else before.push(place);
    }
  }
  const far = new Map([...known].filter(isGoal).map((goal) => [goal, 0]));
  for (const [place, distance] of far) {
    for (const before of comingTo.get(place) ?? []) {
      if (!far.has(before)) far.set(before, distance + 1);
    }
  }
  return far;
};

/** Whether a stretch can still be led to a goal without coming by a place twice, and how many places were looked at for that. */
const leadsOn = <S>(
  { stepsFrom, isGoal }: Terrain<S>,
  stretch: Stretch<S>,
): { readonly leads: boolean; readonly looked: number } => {
  const known = new Set([stretch.place]);
  for (const place of known) {
    if (isGoal(place)) return { leads: true, looked: known.size };
    for (const { to } of stepsFrom(place)) if (!hasVisited(stretch, to)) known.add(to);
  }
  return { leads: false, looked: known.size };
};

/**
 * The shortest ways to goals, none of which comes by a place twice, shortest first (docs/rules.md: Access answers). Stretches are led on in the order of what they
 * come to at least, so that as many are looked at as there are ways, nearly.
 */
export const shortestWays = <S>(
  terrain: Terrain<S>,
  { most, longest, effort }: WayLimits,
): Ways<S> => {
  const far = distances(terrain);
  const ways: Way<S>[] = [];
  // By the length that they come to at least.
  const open: Stretch<S>[][] = Array.from({ length: longest + 1 }, () => []);
  let isMore = false;
  let looked = 0;
  const add = (stretch: Stretch<S>): void => {
    const distance = far.get(stretch.place);
    if (distance === undefined) return;
    const list = open[stretch.length + distance];
    if (list !== undefined) list.push(stretch);
    else if (!isMore && looked <= effort) {
      const further = leadsOn(terrain, stretch);
      looked += further.looked;
      isMore = further.leads;
    }
  };
  add({ place: terrain.start, step: null, before: null, length: 0 });
  for (const list of open) {
    // Last in, first out: all in a list come to the same length, and one after the other is led to its goal where many ways branch.
    for (let stretch = list.pop(); stretch !== undefined; stretch = list.pop()) {
      looked += 1;
      if (looked > effort || ways.length > most) break;
      if (terrain.isGoal(stretch.place)) {
        ways.push(wayOf(stretch));
        continue;
      }
      for (const { step, to } of terrain.stepsFrom(stretch.place).toReversed()) {
        if (hasVisited(stretch, to)) continue;
        add({ place: to, step, before: stretch, length: stretch.length + 1 });
      }
    }
  }
  return {
    ways: ways.slice(0, most),
    truncated: isMore || ways.length > most || looked > effort,
  };
};
