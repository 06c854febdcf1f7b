import type { QueryResult } from 'neo4j-driver';

import type { Difference, HashedRow, StandingHashes } from '../../difference/difference';
import type { Known, Need } from '../../increment/standing';
import { LocalRole } from '../../model/application-nodes';
import { IdpGroup, IdpUser } from '../../model/identity-provider-nodes';
import { Instant } from '../../model/instant';
import type { Template } from '../../model/nodes';
import type { NodeKind } from '../../model/table';
import type { SharedNode } from '../../rows/row';
import type { PayloadTypes } from '../../rows/rows';
import {
  LOCK_BINDING,
  LOCK_DATA_SOURCE,
  READ_TURNS,
  READ_DATA_SOURCE,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from '../../translate/data-source-statements';
import { LOCK_LANES, LOCK_LARGE_PUSH } from '../../translate/large-push-statements';
import { BindingKinds } from './binding-kinds';
import type { Graph } from '../connection/driver';
import {
  keepKnownPayload,
  type KnownContent,
  type KnownPayload,
  readKnownContent,
  readKnownPayload,
} from '../records/known-payload';
import {
  beginLargePush,
  endLargePush,
  lanePrefix,
  type LargePushBegun,
  type PendingPush,
  replaceLargePush,
  toPendingPush,
} from './large-push';
import { Learner } from './learning';
import { Pipeline } from '../connection/pipeline';
import { type EventRecord, type PushRecord, writeEvent, writePush } from '../records/records';
import { keysByKind, readHashes, readRows } from './standing';
import { runTransaction, type Runner, type TransactionOptions } from '../connection/transaction';
import { fromGraph, toDateTime } from '../connection/values';
import { takeTurn, writeDifference, type WriteOptions } from './write-difference';
import type { PushWords } from './writing';

/** What a data source says of itself, read under its lock. */
export interface DataSourceState {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** `null` before the first push. */
  readonly digest: string | null;
  readonly rulesVersion: number | null;
  /** How many it holds. */
  readonly rows: number;
  /** Definitions of custom properties that earlier pushes made, as JSON. */
  readonly definitions: string | null;
  readonly lastPushAt: Instant | null;
  /** Whether somebody lets the next push past the mass-delete fuse (graph.md 6). */
  readonly isRemovalAllowed: boolean;
  /** The large push to it that is not finished. */
  readonly pending: PendingPush | null;
  readonly provider: {
    readonly id: string;
    readonly name: string;
    readonly template: Template;
    readonly state: string;
    readonly types: PayloadTypes;
  };
}

/** What a push leaves at its data source. */
export interface DataSourceOutcome {
  readonly digest: string;
  readonly rows: number;
  readonly rulesVersion: number;
  readonly definitions: string;
  readonly types: PayloadTypes;
  /** The payload to be remembered; `null` leaves the one that is. */
  readonly payload: KnownPayload | null;
}

/** A data source that one push holds: whatever is done to it stands once the transaction is committed, or never. */
export interface HeldDataSource {
  readonly state: DataSourceState;
  /** Hashes of all its rows, by local key. */
  hashes(): Promise<StandingHashes>;
  /** Whole rows as they stand, by local key. */
  rows(keys: Iterable<string>): Promise<ReadonlyMap<string, HashedRow>>;
  /** What is known of its rows, and answers to what an increment needs to know besides. */
  learn(known: Known, needs: readonly Need[]): Promise<Known>;
  /** Writes a difference, then what is derived from it (graph.md 5 and 6). */
  write(
    difference: Difference,
    shared: ReadonlyMap<string, SharedNode>,
    at: Instant,
    options?: WriteOptions,
  ): Promise<void>;
  /** Which of some Identity keys nobody is known as. */
  unmatchedIdentities(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of some CloudRole keys no role has. */
  unmatchedCloudRoles(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** How often the graph was changed, whichever data source: as long as that stands, so does what these two tell. */
  turns(): Promise<number>;
  /** What is remembered of its newest whole payload. */
  knownPayload(): Promise<KnownPayload | null>;
  /** What is remembered of what that says. */
  knownContent(): Promise<KnownContent | null>;
  /** Records an accepted push, what it left, and its events. A large push that was not finished ends with it. */
  record(
    push: PushRecord,
    outcome: DataSourceOutcome,
    events: readonly EventRecord[],
  ): Promise<void>;
  /** Begins a large push, in place of one that was not finished: once that is committed it is finished or replaced (graph.md 10). */
  begin(large: LargePushBegun): Promise<void>;
}

/** A data source that a large push holds, as long as it is applied. */
export interface HeldLargePush extends HeldDataSource {
  /** Rejects once the lock is lost: somebody else may go on with the push then. */
  stillHolds(): Promise<void>;
  /** Takes the binding lock and, of the pushes that changed the graph, the last place: its parts are all written. */
  takeTurn(): Promise<void>;
}

/** Another push holds the data source for longer than this one may wait (graph.md 6). */
export class DataSourceBusy extends Error {}

/** The data source is gone. */
export class DataSourceGone extends Error {}

/** The data source is being deleted. */
export class DataSourceDeleting extends Error {}

/** A large push to the data source is not finished: until it is, or another whole one takes its place, nobody knows what the data source holds. */
export class PushUnfinished extends Error {}

/** How long a push may wait and last. */
export interface PushLimits {
  readonly waitSeconds: number;
  readonly pushSeconds: number;
}

/** The graph as pushes use it. */
export interface GraphStore {
  /**
   * Runs the work in one transaction that holds the data source's lock; rejects with `DataSourceBusy`, `DataSourceGone`, `DataSourceDeleting` or
   * what the work or the driver rejects with, and then nothing is written. The work may run several times.
   */
  hold<A>(dataSource: string, push: string, work: (held: HeldDataSource) => Promise<A>): Promise<A>;
  /** The same, but nothing that the work does stays. */
  rehearse<A>(
    dataSource: string,
    push: string,
    work: (held: HeldDataSource) => Promise<A>,
  ): Promise<A>;
  /** Records a refused push and its event, which change no row (graph.md 6). */
  recordRefusal(push: PushRecord, event: EventRecord): Promise<void>;
}

/** The store of the graph. */
export const graphStore = (graph: Graph, limits: PushLimits): GraphStore => ({
  hold: (dataSource, push, work) =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work)),
  rehearse: (dataSource, push, work) =>
    holdDataSource(graph, limits, dataSource, push, unlessDeleting(work), 'rollback'),
  recordRefusal: (push, event) =>
    runTransaction(graph, { mode: 'write' }, async (tx) => {
      await writePush(tx, push);
      await writeEvent(tx, event);
    }),
});

const unlessDeleting =
  <A>(work: (held: HeldDataSource) => Promise<A>) =>
  (held: HeldDataSource): Promise<A> => {
    const { status, provider } = held.state;
    if (status === 'DELETING' || provider.state === 'DELETING') throw new DataSourceDeleting();
    return work(held);
  };

/** Holds a data source in one transaction, also one that is being deleted. */
export const holdDataSource = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  push: string,
  work: (held: HeldDataSource, tx: Runner) => Promise<A>,
  end: TransactionOptions['end'] = 'commit',
): Promise<A> => {
  const options = { mode: 'write', timeoutSeconds: limits.pushSeconds, end } as const;
  return unlessBegun(() =>
    runTransaction(graph, options, async (tx) => {
      // First that of a large push: who waits for one to end holds nothing that it needs.
      const [large, source] = await waitFor(limits, [
        tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push }),
        tx.run(LOCK_DATA_SOURCE, { data_source: dataSource, push }),
      ]);
      if (source?.records.length === 0) throw new DataSourceGone();
      const state = await readState(tx, dataSource);
      if (state.pending !== null) {
        if (large?.records.length === 0) throw new BegunMeanwhile();
        // Parts that somebody sent who has lost the lock are in the graph by now, or never will be.
        await tx.run(LOCK_LANES, { prefix: lanePrefix(dataSource), push });
      }
      return work(new Held(tx, state, push), tx);
    }),
  );
};

