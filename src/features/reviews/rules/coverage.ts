import { Effort, type Pieces, STEPS } from '../../../access/pieces';
import { typesOf } from '../../../access/walk';
import { type Fact, type FactType, factText, type View } from './facts';
import { Given, TooManyItems } from './given';
import type { Places, Scope } from './scope';
import { listAt } from '../../../model/grouped';

/*
 * What of all access in scope the items of a review cover, and what other reviews cover
 * (docs/rules.md: Access reviews).
 */

const CONNECTS_TO = typesOf(['CONNECTS_TO']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);

/** Another review that is open or recent. */
export interface OtherReview {
  readonly id: string;
  readonly scope: Places;
  /** The facts of its items, each with the digest of what it gave. */
  readonly facts: ReadonlyMap<string, string>;
}

/** The other reviews that are open or recent. */
export interface OtherReviews {
  /** Those that are looked at, the newest first. */
  readonly others: readonly OtherReview[];
  /** Whether there are more of them. */
  readonly hasMoreOthers: boolean;
}

/** How many effective pairs of somebody and something are in a scope, and how many items they have. */
export interface Coverage {
  readonly pairs: number;
  readonly reviewed: number;
  /** Pairs of items of other reviews, each pair once. */
  readonly elsewhere: readonly { readonly review: string; readonly pairs: number }[];
  /** The pairs that belong to no item of any, each reason once. */
  readonly notReviewed: readonly { readonly because: string; readonly pairs: number }[];
}

/** A fact on a way to something in scope, whether or not it passes the filters. */
export interface LeftFact {
  readonly from: number;
  readonly to: number;
  readonly type: FactType;
}

/** The holders of facts, by what is held. */
type HoldersOf = ReadonlyMap<number, readonly number[]>;

/** What another review decides about in the scope of this one. */
interface Elsewhere {
  readonly id: string;
  /** Its targets: 1 at the node of each. */
  readonly targets: Uint8Array;
  /** The holders of its facts. */
  readonly holdersOf: HoldersOf;
}

/** Targets on which the same is given, and which are in the scope of the same other reviews. */
interface Alike {
  readonly effects: readonly number[];
  readonly others: readonly Elsewhere[];
  readonly targets: number;
}

/** Where a scope is about access, as a text. */
const placesIn = ({ applications, resources }: Places): string =>
  JSON.stringify([...new Set([...applications, ...resources])].sort());

/** What a node gives in a scope, as a digest; empty if that is nothing. */
function* digestOf(given: Given, node: number): Pieces<string> {
  const gives = yield* given.effectsFrom(node);
  return gives.length === 0 ? '' : (yield* given.summaryOf(gives)).digest;
}

/** What is given in the scope of another review; `null` if that is too much. */
function* givenIn(view: View, places: Places): Pieces<Given | null> {
  // Whether it is privileged does not matter here.
  const given = new Given(view, places, []);
  try {
    yield* given.look();
    return given;
  } catch (error) {
    if (error instanceof TooManyItems) return null;
    throw error;
  }
}

/**
 * What other reviews decide about: of these facts the ones that are theirs, and that give in their
 * scope what they gave when these reviews were opened. Also whether there are others at which nobody
 * looked.
 */
function* elsewhereOf(
  view: View,
  scope: Scope,
  given: Given,
  facts: readonly LeftFact[],
  { others, hasMoreOthers }: OtherReviews,
): Pieces<{ readonly elsewhere: readonly Elsewhere[]; readonly hasMore: boolean }> {
  const { graph } = view;
  const known = new Map<string, Given | null>([[placesIn(scope), given]]);
  const elsewhere: Elsewhere[] = [];
  let hasMore = hasMoreOthers;
  for (const { id, scope: theirScope, facts: theirs } of others) {
    const places = placesIn(theirScope);
    if (!known.has(places)) known.set(places, yield* givenIn(view, theirScope));
    const theirGiven = known.get(places) ?? null;
    if (theirGiven === null) {
      hasMore = true;
      continue;
    }
    const holdersOf = new Map<number, number[]>();
    for (const [place, { from, to, type }] of facts.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      const digest = theirs.get(factText({ type, from: graph.key(from), to: graph.key(to) }));
      if (digest === undefined || (yield* digestOf(theirGiven, to)) !== digest) continue;
      listAt(holdersOf, to).push(from);
    }
    elsewhere.push({ id, targets: theirGiven.targets, holdersOf });
  }
  return { elsewhere, hasMore };
}

