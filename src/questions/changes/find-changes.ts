import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import { type AccessGraph, NONE } from '../../access/access-graph';
import { compareAccess, type Comparison } from '../../access/comparison/comparison';
import { Effort, inOrder, type Pieces, spread } from '../../access/pieces';
import type { Summary } from '../../contract/answers/questions/access';
import type {
  AccessChangeList,
  ChangeCounts,
} from '../../contract/answers/questions/access-changes';
import { byCodeUnits, fold } from '../../model/fold';
import { nanosOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import { PushesAt } from '../memory/pushes-at';
import { mayBeHuman, type Subject } from '../humans/subject';
import { isSharedKey } from '../../templates/graph/kind-of-key';
import { typesOf } from '../../access/walk';
import { existedAt } from '../instant/existed';
import type { AccessMemory, AccessThen } from '../memory/access-memory';
import { missingThen } from './asked-then';
import { CausesOfRows, withPushes } from './causes';
import { ChangedPeople, everybodyIn, whoseIn } from './changed-people';
import {
  between,
  type Between,
  type ChangedAccess,
  rowOf,
  summariesIn,
  summaryIn,
} from './changed-rows';
import { type ChangedTarget, changesOfNodes, onlyThis } from './changes-of-nodes';
import { FirstPushes } from './first-pushes';
import { peopleFirst, placeOfPeopleFirst, restBehind, withoutCut } from './people-first';
import { type Existed, humanOfPeriod, type NodesOfHuman, nodesThatDecide } from './human-of-period';
import { inPieces, TooLong } from '../memory/in-pieces';
import { type AskedPeriod, type Period, periodOf, Refused, type Span } from './period';

/** What changes a question is about. `null` means any. */
export interface ChangeFilter {
  /** A principal or a human, and the key of a resource. */
  readonly principal: Subject | null;
  readonly resource: string | null;
  /** Whether what the resource contains counts too, at one of the two instants. */
  readonly contents: boolean;
  /** The name of the application that resources are in, in any case. */
  readonly application: string | null;
  /** The id of the data source that resources are from. */
  readonly dataSource: string | null;
  /** Only what was gained, or only what was lost. */
  readonly change: 'gained' | 'lost' | null;
}

/**
 * The row of a list of changes behind which a page begins: the place of its principal in the order of
 * the list, which usually is its key, and the key of its resource.
 */
export interface ChangePlace {
  readonly principal: string;
  readonly resource: string;
}

/** A page of a list of changes that a client requests. */
export interface WantedPage {
  readonly span: Span;
  readonly filter: ChangeFilter;
  /** Whether rows say whose they are, and what brought them about. */
  readonly details: boolean;
  /** Whether people come first, in place of the order of keys. Not of a question about a principal. */
  readonly peopleFirst: boolean;
  readonly size: number;
  /** `null` requests the first page. */
  readonly after: ChangePlace | null;
}

/** A human at both ends of a period (docs/rules.md: One human). */
export interface PeriodHuman {
  /** The node that gains what all theirs gain, at the later instant at which there is one. */
  readonly of: Summary;
  /** The keys of the nodes that gain what all their nodes gain, at each instant. */
  readonly ids: { readonly from: string | null; readonly to: string | null };
  /** All other nodes of the human. */
  readonly accounts: readonly Summary[];
}

/** A page of a list of changes, and the period of the list. */
export interface ChangesPage extends AskedPeriod {
  /** The human to whom these changes belong; `null` if the question is not about a human. */
  readonly human: PeriodHuman | null;
  readonly total: number;
  readonly counts: ChangeCounts;
  readonly rows: readonly ChangedAccess[];
  readonly hasMore: boolean;
  /** The place of the last row; `null` if there is none. */
  readonly end: ChangePlace | null;
  /** Whose rows go on on the next page of a list that has people first; `null`: nobody's. */
  readonly unfinished: NonNullable<AccessChangeList['unfinished']> | null;
}

/** Two instants, and what memory knows of them. */
interface Asked extends Between {
  readonly asked: AccessThen;
}

/** Changes that were found: of everybody, or of the nodes of one. */
type Found =
  | {
      readonly everybody: Comparison;
      readonly counts: ChangeCounts;
      /** All whose access changed, people first; `null`: in the order of their keys. */
      readonly peopleFirst: readonly number[] | null;
    }
  | {
      readonly human: NodesOfHuman | null;
      readonly principal: number;
      /** In the order of their keys. */
      readonly targets: readonly ChangedTarget[];
    };

const CONTAINS = typesOf(['CONTAINS']);

const askedBetween = (asked: AccessThen, period: Period): Asked => {
  const times = between(asked.graph, period);
  const [from, to] = times.moments;
  return { ...times, asked, moments: [Math.min(from, asked.moment), Math.min(to, asked.moment)] };
};

/**
 * Whether the period and its moments are as they were when the graph had changed so often: nothing
 * was committed since that lies before its end.
 */
const isSame =
  ({ asked, graph, period, moments }: Asked, changes: number) =>
  (): boolean => {
    if (!graph.isSameUntil(nanosOf(period.to), changes)) return false;
    const now = askedBetween(asked, period).moments;
    return now[0] === moments[0] && now[1] === moments[1];
  };

/** A resource and what it contains at one of the moments. */
function* insideOf(
  { asked: { access }, graph, moments }: Asked,
  resource: number,
): Pieces<ReadonlySet<number>> {
  const inside = new Set<number>();
  for (const moment of moments) {
    const found = yield* spread(graph, resource === NONE ? [] : [resource], (node, visit) =>
      access.walk.eachNext(node, CONTAINS, moment, visit),
    );
    for (const node of found) inside.add(node);
  }
  return inside;
}

/** The resources that a filter means; `null`: all. */
function* meantBy(
  times: Asked,
  { resource, contents }: Pick<ChangeFilter, 'resource' | 'contents'>,
): Pieces<ReadonlySet<number> | null> {
  if (resource === null) return null;
  const node = times.graph.find(resource);
  return contents ? yield* insideOf(times, node) : new Set([node]);
}

const targetFilter = (
  times: Between,
  { application, dataSource }: ChangeFilter,
  meant: ReadonlySet<number> | null,
): ((target: number) => boolean) => {
  const folded = application === null ? null : fold(application);
  return (target) => {
    const { graph } = times;
    if (meant?.has(target) === false) return false;
    if (dataSource !== null && !graph.key(target).startsWith(`${dataSource}|`)) return false;
    if (folded === null) return true;
    const its = summaryIn(times, target).application;
    return its !== null && fold(its) === folded;
  };
};

/** Only what a filter asks for: what was gained, or what was lost. */
const narrowed = (change: ChangedTarget, asked: ChangeFilter['change']): ChangedTarget =>
  asked === null
    ? change
    : {
        ...change,
        [asked === 'gained' ? 'lost' : 'gained']: [],
        natives: { gained: [], lost: [], [asked]: change.natives[asked] },
      };

function* changesOfSome(
  times: Asked,
  filter: ChangeFilter & { readonly principal: Subject },
  existed: Existed,
): Pieces<Found> {
  const { principal } = filter;
  const { asked, graph, moments } = times;
  const ids = [...new Set(principal.ids)].map((key) => graph.find(key));
  const known = ids.filter((node) => node !== NONE);
  const human = mayBeHuman(principal) ? humanOfPeriod(asked, moments, known, existed) : null;
  if (human !== null && '_tag' in human) throw new Refused(human);
  const [node = NONE] = ids;
  if (node === NONE) return { human: null, principal: NONE, targets: [] };
  const all = yield* changesOfNodes(asked, moments, human ?? onlyThis(node), human !== null);
  const isCounted = targetFilter(times, filter, yield* meantBy(times, filter));
  const effort = new Effort();
  const targets: ChangedTarget[] = [];
  for (const each of all) {
    if (effort.isTired(1)) yield;
    if (!isCounted(each.target)) continue;
    const wanted = narrowed(each, filter.change);
    if (wanted.gained.length + wanted.lost.length > 0) targets.push(wanted);
  }
  const sorted = yield* inOrder(targets, ({ target }) => graph.key(target));
  return { human, principal: human?.of ?? node, targets: sorted };
}

function* changesOfAll(times: Asked, filter: ChangeFilter, isPeopleFirst: boolean): Pieces<Found> {
  const { asked, graph, moments } = times;
  const { resource, contents } = filter;
  const everybody = yield* compareAccess(asked.access, moments, {
    target: resource === null || contents ? null : graph.find(resource),
    isCounted: targetFilter(times, filter, yield* meantBy(times, filter)),
    change: filter.change,
  });
  const counts = yield* everybodyIn(times, everybody);
  return {
    everybody,
    counts,
    peopleFirst: isPeopleFirst ? yield* peopleFirst(times, everybody) : null,
  };
}

/** Makes the rows of a page. */
export function* pageOf(
  times: Asked,
  found: Found,
  { size, after, details }: Pick<WantedPage, 'size' | 'after' | 'details'>,
): Pieces<Omit<ChangesPage, keyof AskedPeriod>> {
  const { graph } = times;
  const about = summariesIn(times);
  const endOf = (principal: string, target: number): ChangePlace => ({
    principal,
    resource: graph.key(target),
  });
  const causes = details ? new CausesOfRows(times.asked.access, times, about) : null;
  if ('everybody' in found) {
    const { everybody, counts } = found;
    const order =
      found.peopleFirst === null
        ? everybody.byKey
        : { principals: found.peopleFirst, textOf: placeOfPeopleFirst(times) };
    const behind = after && ([after.principal, after.resource] as const);
    const pairs = yield* everybody.pairs(size + 1, behind, order);
    const shown =
      found.peopleFirst === null ? pairs.slice(0, size) : yield* withoutCut(times, pairs, size);
    const last = shown.at(-1);
    const rows: ChangedAccess[] = [];
    const effort = new Effort();
    for (const pair of shown) {
      const row = yield* rowOf(about, pair, effort);
      if (causes === null) {
        rows.push(row);
        continue;
      }
      const { principal } = pair;
      rows.push({
        ...row,
        ...whoseIn(times, principal, about),
        causes: yield* causes.of([principal, principal], pair),
      });
      yield;
    }
    const end = last === undefined ? null : endOf(order.textOf(last.principal), last.target);
    const isCut = found.peopleFirst !== null && pairs.length > size && last !== undefined;
    const unfinished = isCut ? yield* restBehind(times, everybody, order, last) : null;
    return {
      human: null,
      total: everybody.counts.pairs,
      counts,
      hasMore: pairs.length > size,
      rows,
      end,
      unfinished: unfinished && { of: about(unfinished.head), more: unfinished.more },
    };
  }
  const { human, principal, targets } = found;
  const last = (some: readonly ChangedTarget[]): ChangePlace | null => {
    const { target } = some.at(-1) ?? {};
    return target === undefined ? null : endOf(key, target);
  };
  const key = principal === NONE ? '' : graph.key(principal);
  const rest = targets.filter(
    ({ target }) =>
      after === null ||
      key > after.principal ||
      (key === after.principal && graph.key(target) > after.resource),
  );
  const rows: ChangedAccess[] = [];
  for (const { target, gained, lost, natives } of rest.slice(0, size)) {
    const row = { principal: about(principal), resource: about(target), gained, lost };
    if (causes === null) {
      rows.push(row);
      continue;
    }
    rows.push({
      ...row,
      ...whoseIn(times, principal, about),
      causes: yield* causes.of(human?.firsts ?? [principal, principal], { target, ...natives }),
    });
    yield;
  }
  const people = new ChangedPeople(times);
  const sum = (change: 'gained' | 'lost'): number =>
    targets.reduce((all, each) => all + each[change].length, 0);
  if (targets.length > 0) people.add(principal, sum('gained'), sum('lost'));
  return {
    human: human && shownHuman(about, human, graph),
    total: targets.length,
    counts: people.counts(targets.length),
    hasMore: rest.length > size,
    rows,
    end: last(rest.slice(0, size)),
    unfinished: null,
  };
}

const shownHuman = (
  about: (node: number) => Summary,
  { of, firsts, nodes }: NodesOfHuman,
  graph: AccessGraph,
): PeriodHuman => {
  const [from, to] = firsts.map((node) => (node === NONE ? null : graph.key(node)));
  return {
    of: about(of),
    ids: { from: from ?? null, to: to ?? null },
    accounts: [...new Set(nodes.flat())]
      .filter((node) => node !== of)
      .map(about)
      .sort((a, b) => byCodeUnits(a.id, b.id)),
  };
};

/** The same answer is good for a minute, for its pages: the past changes only if a push is late. */
const REMEMBERED_MS = 60_000;
/** The most numbers in all answers that the process remembers. */
const MOST_REMEMBERED = 4_000_000;

const sizeOf = (found: Found): number =>
  'everybody' in found
    ? found.everybody.size + (found.peopleFirst?.length ?? 0)
    : found.targets.length + 1;

/** What was found, and how often the graph had changed by then. */
interface Remembered {
  readonly found: Found;
  readonly changes: number;
}

/** Answers about changes from the access graph in memory. */
class FoundChanges {
  private readonly pushes = { at: new PushesAt(), firsts: new FirstPushes() };
  private readonly remembered = new WeakMap<AccessGraph, LRUCache<string, Remembered>>();

  constructor(
    private readonly graph: Graph,
    private readonly memory: AccessMemory,
    private readonly seconds: number,
    private readonly comparisonSeconds: number,
  ) {}

  async find({ span, filter, ...wanted }: WantedPage): Promise<ChangesPage> {
    const period = await this.read((tx) => periodOf(tx, span));
    const missing = await this.read((tx) =>
      missingThen(tx, period.period, { ...filter, principals: filter.principal?.ids ?? [] }),
    );
    if (missing !== null) throw new Refused(missing);
    const existed = await this.existed(period.period, filter.principal);
    let latest: number | null = null;
    for (;;) {
      const times = askedBetween(await this.now(), period.period);
      // The time for which it waits for the graph first has a limit of its own.
      latest ??= performance.now() + this.comparisonSeconds * 1_000;
      const found = await this.found(times, { filter, ...wanted }, existed, latest);
      if (found === null) continue;
      const isValid = isSame(times, times.graph.changes);
      const page = await inPieces(pageOf(times, found, wanted), isValid, latest);
      if (page === null) continue;
      if (!wanted.details) return { ...period, ...page };
      const rows = await this.read((tx) => withPushes(tx, this.pushes, page.rows));
      return { ...period, ...page, rows };
    }
  }

  /**
   * Returns `null` if the graph changed in a pause so that what lies before the end of the period
   * changed.
   */
  private async found(
    times: Asked,
    { filter, peopleFirst }: Pick<WantedPage, 'filter' | 'peopleFirst'>,
    existed: ReadonlySet<string>,
    latest: number,
  ): Promise<Found | null> {
    const { graph } = times;
    const known = this.rememberedOf(graph);
    const name = JSON.stringify([times.period, filter, peopleFirst]);
    const { changes } = graph;
    const before = known.get(name);
    if (before !== undefined && isSame(times, before.changes)()) return before.found;
    const { principal } = filter;
    const work =
      principal === null
        ? changesOfAll(times, filter, peopleFirst)
        : changesOfSome(times, { ...filter, principal }, (node, side) =>
            isSharedKey(graph.key(node))
              ? existed.has(`${side} ${graph.key(node)}`)
              : graph.exists(node, times.moments[side]),
          );
    const found = await inPieces(work, isSame(times, changes), latest);
    if (found !== null) known.set(name, { found, changes }, { size: sizeOf(found) });
    return found;
  }

  /**
   * Those of the shared nodes that decide whom a question means, and that existed at the instants.
   * Neo4j knows this: they exist while something leads to them, whatever it is.
   */
  private async existed(period: Period, asked: Subject | null): Promise<ReadonlySet<string>> {
    if (asked === null || !mayBeHuman(asked)) return new Set();
    const { asked: then, moments } = askedBetween(await this.now(), period);
    const ids = asked.ids.map((key) => then.graph.find(key)).filter((node) => node !== NONE);
    const keys = nodesThatDecide(then, moments, ids)
      .map((node) => then.graph.key(node))
      .filter(isSharedKey);
    const found = await this.read((tx) =>
      Promise.all([period.from, period.to].map((at) => existedAt(tx, at, keys))),
    );
    return new Set(found.flatMap((some, side) => [...some].map((key) => `${side} ${key}`)));
  }

  private async now(): Promise<AccessThen> {
    const then = await this.memory.then(null, '')();
    if (E.isLeft(then)) throw new Refused(then.left);
    return then.right;
  }

  private read<A>(work: (tx: Runner) => Promise<A>): Promise<A> {
    return runTransaction(this.graph, { mode: 'read', timeoutSeconds: this.seconds }, work);
  }

  private rememberedOf(graph: AccessGraph): LRUCache<string, Remembered> {
    const known =
      this.remembered.get(graph) ?? new LRUCache({ maxSize: MOST_REMEMBERED, ttl: REMEMBERED_MS });
    this.remembered.set(graph, known);
    return known;
  }
}

const tooLong = (seconds: number): Failure => ({
  _tag: 'TooLarge',
  message: `The access of so many changed in that time that the service could not compare it in ${seconds} s (LIMIT_ANSWER_SECONDS). Ask for a shorter time, for one principal, or for one resource.`,
});

/** Finds who gained and who lost what (docs/rules.md: Changes of access). */
export const findChanges = (
  graph: Graph,
  memory: AccessMemory,
  seconds: number,
  comparisonSeconds = seconds,
): ((wanted: WantedPage) => TE.TaskEither<Failure, ChangesPage>) => {
  const changes = new FoundChanges(graph, memory, seconds, comparisonSeconds);
  return (wanted) =>
    TE.tryCatch(
      () => changes.find(wanted),
      (error) => {
        if (error instanceof Refused) return error.failure;
        return error instanceof TooLong ? tooLong(comparisonSeconds) : toFailure(error);
      },
    );
};