/** A large push has begun while its data source was waited for: its own lock comes first. */
class BegunMeanwhile extends Error {}

const unlessBegun = async <A>(hold: () => Promise<A>): Promise<A> => {
  for (;;) {
    try {
      return await hold();
    } catch (error) {
      if (!(error instanceof BegunMeanwhile)) throw error;
    }
  }
};

/** Somebody else goes on with the large push, or it has ended. */
export class LargePushTaken extends Error {}

/**
 * Holds a data source while a large push is applied to it, as long as that takes; not the lock of its node, which parts touch. The work may run
 * several times.
 */
export const holdLargePush = <A>(
  graph: Graph,
  limits: PushLimits,
  dataSource: string,
  runner: string,
  work: (held: HeldLargePush) => Promise<A>,
): Promise<A> =>
  // It lasts as long as there are parts to write, each of which has a limit of its own.
  runTransaction(
    graph,
    { mode: 'write', timeoutSeconds: 0, atMostSeconds: Infinity },
    async (tx) => {
      await waitFor(limits, [tx.run(LOCK_LARGE_PUSH, { data_source: dataSource, push: runner })]);
      const state = await readState(tx, dataSource);
      if (state.pending?.runner !== runner) throw new LargePushTaken();
      return work(new Held(tx, state, state.pending.push));
    },
  );