/** The targets of a scope, by what is given on them and who else reviews them. */
function* targetsAlike(given: Given, others: readonly Elsewhere[]): Pieces<readonly Alike[]> {
  const effort = new Effort();
  const effectsOfTarget = new Map<number, number[]>();
  for (const [number, { targets }] of given.effects.entries()) {
    for (const target of targets) {
      if (effort.isTired(1)) yield;
      listAt(effectsOfTarget, target).push(number);
    }
  }
  const alike = new Map<string, Alike>();
  for (const [target, effects] of effectsOfTarget) {
    if (effort.isTired(effects.length)) yield;
    const inScope = others.filter(({ targets }) => targets[target] === 1);
    const name = `${effects.join(' ')}|${inScope.map(({ id }) => id).join(' ')}`;
    const known = alike.get(name);
    alike.set(name, { effects, others: inScope, targets: (known?.targets ?? 0) + 1 });
  }
  return [...alike.values()];
}

/** Of the facts by which one of some nodes holds another one, the holders. */
function* holdersIn(upstream: ReadonlySet<number>, holdersOf: HoldersOf): Pieces<Iterable<number>> {
  const effort = new Effort();
  const found = new Set<number>();
  for (const node of upstream) {
    const holders = holdersOf.get(node) ?? [];
    if (effort.isTired(1 + holders.length)) yield;
    for (const holder of holders) if (upstream.has(holder)) found.add(holder);
  }
  return found;
}

/** How many of these are listed among those who have access: principals, and resources that act for them. */
function* actors({ graph, access, moment }: View, nodes: readonly number[]): Pieces<number> {
  const found = new Set<number>();
  for (const [place, node] of nodes.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    if (graph.kind(node)?.isPrincipal !== true) continue;
    found.add(node);
    for (const external of access.walk.previous(node, RESOLVES_TO, moment)) {
      for (const who of access.walk.previous(external, CONNECTS_TO, moment)) {
        if (graph.kind(who)?.isResource === true) found.add(who);
      }
    }
  }
  return found.size;
}

/** Why pairs belong to no item. */
const whyLeft = ({ roles, groups, people, marks }: Scope, hasMore: boolean): string => {
  const set = Object.entries({ roles, groups, people, marks })
    .filter(([, values]) => values.length > 0)
    .map(([name]) => name);
  if (set.length === 0) return 'no fact that somebody can remove is on the way';
  const others = hasMore
    ? 'the other reviews that the service looked at have none'
    : 'no other review has one';
  return `no fact on the way passes the filter of ${set.join(', ')}, and ${others}`;
};

/**
 * Counts the pairs in scope by sets: all resources on which the same is given have the same people. A
 * pair is reviewed if an item is on one of its ways. `facts` are those of which another review may have
 * an item.
 */
export function* coverageOf(
  view: View,
  scope: Scope,
  given: Given,
  items: readonly { readonly fact: Fact; readonly holder: number }[],
  facts: readonly LeftFact[],
  known: OtherReviews,
): Pieces<Coverage> {
  const { elsewhere: others, hasMore } = yield* elsewhereOf(view, scope, given, facts, known);
  const holdersOf = new Map<number, number[]>();
  for (const [place, { fact, holder }] of items.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    listAt(holdersOf, view.graph.find(fact.to)).push(holder);
  }
  const heldBy = new Map<number, number[]>();
  for (const held of given.entitlements) {
    for (const effect of given.effectsOf.get(held) ?? []) listAt(heldBy, effect).push(held);
  }
  let [pairs, reviewed] = [0, 0];
  const elsewhere = new Map<string, number>();
  for (const { effects, targets, others: inScope } of yield* targetsAlike(given, others)) {
    const upstream = yield* given.above(effects.flatMap((effect) => heldBy.get(effect) ?? []));
    const isAbove = new Set(upstream);
    const all = yield* actors(view, upstream);
    pairs += targets * all;
    let nodes = yield* given.above(yield* holdersIn(isAbove, holdersOf));
    let counted = yield* actors(view, nodes);
    reviewed += targets * counted;
    for (const { id, holdersOf: theirs } of inScope) {
      if (counted === all) break;
      nodes = [...new Set([...nodes, ...(yield* given.above(yield* holdersIn(isAbove, theirs)))])];
      const more = yield* actors(view, nodes);
      elsewhere.set(id, (elsewhere.get(id) ?? 0) + targets * (more - counted));
      counted = more;
    }
  }
  const named = others.flatMap(({ id }) => {
    const found = elsewhere.get(id) ?? 0;
    return found === 0 ? [] : [{ review: id, pairs: found }];
  });
  const left = named.reduce((rest, each) => rest - each.pairs, pairs - reviewed);
  return {
    pairs,
    reviewed,
    elsewhere: named,
    notReviewed: left === 0 ? [] : [{ because: whyLeft(scope, hasMore), pairs: left }],
  };
}
