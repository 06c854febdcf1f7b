import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import { type TeamKey, teamKeyRecord, type WantedTeamKey } from './records';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { FailedStep } from '../../neo4j/failure';
import { addUnlessTaken, inTransaction, LATEST, type Runner } from '../../neo4j/transaction';
import { fromGraph, toDateTime, toGraph } from '../../neo4j/values';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { endSignInsOfKey, FIND_KEY, LOCK_KEY } from '../../graph/records/key-sign-ins';
import { events } from './events';
import { takesAway } from './key-rights';

/** The fields of a key that a client may change. Absent fields stay as they are. */
export type TeamKeyChanges = Partial<WantedTeamKey & Pick<TeamKey, 'status'>>;

/** Makes the event of a change. The service commits it with the change. */
export type TellOfKey = (key: TeamKey) => EventRecord;

/** A key that replaces another one. */
export interface Succession {
  readonly key: TeamKey;
  /** The hash of the new key. */
  readonly hash: string;
  /** When the old key ends. */
  readonly until: string;
  readonly events: readonly EventRecord[];
}

const ADD_KEY = `CREATE (key:TeamKey {key: $id})
SET key += $properties`;

/** The event of the deletion of a key with this id, if there was one. `$id`, `$type`. */
const WAS_DELETED = `MATCH (event:Event {entity_id: $id})
WHERE event.event_type = $type
RETURN event.key AS id LIMIT 1`;

const LIST_KEYS = `MATCH (key:TeamKey)
RETURN properties(key) AS key`;

const FIND_KEY_BY_HASH = `MATCH (key:TeamKey {fold_hash: $hash})
RETURN properties(key) AS key`;

const CHANGE_KEY = `MATCH (key:TeamKey {key: $id})
SET key += $changes
RETURN properties(key) AS key`;

const REMOVE_KEY = `MATCH (key:TeamKey {key: $id})
WITH key, properties(key) AS removed
DELETE key
RETURN removed AS key`;

const NOTE_USE = `MATCH (key:TeamKey {key: $id})
WHERE key.last_used_at IS NULL OR key.last_used_at <= $at - duration('PT1M')
SET key.last_used_at = $at`;

const UNKNOWN_PROVIDERS = `UNWIND $ids AS id
OPTIONAL MATCH (provider:Provider {key: id})
WITH id, provider
WHERE provider IS NULL
RETURN id`;

type Stored = Readonly<Record<string, unknown>>;

const toTeamKey = (stored: Stored): TeamKey => teamKeyRecord.read(fromGraph(stored));

const toStored = (changes: TeamKeyChanges): Stored => toGraph(teamKeyRecord.stored(changes));

/** A form that is sent twice names one id for the key that it makes. */
const SENT_TWICE: Failure = {
  _tag: 'Conflict',
  message: 'This was sent before, and made a key then. Nothing was made now.',
};

/** Somebody sends a form again, and has deleted the key that it made. */
const DELETED_BEFORE: Failure = {
  _tag: 'Conflict',
  message: 'This was sent before, and made a key that somebody has deleted. Nothing was made now.',
};

/**
 * Adds a key. It looks for the deletion of an earlier key once it holds the id, so it also finds one
 * that is committed at the same time.
 */
const addKey = async (tx: Runner, key: TeamKey, hash: string): Promise<void> => {
  const properties = { ...toStored(key), fold_hash: hash };
  await tx.run(ADD_KEY, { id: key.id, properties });
  const type = events.TEAM_KEY_DELETED.name;
  const { records } = await tx.run(WAS_DELETED, { id: key.id, type });
  if (records.length > 0) throw new FailedStep(DELETED_BEFORE);
};

const oneKey = async (
  tx: Runner,
  statement: string,
  parameters: Stored,
  tell?: TellOfKey,
): Promise<TeamKey | null> => {
  const [record] = (await tx.run<{ key: Stored }>(statement, parameters)).records;
  if (record === undefined) return null;
  const key = toTeamKey(record.get('key'));
  if (tell !== undefined) await writeEvent(tx, tell(key));
  return key;
};