/** Waits for locks; leaving the transaction ends the wait in the database too. */
const waitFor = async (
  { waitSeconds }: PushLimits,
  statements: readonly Promise<QueryResult>[],
): Promise<readonly QueryResult[]> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DataSourceBusy()), waitSeconds * 1000);
  });
  const locked = Promise.all(statements);
  locked.catch(() => undefined);
  try {
    return await Promise.race([locked, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

type Stored = Readonly<Record<string, unknown>>;

const readState = async (tx: Runner, dataSource: string): Promise<DataSourceState> => {
  const { records } = await tx.run<{
    source: Stored;
    provider: Stored;
    large: Stored | null;
    removal_allowed: boolean;
  }>(READ_DATA_SOURCE, { data_source: dataSource });
  const [record] = records;
  if (record === undefined) throw new DataSourceGone();
  const source = fromGraph(record.get('source'));
  const provider = fromGraph(record.get('provider'));
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const required = (value: unknown): string => text(value) ?? '';
  const list = (value: unknown): readonly string[] =>
    Array.isArray(value) ? (value as string[]) : [];
  return {
    id: dataSource,
    name: required(source.name),
    status: text(source.status) ?? 'PENDING',
    digest: text(source.digest),
    rulesVersion: typeof source.rules_version === 'number' ? source.rules_version : null,
    rows: typeof source.rows === 'number' ? source.rows : 0,
    definitions: text(source.definitions),
    lastPushAt: source.last_push_at instanceof Instant ? source.last_push_at : null,
    isRemovalAllowed: record.get('removal_allowed'),
    pending: toPendingPush(record.get('large')),
    provider: {
      id: required(provider.id),
      name: required(provider.name),
      template: provider.custom_template as Template,
      state: required(provider.state),
      types: {
        application_types: list(provider.application_types),
        resource_types: list(provider.resource_types),
        idp_types: list(provider.idp_types),
      },
    },
  };
};

class Held implements HeldLargePush {
  /** Its place among the pushes that changed the graph; `null` as long as it has changed nothing. */
  private turn: number | null = null;

  constructor(
    private readonly tx: Runner,
    readonly state: DataSourceState,
    private readonly push: string,
  ) {}

  hashes(): Promise<StandingHashes> {
    return readHashes(this.tx, this.state.id, this.state.provider.template);
  }

  rows(keys: Iterable<string>): Promise<ReadonlyMap<string, HashedRow>> {
    return readRows(this.tx, this.state.id, keysByKind(this.state.provider.template, keys));
  }

  learn(known: Known, needs: readonly Need[]): Promise<Known> {
    return new Learner(this.tx, this.state.id, this.state.provider.template).learn(known, needs);
  }

  async write(
    difference: Difference,
    shared: ReadonlyMap<string, SharedNode>,
    at: Instant,
    options: WriteOptions = {},
  ): Promise<void> {
    const words: PushWords = {
      dataSource: this.state.id,
      provider: this.state.provider.name,
      at,
    };
    this.turn = await writeDifference(this.tx, words, this.push, difference, shared, options);
  }

  unmatchedIdentities(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.unmatched(UNMATCHED_IDENTITIES, keys, [IdpUser, IdpGroup]);
  }

  unmatchedCloudRoles(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.unmatched(UNMATCHED_CLOUD_ROLES, keys, [LocalRole]);
  }

  async turns(): Promise<number> {
    // Under the binding lock nobody else takes one.
    if (this.turn !== null) return this.turn;
    const { records } = await this.tx.run<{ turns: unknown }>(READ_TURNS);
    return Number(records[0]?.get('turns') ?? 0);
  }

  knownPayload(): Promise<KnownPayload | null> {
    return readKnownPayload(this.tx, this.state.id);
  }

  knownContent(): Promise<KnownContent | null> {
    return readKnownContent(this.tx, this.state.id);
  }

  async record(
    push: PushRecord,
    outcome: DataSourceOutcome,
    events: readonly EventRecord[],
  ): Promise<void> {
    const { pending } = this.state;
    const hasBegun = pending?.push === push.id;
    if (pending !== null && !hasBegun) await replaceLargePush(this.tx, pending);
    if (pending !== null) await endLargePush(this.tx, this.state.id, pending);
    // On their way together, in this order.
    const recorded = this.tx.run(RECORD_DATA_SOURCE, {
      data_source: this.state.id,
      set: {
        status: 'SUCCESS',
        digest: outcome.digest,
        rows: outcome.rows,
        rules_version: outcome.rulesVersion,
        definitions: outcome.definitions,
        last_push: push.id,
        last_push_at: toDateTime(new Instant(push.at)),
      },
    });
    const remembered =
      outcome.payload === null ? null : keepKnownPayload(this.tx, this.state.id, outcome.payload);
    const [isThere] = await Promise.all([
      writePush(this.tx, push, this.turn, hasBegun),
      recorded,
      remembered,
      ...events.map((event) => writeEvent(this.tx, event)),
    ]);
    if (!isThere) throw new DataSourceGone();
    await this.recordTypes(outcome.types);
  }

  async stillHolds(): Promise<void> {
    await this.tx.run('RETURN 1');
  }

  async takeTurn(): Promise<void> {
    this.turn = await takeTurn(new Pipeline(this.tx), this.push);
  }

  async begin(large: LargePushBegun): Promise<void> {
    const { id, pending } = this.state;
    if (pending !== null) await replaceLargePush(this.tx, pending);
    await beginLargePush(this.tx, id, large);
  }

  /** The provider is touched only by types that are new to it: its other data sources need not wait. */
  private async recordTypes(types: PayloadTypes): Promise<void> {
    const { id, types: standing } = this.state.provider;
    const names = ['application_types', 'resource_types', 'idp_types'] as const;
    const isNew = names.some((name) => types[name].some((type) => !standing[name].includes(type)));
    if (!isNew) return;
    await this.tx.run(LOCK_BINDING, { push: this.push });
    await this.tx.run(RECORD_TYPES, { provider: id, types });
  }

  private async unmatched(
    statement: string,
    keys: readonly string[],
    matching: readonly NodeKind[],
  ): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const pipeline = new Pipeline(this.tx);
    const kinds = await BindingKinds.read(pipeline);
    if (!matching.some((kind) => kinds.stood(kind))) return new Set(keys);
    const records = await pipeline.ask<{ keys: string[] }>(statement, 'keys', keys);
    return new Set(records.flatMap((record) => record.get('keys')));
  }
}
