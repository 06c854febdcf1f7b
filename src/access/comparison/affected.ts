import { NONE } from '../access-graph';
import type { EffectiveAccess } from '../effective-access';
import type { Moment } from '../instants';
import { at } from '../memory';
import { ACCESS_TYPES, type AccessType, GAINED } from '../relationship-types';
import { REMOVED } from '../columns/relationships';
import { type Types, typesOf } from '../walk';
import { oneStep, type Pieces, spread, STEPS } from '../pieces';

/** Two moments of a graph, the earlier one first. */
export type Moments = readonly [from: Moment, to: Moment];

/** Which changes are wanted. */
export interface WantedChanges {
  /** Only changes on this target; `null` means on all. */
  readonly target: number | null;
  /** Whether changes on a target count. */
  readonly isCounted: (target: number) => boolean;
  /** Only what was gained, or only what was lost; `null` means both. */
  readonly change: 'gained' | 'lost' | null;
}

const GAIN = typesOf(GAINED);
const GAIN_OR_ALLOWS = typesOf([...GAINED, 'ALLOWS']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);
/** What leads from a grant or an assignment to its permissions. */
const GIVES: readonly AccessType[] = ['OF', 'INCLUDES', 'ALLOWS'];
const GIVING = typesOf(GIVES);
const ALL = typesOf(ACCESS_TYPES);

/** The sets of nodes from which the walks to the affected principals and targets begin. */
type Start =
  'inside' | 'near' | 'connected' | 'resolved' | 'external' | 'given' | 'carried' | 'scopes';

type Starts = Readonly<Record<Start, Set<number>>>;

const noStarts = (): Starts => ({
  inside: new Set(),
  near: new Set(),
  connected: new Set(),
  resolved: new Set(),
  external: new Set(),
  given: new Set(),
  carried: new Set(),
  scopes: new Set(),
});

/** Into which sets the ends of a relationship go that holds at only one of the moments. */
const STARTS: Readonly<Partial<Record<AccessType, readonly [from: readonly Start[], to: Start]>>> =
  {
    CONTAINS: [['inside'], 'scopes'],
    ON: [['near'], 'scopes'],
    CONNECTS_TO: [['connected'], 'external'],
    RESOLVES_TO: [['resolved'], 'given'],
  };

const startsOf = (type: AccessType): readonly [from: readonly Start[], to: Start] =>
  STARTS[type] ?? [GIVES.includes(type) ? ['near', 'carried'] : ['near'], 'given'];

const STARTS_BY_TYPE = ACCESS_TYPES.map(startsOf);

/** Where the access of principals may differ, and who they are. */
export interface Affected {
  readonly principals: readonly number[];
  readonly targets: readonly number[];
  /** Nodes from which relationships lead that hold at only one of the moments. */
  readonly moved: readonly number[];
}

/** How many places one piece looks at. One that changed costs as much as so many others. */
const PLACES = 50_000;
const OF_CHANGED = 20;

/** What holds at only one of two moments. What comes in a pause holds at neither, or the work is void. */
function* changedBetween(
  { graph, walk }: EffectiveAccess,
  [from, to]: Moments,
): Pieces<{ readonly starts: Starts; readonly moved: ReadonlySet<number> }> {
  const starts = noStarts();
  const moved = new Set<number>();
  const marks = graph.instants.between(from, to);
  const { placeCount, nodeCount } = graph;
  let effort = 0;
  const isThere = (node: number, moment: Moment): boolean => graph.exists(node, moment);
  const note = (place: number): void => {
    effort += OF_CHANGED;
    const { from: froms, to: ends, type, since, until } = graph.adjacency;
    const [first, last] = [at(froms, place), at(ends, place)];
    const holds = (moment: Moment): boolean =>
      graph.instants.isWithin(at(since, place), at(until, place), moment) &&
      isThere(first, moment) &&
      isThere(last, moment);
    if (holds(from) === holds(to)) return;
    const starting = STARTS_BY_TYPE[at(type, place)];
    // Others do not decide about access.
    if (starting === undefined) return;
    const [intoFirst, intoLast] = starting;
    for (const name of intoFirst) starts[name].add(first);
    starts[intoLast].add(last);
    moved.add(first);
  };
  for (let place = 0; place < placeCount;) {
    // Columns are other arrays after a pause in which something was appended.
    const { type, since, until } = graph.adjacency;
    for (effort = 0; effort < PLACES && place < placeCount; effort += 1, place += 1) {
      if (at(type, place) === REMOVED) continue;
      if (marks[at(since, place) + 1] === 1 || marks[at(until, place) + 1] === 1) note(place);
    }
    yield;
  }
  for (let node = 0; node < nodeCount; node += 1, effort += 1) {
    if (effort >= PLACES) {
      effort = 0;
      yield;
    }
    if (!graph.isTouched(node, marks)) continue;
    const [earlier, later] = [graph.version(node, from), graph.version(node, to)];
    if (earlier === later) continue;
    if (earlier === NONE || later === NONE) {
      const moment = earlier === NONE ? to : from;
      walk.eachNext(node, ALL, moment, (_, place) => note(place));
      walk.eachPrevious(node, ALL, moment, (_, place) => note(place));
      continue;
    }
    const kind = graph.kind(node);
    if (kind === null || graph.decideAlike(earlier, later)) continue;
    if (kind.isPermission) {
      starts.near.add(node);
      starts.carried.add(node);
    } else if (kind.isResource || kind.isApplication) {
      starts.inside.add(node);
      starts.scopes.add(node);
    }
  }
  return { starts, moved };
}