/** The team keys of the graph. */
export const graphTeamKeys = (graph: Graph) => ({
  add: (key: TeamKey, hash: string, tell: TellOfKey): TaskEither<Failure, void> =>
    addUnlessTaken(graph, SENT_TWICE, async (tx) => {
      await addKey(tx, key, hash);
      await writeEvent(tx, tell(key));
    }),

  list: (): TaskEither<Failure, readonly TeamKey[]> =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<{ key: Stored }>(LIST_KEYS)).records.map((record) =>
        toTeamKey(record.get('key')),
      ),
    ),

  find: (id: string): TaskEither<Failure, TeamKey | null> =>
    inTransaction(graph, LATEST, (tx) => oneKey(tx, FIND_KEY, { id })),

  /** Finds the key of this hash, even if it is revoked. */
  findByHash: (hash: string): TaskEither<Failure, TeamKey | null> =>
    inTransaction(graph, LATEST, (tx) => oneKey(tx, FIND_KEY_BY_HASH, { hash })),

  /** Changes a key, and resolves with its new state; `null` if there is no such key. */
  change: (
    id: string,
    changes: TeamKeyChanges,
    tell: TellOfKey,
  ): TaskEither<Failure, TeamKey | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(LOCK_KEY, { id });
      const before = await oneKey(tx, FIND_KEY, { id });
      const after = await oneKey(tx, CHANGE_KEY, { id, changes: toStored(changes) }, tell);
      if (before !== null && after !== null && takesAway(before, after, Date.now())) {
        await endSignInsOfKey(tx, id);
      }
      return after;
    }),

  /**
   * Adds a successor of a key in the same transaction in which it ends the key. `succeed` gets the
   * key under its lock, and resolves with what to write. Gives `null` if there is no such key.
   */
  rotate: (
    id: string,
    succeed: (key: TeamKey) => E.Either<Failure, Succession>,
  ): TaskEither<Failure, TeamKey | null> =>
    pipe(
      addUnlessTaken(graph, SENT_TWICE, async (tx): Promise<E.Either<Failure, TeamKey | null>> => {
        await tx.run(LOCK_KEY, { id });
        const old = await oneKey(tx, FIND_KEY, { id });
        if (old === null) return E.right(null);
        const succession = succeed(old);
        if (E.isLeft(succession)) return succession;
        const { key, hash, until, events: told } = succession.right;
        await tx.run(CHANGE_KEY, { id, changes: toStored({ expires_at: until }) });
        await addKey(tx, key, hash);
        for (const event of told) await writeEvent(tx, event);
        return E.right(key);
      }),
      TE.flatMapEither((rotated) => rotated),
    ),

  /** Removes a key, and resolves with its last state; `null` if there was no such key. */
  remove: (id: string, tell: TellOfKey): TaskEither<Failure, TeamKey | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      // Without the lock, two requests could both find the key, and both report its end.
      await tx.run(LOCK_KEY, { id });
      const removed = await oneKey(tx, REMOVE_KEY, { id }, tell);
      if (removed !== null) await endSignInsOfKey(tx, id);
      return removed;
    }),

  /** Records that a key was used, unless a use within the last minute is recorded already. */
  noteUse: (id: string, at: Instant): TaskEither<Failure, void> =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(NOTE_USE, { id, at: toDateTime(at) });
    }),

  /** Gives those of the ids that no provider has. */
  unknownProviders: (ids: readonly string[]): TaskEither<Failure, readonly string[]> =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<{ id: string }>(UNKNOWN_PROVIDERS, { ids })).records.map((record) =>
        record.get('id'),
      ),
    ),
});

/** The team keys in the graph. The graph holds only a hash of each key. */
export type TeamKeys = ReturnType<typeof graphTeamKeys>;
