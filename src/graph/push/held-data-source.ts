import type { Difference, HashedRow, CurrentHashes } from '../../difference/difference';
import type { KnownRows, Need } from '../../increment/working/current-rows';
import { LocalRole } from '../../templates/application/local-roles';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import { Instant } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import type { SharedNode } from '../../rows/row/row';
import { type PayloadTypes, sameTypes } from '../../rows/row/payload-types';
import {
  LOCK_BINDING,
  READ_TURNS,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from '../../translate/records/data-source-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { toDateTime } from '../connection/values';
import { keepKnownPayload, type KnownPayload, readKnownPayload } from '../records/known-payload';
import { type EventRecord, writeEvent } from '../records/event-record';
import { type PushRecord, writePush } from '../records/push-record';
import { DerivationKinds } from '../write/derivation-kinds';
import { DataSourceGone, type DataSourceState } from './data-source-state';
import {
  beginChunkedPush,
  endChunkedPush,
  type ChunkedPushBegun,
  replaceChunkedPush,
} from './chunked-push-locks';
import { Learner } from './learning';
import { type PropertyNames, readPropertyNames } from './property-names';
import { keysByKind, readHashes, readRows } from '../write/current-rows';
import { takeCommitNumber, writeDifference, type WriteOptions } from '../write/write-difference';
import type { PushStamp } from '../write/writing';

/** What a push leaves at its data source. */
export interface DataSourceOutcome {
  readonly digest: string;
  readonly rows: number;
  readonly rulesVersion: number;
  /** What it remembers from then on; `null` leaves what it does. */
  readonly remembered: {
    /** As JSON. */
    readonly definitions: string;
    readonly types: PayloadTypes;
    readonly isMore: boolean;
    readonly propertyNames: readonly string[];
  } | null;
  /** The payload to be remembered; `null` leaves the one that is. */
  readonly payload: KnownPayload | null;
}

/** A data source that one push holds: whatever is done to it stands once the transaction is committed, or never. */
export interface HeldDataSource {
  readonly state: DataSourceState;
  /** Hashes of all its rows, by local key. */
  hashes(): Promise<CurrentHashes>;
  /** Whole rows as they stand, by local key; `onRead` is told how many are read by then, and may throw. */
  rows(
    keys: Iterable<string>,
    onRead?: (read: number) => void,
  ): Promise<ReadonlyMap<string, HashedRow>>;
  /** What is known of its rows, and answers to what an increment needs to know besides. */
  learn(known: KnownRows, needs: readonly Need[]): Promise<KnownRows>;
  /** Writes a difference, then what is derived from it (docs/rules.md: Derived relationships, Full pushes). */
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
  /** Names of custom and dynamic properties: those that Neo4j knows, and with them all that data sources have brought. */
  propertyNames(): Promise<PropertyNames>;
  /** What is remembered of its newest whole payload. */
  knownPayload(): Promise<KnownPayload | null>;
  /** Records an accepted push, what it left, and its events. A large push that was not finished ends with it. */
  record(
    push: PushRecord,
    outcome: DataSourceOutcome,
    events: readonly EventRecord[],
  ): Promise<void>;
  /** Begins a large push, in place of one that was not finished: once that is committed it is finished or replaced (docs/rules.md: Promises). */
  begin(large: ChunkedPushBegun): Promise<void>;
}

/** A data source that a large push holds, as long as it is applied. */
export interface HeldChunkedPush extends HeldDataSource {
  /** Rejects once the lock is lost: somebody else may go on with the push then. */
  stillHolds(): Promise<void>;
  /** Takes the derivation lock and, of the pushes that changed the graph, the last place: its parts are all written. */
  takeTurn(): Promise<void>;
}

/** A data source within the transaction that holds it. */
export class Held implements HeldChunkedPush {
  /** Its place among the pushes that changed the graph; `null` as long as it has changed nothing. */
  private turn: number | null = null;

  constructor(
    private readonly tx: Runner,
    readonly state: DataSourceState,
    private readonly push: string,
  ) {}

  hashes(): Promise<CurrentHashes> {
    return readHashes(this.tx, this.state.id, this.state.provider.template);
  }

  rows(
    keys: Iterable<string>,
    onRead?: (read: number) => void,
  ): Promise<ReadonlyMap<string, HashedRow>> {
    const { id, provider } = this.state;
    return readRows(this.tx, id, keysByKind(provider.template, keys), onRead);
  }

  learn(known: KnownRows, needs: readonly Need[]): Promise<KnownRows> {
    return new Learner(this.tx, this.state.id, this.state.provider.template).learn(known, needs);
  }

  async write(
    difference: Difference,
    shared: ReadonlyMap<string, SharedNode>,
    at: Instant,
    options: WriteOptions = {},
  ): Promise<void> {
    const words: PushStamp = {
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
    // Under the derivation lock nobody else takes one.
    if (this.turn !== null) return this.turn;
    const { records } = await this.tx.run<{ turns: unknown }>(READ_TURNS);
    return Number(records[0]?.get('turns') ?? 0);
  }

  propertyNames(): Promise<PropertyNames> {
    return readPropertyNames(this.tx);
  }

  knownPayload(): Promise<KnownPayload | null> {
    return readKnownPayload(this.tx, this.state.id);
  }

  async record(
    push: PushRecord,
    outcome: DataSourceOutcome,
    events: readonly EventRecord[],
  ): Promise<void> {
    const { pending } = this.state;
    const hasBegun = pending?.push === push.id;
    if (pending !== null && !hasBegun) await replaceChunkedPush(this.tx, pending);
    if (pending !== null) await endChunkedPush(this.tx, this.state.id, pending);
    // On their way together, in this order.
    const recorded = this.tx.run(RECORD_DATA_SOURCE, {
      data_source: this.state.id,
      set: {
        status: 'SUCCESS',
        digest: outcome.digest,
        rows: outcome.rows,
        rules_version: outcome.rulesVersion,
        ...(outcome.remembered !== null && {
          definitions: outcome.remembered.definitions,
          property_names: outcome.remembered.propertyNames,
          remembers_more: outcome.remembered.isMore,
          ...outcome.remembered.types,
        }),
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
    if (outcome.remembered !== null) await this.recordTypes(outcome.remembered.types);
  }

  async stillHolds(): Promise<void> {
    await this.tx.run('RETURN 1');
  }

  async takeTurn(): Promise<void> {
    this.turn = await takeCommitNumber(new Pipeline(this.tx), this.push);
  }

  async begin(large: ChunkedPushBegun): Promise<void> {
    const { id, pending } = this.state;
    if (pending !== null) await replaceChunkedPush(this.tx, pending);
    await beginChunkedPush(this.tx, id, { ...large, isReplacing: pending !== null });
  }

  /** The provider is touched only where the data source's types change: its other data sources need not wait. */
  private async recordTypes(types: PayloadTypes): Promise<void> {
    if (sameTypes(types, this.state.types)) return;
    await this.tx.run(LOCK_BINDING, { push: this.push });
    await this.tx.run(RECORD_TYPES, { provider: this.state.provider.id });
  }

  private async unmatched(
    statement: string,
    keys: readonly string[],
    matching: readonly NodeKind[],
  ): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const pipeline = new Pipeline(this.tx);
    const kinds = await DerivationKinds.read(pipeline);
    if (!matching.some((kind) => kinds.stood(kind))) return new Set(keys);
    const records = await pipeline.ask<{ keys: string[] }>(statement, 'keys', keys);
    return new Set(records.flatMap((record) => record.get('keys')));
  }
}