/** Walks from what changed to the principals and targets between which access may differ. */
function* affectedAt(
  { walk, graph }: EffectiveAccess,
  starts: Starts,
  moment: Moment,
): Pieces<{ readonly who: readonly number[]; readonly targets: readonly number[] }> {
  type Nodes = Iterable<number>;
  const back = (from: Nodes, types: Types): Pieces<readonly number[]> =>
    spread(graph, from, (node, visit) => walk.eachPrevious(node, types, moment, visit));
  const on = (from: Nodes, types: Types): Pieces<readonly number[]> =>
    spread(graph, from, (node, visit) => walk.eachNext(node, types, moment, visit));
  /** The nodes to which one step leads, and some more. */
  const oneBack = (from: readonly number[], types: Types, more: Nodes): Pieces<readonly number[]> =>
    oneStep(graph, from, more, (node, visit) => walk.eachPrevious(node, types, moment, visit));
  const oneOn = (from: readonly number[], types: Types, more: Nodes): Pieces<readonly number[]> =>
    oneStep(graph, from, more, (node, visit) => walk.eachNext(node, types, moment, visit));
  const around = yield* back(starts.inside, CONTAINS);
  const near = yield* oneBack(around, ON, starts.near);
  const who = yield* back(near, GAIN_OR_ALLOWS);
  const resolved = yield* oneBack(who, RESOLVES_TO, starts.resolved);
  const connected = yield* oneBack(resolved, CONNECTS_TO, starts.connected);
  const given = yield* oneOn([...starts.external], RESOLVES_TO, starts.given);
  const held = yield* on(given, GAIN);
  const carrying = yield* back(starts.carried, GIVING);
  const onHeld = yield* oneOn(held, ON, starts.scopes);
  const scopes = yield* oneOn(carrying, ON, onHeld);
  const targets = yield* on(scopes, CONTAINS);
  return {
    who: [
      ...who.filter((node) => graph.kind(node)?.isPrincipal === true),
      ...connected.filter((node) => graph.kind(node)?.isResource === true),
    ],
    targets,
  };
}

/** All between whom access may differ; of one target, all who reach it at one of the moments. */
export function* affectedBetween(
  access: EffectiveAccess,
  moments: Moments,
  { target, isCounted }: WantedChanges,
): Pieces<Affected> {
  const { starts, moved } = yield* changedBetween(access, moments);
  const begins = noStarts();
  if (target !== null) begins.inside.add(target);
  const principals = new Set<number>();
  const targets = new Set<number>(target === null ? [] : [target]);
  const hasStarts = Object.values(starts).some((nodes) => nodes.size > 0);
  for (const moment of hasStarts ? moments : []) {
    const found = yield* affectedAt(access, target === null ? starts : begins, moment);
    for (const node of found.who) principals.add(node);
    if (target === null) for (const node of found.targets) targets.add(node);
  }
  const counted: number[] = [];
  let place = 0;
  for (const node of targets) {
    if (place % STEPS === STEPS - 1) yield;
    place += 1;
    const kind = access.graph.kind(node);
    const isTarget = kind?.isResource === true || kind?.isApplication === true;
    if (isTarget && isCounted(node)) counted.push(node);
  }
  return { principals: [...principals], targets: counted, moved: [...moved] };
}
