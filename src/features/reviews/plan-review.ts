import { createHash, randomBytes } from 'node:crypto';

import { NONE } from '../../access/access-graph';
import { byKey, type Pieces } from '../../access/pieces';
import type { Context } from '../../context';
import { byCodeUnits } from '../../model/fold';
import { type Instant, instantOf, nanosOf, parseInstant, present } from '../../model/instant';
import { FailedStep } from '../../neo4j/failure';
import { Pipeline } from '../../neo4j/pipeline';
import { fromGraph, utcOf } from '../../neo4j/values';
import { inPieces } from '../../questions/contract';
import { accessAt, keysOf, type NamedPerson, personBy, viewOf } from './stored/people';
import type { Review, ReviewSource } from './records';
import { badRequestField } from './refuse';
import { factText, type View } from './rules/facts';
import { TooManyItems } from './rules/given';
import {
  type EarlierItem,
  type Knowledge,
  type Population,
  type PopulationItem,
  populationOf,
} from './rules/population';
import { otherReviews } from './stored/other-reviews';
import { aliasOf, textIn } from './stored/store';
import { type ChosenReviewer, type Responsible, Reviewers, type Suggested } from './rules/reviewer';
import {
  READ_ADDRESSES,
  READ_MANAGERS,
  READ_PLACE_REVIEWERS,
  READ_PUSHES_AT,
  READ_SOURCES,
  READ_TAGGED,
} from './stored/statements';
import { read } from './stored/transactions';

/** How long a plan may need. */
const PLAN_SECONDS = 300;
/** How often a plan begins again because what it looks at changed meanwhile. */
const ATTEMPTS = 20;

/** An item of a plan, with its reviewer. */
export interface PlannedItem {
  readonly item: PopulationItem;
  readonly reviewer: ChosenReviewer | null;
  /** The push that brought the fact; `null` if nobody knows it. */
  readonly push: string | null;
}

/** A person of a plan. */
export interface PlannedPerson {
  readonly alias: string;
  readonly keys: readonly string[];
  readonly name: string;
  readonly email: string | null;
  readonly salt: string;
}

