import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import { byCodeUnits, fold } from '../../model/fold';
import { Instant, justBefore, nanosOf, present } from '../../model/instant';
import type { Failure } from '../../problem';
import { INSTANT_OF_PUSH } from '../statements/change-statements';
import type { Graph } from '../../neo4j/driver';
import { isTooMuch, toFailure } from '../../neo4j/failure';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import {
  beginningOfHistory,
  inFuture,
  newestBy,
  refusedInstant,
} from '../instant/instant-in-history';
import { isUnchanged } from '../instant/at-instant';
import { WalkTooLong } from '../instant/walk';
import { WALKS } from '../statements/instant-statements';
import { mayBeHuman, type Subject } from '../humans/subject';
import { affectedIn, type ChangeBounds, type Period, TooManyChanges } from './affected';
import { missingThen } from './asked-then';
import { type ChangedAccess, compare, compareHuman } from './compare';
import { humanOfPeriod, type PeriodHuman } from './human-of-period';

export type { ChangedAccess, Period };

/** What changes a question is about. `null` means any. */
export interface ChangeFilter {
  /** A principal or a human, and the key of a resource. */
  readonly principal: Subject | null;
  readonly resource: string | null;
  /** The name of the application that resources are in, in any case. */
  readonly application: string | null;
  /** The id of the data source that resources are from. */
  readonly dataSource: string | null;
  /** Only what was gained, or only what was lost. */
  readonly change: 'gained' | 'lost' | null;
}

/** No filter. */
export const ANY_CHANGE: ChangeFilter = {
  ...{ principal: null, resource: null },
  ...{ application: null, dataSource: null, change: null },
};

/** How many changed pairs of a principal and a resource one answer has at most. */
const MOST_CHANGES = 100_000;
/** How much one answer looks at. Facts of an instant need some 100 MB. */
const OF_AN_ANSWER: ChangeBounds = { changed: 50_000, facts: 500_000, pairs: 50_000_000 };
/** How many times the limit of one step a complete answer may last. */
const MOST_STEPS = 4;
/** How many pairs one transaction compares. */
const PAIRS_AT_ONCE = 200_000;

/** Runs work in a transaction that is rolled back. */
export type Within = <A>(work: (tx: Runner) => Promise<A>) => Promise<A>;

/** Runs each piece of work in a transaction of its own. */
export const within =
  (graph: Graph, timeoutSeconds: number): Within =>
  (work) =>
    runTransaction(graph, { mode: 'write', end: 'rollback', timeoutSeconds }, work);

const byKeys = (a: ChangedAccess, b: ChangedAccess): number =>
  byCodeUnits(a.principal.id, b.principal.id) || byCodeUnits(a.resource.id, b.resource.id);

/** Begins no work after this many seconds: it rejects with `TooManyChanges`. */
export const withinSeconds = (run: Within, seconds: number): Within => {
  const latest = performance.now() + seconds * 1000;
  return (work) => (performance.now() > latest ? Promise.reject(new TooManyChanges()) : run(work));
};

/** A change with only what a filter asks for: what was gained, or what was lost. */
const narrowed =
  ({ change: asked }: ChangeFilter) =>
  (change: ChangedAccess): ChangedAccess =>
    asked === null ? change : { ...change, [asked === 'gained' ? 'lost' : 'gained']: [] };

/** Whether a change fits a filter. The filter has already narrowed the principals. */
const askedBy = ({
  resource,
  application,
  dataSource,
}: ChangeFilter): ((change: ChangedAccess) => boolean) => {
  const folded = application === null ? null : fold(application);
  return ({ resource: { id, application: its }, gained, lost }) =>
    gained.length + lost.length > 0 &&
    (resource === null || id === resource) &&
    (folded === null || (its !== null && fold(its) === folded)) &&
    (dataSource === null || id.startsWith(`${dataSource}|`));
};

/**
 * Whether everything from which the access of these principals, or else that to the resource, is
 * read is now as it was at both ends of a period. Then nobody need look at what changed elsewhere.
 */
