import type { Difference, HashedRow, CurrentHashes } from '../../difference/difference';
import type { KnownRows, Need } from '../../increment/working/current-rows';
import { LocalRole } from '../../templates/application/local-roles';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { Employee } from '../../templates/hris/employees';
import { IdpUser } from '../../templates/identity-provider/users';
import { Instant } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import type { Trusts } from '../../templates/graph/trusts';
import type { SharedNode } from '../../rows/row/row';
import type { Called, ComparedKind } from '../../rows/look-alikes';
import { type PayloadTypes, sameTypes } from '../../rows/row/payload-types';
import {
  LOCK_BINDING,
  READ_TURNS,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  DOUBTFUL_ACCOUNTS,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from '../../graph/statements/data-source-statements';
import { END_UPLOAD, OPEN_UPLOAD } from './upload-statements';
import type { AccessGraph } from '../../access/access-graph';
import { accessAfter, type CopiedAccess } from '../../questions/changes/contract';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { erasedAmong } from '../../graph/write/erased-names';
import { keepKnownPayload, type KnownPayload, readKnownPayload } from './known-payload';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { type PushRecord, writePush } from '../../graph/records/push-record';
import { DerivationKinds } from '../../graph/write/derivation-kinds';
import { DataSourceGone, type DataSourceState } from './data-source-state';
import {
  beginChunkedPush,
  endChunkedPush,
  type ChunkedPushBegun,
  replaceChunkedPush,
} from './chunked-push-locks';
import { Learner } from './learning';
import { type PropertyNames, readPropertyNames } from './property-names';
import { type NameToFind, existingNames } from './existing-names';
import {
  graphKey,
  keysByKind,
  localKey,
  readHashes,
  readRows,
} from '../../graph/write/current-rows';
import {
  takeNumberOfRecord,
  writeDifference,
  type WriteOptions,
} from '../../graph/write/write-difference';
import type { PushStamp } from '../../graph/write/writing';

/** The state that a push leaves at its data source. */
export interface DataSourceOutcome {
  readonly digest: string;
  readonly rows: number;
  readonly rulesVersion: number;
  /** What the service remembers from now on; with `null` this does not change. */
  readonly remembered: {
    /** As JSON. */
    readonly definitions: string;
    readonly types: PayloadTypes;
    readonly isMore: boolean;
    readonly propertyNames: readonly string[];
  } | null;
  /** The newest full payload, which the service recognises; with `null` the earlier one remains. */
  readonly payload: KnownPayload | null;
}

/**
 * A data source under the lock of one push. Its writes are visible when the transaction commits, or
 * never.
 */
export interface HeldDataSource {
  readonly state: DataSourceState;
  /** Reads the hashes of all current rows, by local key. */
  hashes(): Promise<CurrentHashes>;
  /**
   * Reads complete current rows, by local key. Calls `onRead` with the number of rows read so far;
   * `onRead` may throw.
   */
  rows(
    keys: Iterable<string>,
    onRead?: (read: number) => void,
  ): Promise<ReadonlyMap<string, HashedRow>>;
  /** Adds to the known rows what the increment still needs. */
  learn(known: KnownRows, needs: readonly Need[]): Promise<KnownRows>;
  /**
   * Writes a diff, then the relationships derived from it (docs/rules.md: Derived relationships,
   * Full pushes).
   */
  write(
    difference: Difference,
    shared: ReadonlyMap<string, SharedNode>,
    at: Instant,
    options?: WriteOptions,
  ): Promise<void>;
  /**
   * Makes a copy of the access graph what the graph will be if the push commits. Gives `null` if that
   * needs too much memory.
   */
  accessAfter(copy: CopiedAccess): Promise<AccessGraph | null>;
  /** The Identity keys among `keys` that belong to no user or group. */
  unmatchedIdentities(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The CloudRole keys among `keys` that belong to no role. */
  unmatchedCloudRoles(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The employees among these who have the id of a user whom their provider may mean, and no account. */
  withoutAccounts(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** For each name, the first other entity of the kind that has it here, folded; or else `null`. */
  existingNames(
    compared: ComparedKind,
    asked: readonly NameToFind[],
  ): Promise<readonly (Called | null)[]>;
  /** What administrators say about claims of providers (docs/rules.md: Trusts). */
  trusts(): Promise<Trusts>;
  /**
   * Those of these folded names that belonged to an erased person. Calls `names` only if a person was
   * ever erased (docs/rules.md: Erasing a person).
   */
  erasedAmong(names: () => Iterable<string>): Promise<ReadonlySet<string>>;
  /**
   * The commit sequence number. While it stays the same, no push to any data source has changed the
   * graph, so the unmatched keys stay the same too.
   */
  turns(): Promise<number>;
  /**
   * Reads the custom and dynamic property names: those that Neo4j knows, and those that pushes to
   * any data source have brought.
   */
  propertyNames(): Promise<PropertyNames>;
  /** Reads what the service remembers of the newest full payload. */
  knownPayload(): Promise<KnownPayload | null>;
  /**
   * Records an accepted push, the state after it, and its events. Ends an unfinished chunked push.
   */
  record(
    push: PushRecord,
    outcome: DataSourceOutcome,
    events: readonly EventRecord[],
  ): Promise<void>;
  /** Whether an upload is still open. Only a push to its data source completes it. */
  isUploadOpen(upload: string): Promise<boolean>;
  /** Ends an upload: its payload is what this push brings. */
  endUpload(upload: string): Promise<void>;
  /**
   * Begins a chunked push and replaces an unfinished one. Once this is committed, the push is
   * finished or replaced (docs/rules.md: Promises).
   */
  begin(large: ChunkedPushBegun): Promise<void>;
}

/** A data source while a chunked push holds it. */
export interface HeldChunkedPush extends HeldDataSource {
  /** Rejects if the lock is lost. Another process may then take over the push. */
  stillHolds(): Promise<void>;
  /** Takes the derivation lock and the next commit sequence number, once all chunks are written. */
  takeTurn(at: Instant): Promise<void>;
}

/** A data source in the transaction that holds it. */
export class Held implements HeldChunkedPush {
  /** The commit sequence number of the push; `null` until the push changes the graph. */
  private turn: number | null = null;

  constructor(
    private readonly tx: Runner,
    readonly state: DataSourceState,
    private readonly push: string,
    private readonly keepsHistory: boolean,
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
      keepsHistory: this.keepsHistory && options.erases !== true,
    };
    this.turn = await writeDifference(this.tx, words, this.push, difference, shared, options);
  }

  accessAfter(copy: CopiedAccess): Promise<AccessGraph | null> {
    return accessAfter(this.tx, copy);
  }

  unmatchedIdentities(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.unmatched(UNMATCHED_IDENTITIES, keys, [IdpUser, IdpGroup]);
  }

  unmatchedCloudRoles(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.unmatched(UNMATCHED_CLOUD_ROLES, keys, [LocalRole]);
  }

  async withoutAccounts(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { id, provider } = this.state;
    const records = await new Pipeline(this.tx).ask<{
      key: string;
      id: string;
      providers: readonly string[];
    }>(
      DOUBTFUL_ACCOUNTS,
      'keys',
      keys.map((key) => graphKey(id, Employee, key)),
    );
    const trusts = await this.trusts();
    // Trusts that forbid a user say nothing about names.
    const doubtful = records.filter((record) => {
      const { allowed, denied } = trusts.answerersOf(provider.name, record.get('id'));
      return record
        .get('providers')
        .some((one) => (allowed === null || allowed.includes(one)) && !denied.includes(one));
    });
    return new Set(doubtful.map((record) => localKey(id, Employee, record.get('key'))));
  }

  existingNames(
    compared: ComparedKind,
    asked: readonly NameToFind[],
  ): Promise<readonly (Called | null)[]> {
    return existingNames(this.tx, this.state.id, compared, asked);
  }

  async trusts(): Promise<Trusts> {
    return (await DerivationKinds.read(new Pipeline(this.tx))).trusts;
  }

  async erasedAmong(names: () => Iterable<string>): Promise<ReadonlySet<string>> {
    return this.state.hasErased ? erasedAmong(this.tx, names) : new Set();
  }

  async turns(): Promise<number> {
    // The push holds the derivation lock, so no other push can get a number.
    if (this.turn !== null) return this.turn;
    const { records } = await this.tx.run<{ turns: unknown }>(READ_TURNS);
    return Number(records[0]?.get('turns') ?? 0);
  }

  propertyNames(): Promise<PropertyNames> {
    return readPropertyNames(this.tx, this.state.provider.id);
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
    // The statements go out together, in this order.
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

  async isUploadOpen(upload: string): Promise<boolean> {
    return (await this.tx.run(OPEN_UPLOAD, { upload })).records.length > 0;
  }

  async endUpload(upload: string): Promise<void> {
    await this.tx.run(END_UPLOAD, { upload });
  }

  async stillHolds(): Promise<void> {
    await this.tx.run('RETURN 1');
  }

  async takeTurn(at: Instant): Promise<void> {
    this.turn = await takeNumberOfRecord(this.tx, this.push, at);
  }

  async begin(large: ChunkedPushBegun): Promise<void> {
    const { id, pending } = this.state;
    if (pending !== null) await replaceChunkedPush(this.tx, pending);
    await beginChunkedPush(this.tx, id, { ...large, isReplacing: pending !== null });
  }

  /**
   * Updates the provider only if the types of the data source change, so that pushes to its other
   * data sources need not wait.
   */
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