/** What a review would be about if it were opened now. */
export interface ReviewPlan {
  readonly at: Instant;
  readonly view: View;
  readonly population: Population;
  readonly items: readonly PlannedItem[];
  /** By the nodes of the humans. */
  readonly people: ReadonlyMap<number, PlannedPerson>;
  readonly owner: NamedPerson;
  readonly fallback: NamedPerson;
  readonly sources: readonly ReviewSource[];
  /** Differs if anything that the plan shows has changed. */
  readonly token: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface Needs {
  readonly places: ReadonlySet<string>;
  readonly holders: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
}

/** The keys of all nodes about which the plan must ask Neo4j. */
function* needsOf(view: View, { items, nodes }: Population): Pieces<Needs> {
  const { graph, humans, moment } = view;
  const [places, holders] = [new Set<string>(), new Set<string>()];
  const [people, sources] = [new Set<string>(), new Set<string>()];
  const humansMet = new Set<number>();
  const effectsMet = new Set<PopulationItem['effect']>();
  for (const item of items) {
    yield;
    if (!effectsMet.has(item.effect)) {
      for (const node of Reviewers.placesOf(view, item.effect.scopes)) places.add(graph.key(node));
      effectsMet.add(item.effect);
    }
    holders.add(item.fact.from).add(item.fact.to);
    if (item.human === NONE || humansMet.has(item.human)) continue;
    humansMet.add(item.human);
    for (const node of [item.human, ...humans.accountsOf(item.human, moment)]) {
      people.add(graph.key(node));
    }
  }
  for (const node of nodes) {
    yield;
    const source = graph.key(node).split('|', 1)[0] ?? '';
    if (UUID.test(source)) sources.add(source);
  }
  return { places, holders, people, sources };
}

const suggestedBy = async (
  pipeline: Pipeline,
  statement: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Suggested[]>> => {
  const found = new Map<string, Suggested[]>();
  await pipeline.each<Record<'key' | 'reviewer' | 'why', string>>(
    statement,
    'keys',
    [...keys],
    (records) => {
      for (const record of records) {
        const all = found.get(record.get('key')) ?? [];
        all.push({ reviewer: record.get('reviewer'), why: record.get('why') });
        found.set(record.get('key'), all);
      }
    },
  );
  return found;
};

const textsBy = async (
  pipeline: Pipeline,
  statement: string,
  keys: readonly string[],
  [by, wanted]: readonly [string, string],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for (const record of await pipeline.ask<Record<string, string>>(statement, 'keys', keys)) {
    found.set(record.get(by) ?? '', record.get(wanted) ?? '');
  }
  return found;
};

const readSources = async (
  pipeline: Pipeline,
  ids: readonly string[],
  review: Review,
  at: Instant,
): Promise<readonly ReviewSource[]> => {
  const oldest = nanosOf(at) - BigInt(review.stale_hours) * 3_600_000_000_000n;
  return (await pipeline.ask(READ_SOURCES, 'keys', ids))
    .map((record): ReviewSource => {
      const read = fromGraph(record.toObject());
      const pushed = utcOf(read.at);
      const instant = pushed === null ? null : parseInstant(pushed);
      return {
        data_source: textIn(read, 'id'),
        name: textIn(read, 'name'),
        provider: textIn(read, 'provider'),
        push: typeof read.push === 'string' ? read.push : null,
        at: pushed,
        is_stale: instant === null || nanosOf(instant) < oldest,
        has_failed: read.has_failed === true,
        reason: null,
      };
    })
    .sort((a, b) => byCodeUnits(a.data_source, b.data_source));
};

/** Runs work on the graph of access at an instant, again if what it saw has changed meanwhile. */
const settled = async <A>(
  context: Context,
  at: Instant,
  work: (view: View) => Pieces<A>,
): Promise<readonly [A, View]> => {
  const latest = performance.now() + PLAN_SECONDS * 1000;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const then = await accessAt(context, at);
    const view = viewOf(then, at);
    const { changes } = then.graph;
    const isValid = (): boolean =>
      then.graph.isSameUntil(nanosOf(at), changes) &&
      then.graph.instants.moment(nanosOf(at)) === view.moment;
    const found = await inPieces(work(view), isValid, latest).catch((error: unknown) => {
      if (!(error instanceof TooManyItems)) throw error;
      throw new FailedStep({
        _tag: 'TooLarge',
        message: 'The review would have more than 100,000 items. Narrow its scope.',
      });
    });
    if (found !== null) return [found, view];
  }
  throw new FailedStep({
    _tag: 'Unavailable',
    message:
      'The graph of access changes so fast that nobody could plan the review. Try again later.',
  });
};

/** The population of a review at an instant, as its settings say. */
export const populationAt = (
  context: Context,
  review: Review,
  at: Instant,
  known: Knowledge,
): Promise<readonly [Population, View]> =>
  settled(context, at, (view) => populationOf(view, review.scope, known));

/** What the rules must know in addition to the graph of access. */
export const knowledgeOf = (
  context: Context,
  review: Review,
  before: ReadonlyMap<string, EarlierItem> | null,
): Promise<Knowledge> =>
  read(
    context,
    async (tx) => {
      const { records } = await tx.run<{ key: string }>(READ_TAGGED);
      const tagged = new Set(records.map((one) => one.get('key')));
      const privilegedTypes = review.privileged_types;
      return { privilegedTypes, tagged, before, others: [], hasMoreOthers: false };
    },
    { mode: 'read' },
  );

/** What Neo4j says about the nodes of a population. */
const readAround = (
  context: Context,
  review: Review,
  at: Instant,
  needs: Needs,
): Promise<{ readonly responsible: Responsible; readonly sources: readonly ReviewSource[] }> =>
  read(
    context,
    async (tx) => {
      const pipeline = new Pipeline(tx);
      return {
        responsible: {
          ofPlace: await suggestedBy(pipeline, READ_PLACE_REVIEWERS, needs.places),
          ofHolder: await suggestedBy(pipeline, READ_PLACE_REVIEWERS, needs.holders),
          ofPerson: await suggestedBy(pipeline, READ_MANAGERS, needs.people),
        },
        sources: await readSources(pipeline, [...needs.sources].sort(), review, at),
      };
    },
    { mode: 'read', timeoutSeconds: PLAN_SECONDS },
  );

/** Plans a review: what it is about at this moment, and who reviews what. */
export const planReview = async (
  context: Context,
  review: Review,
  before: ReadonlyMap<string, EarlierItem> | null,
): Promise<ReviewPlan> => {
  const at = present();
  const known = {
    ...(await knowledgeOf(context, review, before)),
    ...(await otherReviews(context, review, at)),
  };
  const [{ population, needs }, found] = await settled(context, at, function* (view) {
    const population = yield* populationOf(view, review.scope, known);
    return { population, needs: yield* needsOf(view, population) };
  });
  const { responsible, sources } = await readAround(context, review, at, needs);
  const view = lastingView(found, at);
  const owner = personBy(view, review.owner, '/owner');
  const fallback = personBy(view, review.fallback, '/fallback');
  const reviewers = new Reviewers(view, responsible, fallback.human);
  const chosen: (ChosenReviewer | null)[] = [];
  const [people, token] = await settledIn(view, function* () {
    for (const item of population.items) {
      yield;
      chosen.push(reviewers.choose(item));
    }
    const involved = new Set([owner.human, fallback.human]);
    for (const [place, item] of population.items.entries()) {
      if (item.human !== NONE) involved.add(item.human);
      const reviewer = chosen[place] ?? null;
      if (reviewer !== null)
        for (const one of [reviewer.human, ...reviewer.avoided]) involved.add(one);
    }
    yield;
    const token = yield* tokenOf(view, review, population, chosen, sources);
    return [[...involved], token] as const;
  });
  const { graph } = view;
  const { sorted, keys, begun } = await settledIn(view, function* () {
    const sorted = yield* byKey(graph, people);
    const keys: (readonly string[])[] = [];
    for (const human of sorted) {
      yield;
      keys.push(keysOf(view, human));
    }
    const begun: (string | null)[] = [];
    for (const { since } of population.items) {
      yield;
      begun.push(since === null ? null : instantOf(since).utc);
    }
    return { sorted, keys, begun };
  });
  const instants = new Set(begun.filter((each) => each !== null));
  const { emails, pushes } = await read(
    context,
    async (tx) => {
      const pipeline = new Pipeline(tx);
      return {
        emails: await textsBy(pipeline, READ_ADDRESSES, keys.flat(), ['key', 'email']),
        pushes: await textsBy(pipeline, READ_PUSHES_AT, [...instants], ['at', 'push']),
      };
    },
    { mode: 'read' },
  );
  const named = await settledIn(view, function* () {
    const named = new Map<number, PlannedPerson>();
    for (const [place, human] of sorted.entries()) {
      yield;
      const own = keys[place] ?? [];
      named.set(human, {
        alias: aliasOf(place + 1),
        keys: own,
        name: graph.summary(human, view.moment, view.clock).name,
        email: own.map((key) => emails.get(key)).find((each) => each !== undefined) ?? null,
        salt: randomBytes(16).toString('hex'),
      });
    }
    return named;
  });
  return {
    at,
    view,
    population,
    owner,
    fallback,
    sources,
    token,
    people: named,
    items: population.items.map((item, place) => ({
      item,
      reviewer: chosen[place] ?? null,
      push: pushes.get(begun[place] ?? '') ?? null,
    })),
  };
};

/** A view that stays right while the service waits: instants that it learns of change no answer. */
const lastingView = (view: View, at: Instant): View => ({
  ...view,
  get moment() {
    return view.graph.instants.moment(nanosOf(at));
  },
});

/** Work in pieces on what a plan already knows. What changes meanwhile lies after its instant. */
const settledIn = async <A>({ graph }: View, work: () => Pieces<A>): Promise<A> => {
  const found = await inPieces(work(), () => graph.nodeCount > 0, Infinity);
  if (found === null) throw new Error('the graph of access is gone');
  return found;
};

function* tokenOf(
  { graph }: View,
  review: Review,
  { items, coverage }: Population,
  chosen: readonly (ChosenReviewer | null)[],
  sources: readonly ReviewSource[],
): Pieces<string> {
  const hash = createHash('sha256');
  const add = (...parts: readonly unknown[]): unknown => hash.update(JSON.stringify(parts));
  add(review.id, review.scope, review.owner, review.fallback, coverage);
  for (const { data_source, push, is_stale, has_failed } of sources) {
    add(data_source, push, is_stale, has_failed);
  }
  for (const [place, item] of items.entries()) {
    yield;
    const reviewer = chosen[place] ?? null;
    add(factText(item.fact), item.effect.digest, item.marks, item.isCarried);
    add(reviewer === null ? null : graph.key(reviewer.human));
  }
  return hash.digest('hex');
}

/** Refuses keys of a scope that name nothing. */
export const checkScope = (view: View, { scope }: Pick<Review, 'scope'>): void => {
  const { graph, moment } = view;
  for (const name of ['applications', 'resources', 'roles', 'groups', 'people'] as const) {
    for (const [place, key] of scope[name].entries()) {
      const node = graph.find(key);
      if (node !== NONE && graph.exists(node, moment)) continue;
      throw badRequestField(
        `/scope/${name}/${place}`,
        'UNKNOWN_REFERENCE',
        'names nothing in the graph',
      );
    }
  }
};