const isLeft = async (
  run: Within,
  { from, to }: Period,
  { resource }: ChangeFilter,
  principals: readonly string[],
  walk: 'principal' | 'human',
): Promise<boolean> => {
  if (principals.length === 0 && resource === null) return false;
  const reach =
    principals.length > 0
      ? { asked: { principal: principals }, steps: WALKS[walk] }
      : { asked: { resource: resource ?? '' }, steps: WALKS.resource };
  const isAsAt = (at: Instant): Promise<boolean> => run((tx) => isUnchanged(tx, at, reach));
  return (await isAsAt(from)) && (await isAsAt(to));
};

/**
 * Finds who gained or lost what between two instants, by the keys of principals and resources
 * (docs/rules.md: Changes of access). Rejects with `TooManyChanges` or `WalkTooLong`.
 */
export const changesIn = async (
  run: Within,
  period: Period,
  filter: ChangeFilter,
  bounds: ChangeBounds = OF_AN_ANSWER,
): Promise<readonly ChangedAccess[]> => {
  const { principal, resource } = filter;
  const only = principal?.ids[0] ?? null;
  if (await isLeft(run, period, filter, only === null ? [] : [only], 'principal')) return [];
  const affected = await run((tx) => affectedIn(tx, period, resource, bounds));
  const { places, targets } = affected;
  const principals = affected.principals.filter((key) => only === null || key === only);
  if (principals.length * targets.length > bounds.pairs) throw new TooManyChanges();
  const atOnce = Math.max(1, Math.floor(PAIRS_AT_ONCE / Math.max(1, targets.length)));
  const isAsked = askedBy(filter);
  const changes: ChangedAccess[] = [];
  for (let at = 0; at < principals.length && targets.length > 0; at += atOnce) {
    const some = principals.slice(at, at + atOnce);
    const found = await run((tx) => compare(tx, period, some, places, bounds));
    for (const change of found.map(narrowed(filter))) if (isAsked(change)) changes.push(change);
    if (changes.length > MOST_CHANGES) throw new TooManyChanges();
  }
  return changes.sort(byKeys);
};

/** What a human gained or lost, with all accounts. Rejects as `changesIn` does. */
const changesOfHuman = async (
  run: Within,
  period: Period,
  human: PeriodHuman,
  filter: ChangeFilter,
): Promise<readonly ChangedAccess[]> => {
  if (await isLeft(run, period, filter, filter.principal?.ids ?? [], 'human')) return [];
  const { places, targets } = await run((tx) =>
    affectedIn(tx, period, filter.resource, OF_AN_ANSWER),
  );
  const nodes = human.nodes.from.length + human.nodes.to.length;
  if (nodes * targets.length > OF_AN_ANSWER.pairs) throw new TooManyChanges();
  if (targets.length === 0) return [];
  const found = await run((tx) => compareHuman(tx, period, human, places, OF_AN_ANSWER));
  const changes = found.map(narrowed(filter)).filter(askedBy(filter));
  if (changes.length > MOST_CHANGES) throw new TooManyChanges();
  return changes.sort(byKeys);
};

const isTooMany = (error: unknown): boolean =>
  error instanceof TooManyChanges || error instanceof WalkTooLong;

/** The changes, or `null` if too much changed to be compared. */
export const unlessTooMany = async <A>(changes: Promise<A>): Promise<A | null> => {
  try {
    return await changes;
  } catch (error) {
    if (isTooMany(error)) return null;
    throw error;
  }
};

/** The same if Neo4j may end the transaction: `null` also if it lasts too long. */
export const unlessTooMuch = async <A>(changes: Promise<A>): Promise<A | null> => {
  try {
    return await unlessTooMany(changes);
  } catch (error) {
    if (isTooMuch(error)) return null;
    throw error;
  }
};

/** What a question about changes is about: a push, or the time between two instants. */
export type Span =
  | { readonly push: string }
  | {
      readonly since: Instant;
      /** `null` means now. */
      readonly until: Instant | null;
    };

/** The changes of a period. */
export interface PeriodChanges {
  readonly period: Period;
  /**
   * Whether the period begins with the history, because the history begins later than the requested
   * instant.
   */
  readonly isFromBeginning: boolean;
  /** The human to whom these changes belong; `null` if the question is not about a human. */
  readonly human: PeriodHuman | null;
  readonly changes: readonly ChangedAccess[];
}

/** Answers who gained or lost what. */
export interface AccessChanges {
  find(span: Span, filter: ChangeFilter): TE.TaskEither<Failure, PeriodChanges>;
}

/** A failure that the question itself causes. */
class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure._tag);
  }
}

const periodOfPush = async (tx: Runner, push: string): Promise<Period> => {
  const { records } = await tx.run<{ at: string }>(INSTANT_OF_PUSH, { push });
  const [found] = records;
  if (found === undefined)
    throw new Refused({ _tag: 'NotFound', message: 'There is no push with this id.' });
  const to = new Instant(found.get('at'));
  return { from: justBefore(to), to };
};

const periodOfTime = ({ since, until }: Exclude<Span, { push: string }>): Period => {
  const later = until === null ? null : inFuture('/until', until);
  if (later !== null) throw new Refused(later);
  const to = until ?? present();
  if (nanosOf(to) > nanosOf(since)) return { from: since, to };
  throw new Refused(refusedInstant('/since', 'is not earlier than the end of the period'));
};

/**
 * The instants of a question. A time that begins before the history begins with it instead. Throws
 * `Refused` if a push is older, or if there is no history.
 */
const periodOf = async (
  tx: Runner,
  span: Span,
): Promise<Pick<PeriodChanges, 'period' | 'isFromBeginning'>> => {
  const isPush = 'push' in span;
  const period = isPush ? await periodOfPush(tx, span.push) : periodOfTime(span);
  const reached = await newestBy(tx, period.from, isPush ? '/push' : '/since');
  if (E.isRight(reached)) return { period, isFromBeginning: false };
  const beginning = isPush ? null : await beginningOfHistory(tx);
  if (beginning === null || nanosOf(beginning) >= nanosOf(period.to)) {
    throw new Refused(reached.left);
  }
  return { period: { ...period, from: beginning }, isFromBeginning: true };
};

const tooLarge = (seconds: number): Failure => ({
  _tag: 'TooLarge',
  message: `The access of too many changed in that time. Ask for a shorter time, for one principal, or for one resource. An answer takes up to ${seconds} s for each step (LIMIT_ANSWER_SECONDS) and ${MOST_STEPS * seconds} s in all, compares up to ${OF_AN_ANSWER.pairs} pairs, and has up to ${MOST_CHANGES}.`,
});

/** The failure of a question about changes that may last this many seconds. */
export const changesFailure =
  (seconds: number) =>
  (error: unknown): Failure => {
    if (error instanceof Refused) return error.failure;
    return isTooMany(error) || isTooMuch(error) ? tooLarge(seconds) : toFailure(error);
  };

// Changes of the past do not change unless a push is late, so pages may be a minute old.
const KEPT_MS = 60_000;
const MOST_KEPT = 300_000;

/**
 * Answers about changes of access from the graph. It stores an answer for a minute, for its pages.
 */
export const graphAccessChanges = (graph: Graph, timeoutSeconds: number): AccessChanges => {
  const kept = new LRUCache<string, PeriodChanges>({ maxSize: MOST_KEPT, ttl: KEPT_MS });
  const find = async (span: Span, filter: ChangeFilter): Promise<PeriodChanges> => {
    const inRollback = withinSeconds(within(graph, timeoutSeconds), MOST_STEPS * timeoutSeconds);
    const asked = await inRollback((tx) => periodOf(tx, span));
    const { period } = asked;
    const name = JSON.stringify([period, filter]);
    const known = kept.get(name);
    if (known !== undefined) return { ...known, ...asked };
    const { principal } = filter;
    const missing = await inRollback((tx) =>
      missingThen(tx, period, { ...filter, principals: principal?.ids ?? [] }),
    );
    if (missing !== null) throw new Refused(missing);
    const human =
      principal !== null && mayBeHuman(principal)
        ? await humanOfPeriod(inRollback, period, principal, OF_AN_ANSWER.facts)
        : null;
    if (human !== null && '_tag' in human) throw new Refused(human);
    const changes = await (human === null
      ? changesIn(inRollback, period, filter)
      : changesOfHuman(inRollback, period, human, filter));
    const found = { ...asked, human, changes };
    kept.set(name, found, { size: 1 + changes.length + (human?.accounts.length ?? 0) });
    return found;
  };
  return {
    find: (span, filter) => TE.tryCatch(() => find(span, filter), changesFailure(timeoutSeconds)),
  };
};
