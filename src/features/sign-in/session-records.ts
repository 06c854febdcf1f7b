import neo4j from 'neo4j-driver';
import type { TaskEither } from 'fp-ts/TaskEither';

import { Role } from '../../contract/team-key';
import { type TeamKey, teamKeyRecord } from '../../contract/records/team-key';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { Instant } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST, type Runner } from '../../neo4j/transaction';
import { fromGraph, toDateTime, utcOf } from '../../neo4j/values';
import type { Failure } from '../../problem';
import {
  ADD_SESSION,
  END_OLDEST_SESSIONS,
  END_SESSION,
  END_SESSION_OF_TOKEN,
  FIND_SESSION,
  LIST_SESSIONS,
  LOCK_SESSION,
  NOTE_SEEN,
  REMOVE_ENDED_SESSIONS,
} from './statements';

/** The key with which somebody signed in. */
export interface KeyOfSession {
  readonly keyId: string | null;
  /** The setting with the key, and a mark that shows whether it still has that key. */
  readonly setting: string | null;
  readonly settingMark: string | null;
}

/** A session as the graph has it. */
export interface Session extends KeyOfSession {
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly role: Role | null;
  readonly person: string | null;
  readonly address: string | null;
  readonly since: string;
  readonly lastSeen: string;
  readonly endsAt: string;
}

/** A session, and the team key that it needs; `null`: it needs none, or the key is gone. */
export interface FoundSession {
  readonly session: Session;
  readonly key: TeamKey | null;
}

/** The times by which sessions are judged, in milliseconds since 1970. */
export interface SessionTimes {
  readonly now: number;
  /** Sessions that nobody has used since then have ended. */
  readonly idle: number;
}

/** The sessions of the graph, which holds only a hash of each token. */
export interface SessionRecords {
  add(
    session: Session,
    hash: string,
    replaced: readonly string[],
    mostOfSubject: number,
    event: EventRecord,
  ): TaskEither<Failure, void>;
  /** Finds the session of a token. `isUse`: somebody uses it now, so it is not idle. */
  find(hash: string, times: SessionTimes, isUse: boolean): TaskEither<Failure, FoundSession | null>;
  list(times: SessionTimes): TaskEither<Failure, readonly Session[]>;
  /** Ends a session, and reports it in the same transaction; `null`: there is none. */
  end(id: string, tell: (ended: Session) => EventRecord): TaskEither<Failure, Session | null>;
  /** Removes some sessions that ended by themselves. Resolves with `true` if there may be more. */
  removeSome(times: SessionTimes): TaskEither<Failure, boolean>;
}

type Stored = Readonly<Record<string, unknown>>;

/** How often the service notes that somebody is here. */
const NOTED_MS = 60_000;
const REMOVED_AT_ONCE = 1_000;

export const dateTime = (ms: number) => toDateTime(new Instant(new Date(ms).toISOString()));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toSession = (stored: Stored): Session => {
  const { id, subject, name, role, people, since, last_seen, ends_at, ...rest } = fromGraph(stored);
  const [person = null] = Array.isArray(people) ? (people as readonly string[]) : [];
  return {
    ...{ id: textOf(id), subject: textOf(subject), name: textOf(name), person },
    role: Role.is(role) ? role : null,
    keyId: textOr(rest.key_id),
    setting: textOr(rest.setting),
    settingMark: textOr(rest.setting_mark),
    address: textOr(rest.address),
    since: utcOf(since) ?? '',
    lastSeen: utcOf(last_seen) ?? '',
    endsAt: utcOf(ends_at) ?? '',
  };
};

/** Reads a team key from its properties, if there are any. */
export const toTeamKey = (stored: Stored | null): TeamKey | null =>
  stored === null ? null : teamKeyRecord.read(fromGraph(stored));

const toStored = (session: Session, hash: string): Stored => ({
  ...{ id: session.id, subject: session.subject, name: session.name, role: session.role },
  ...{ key_id: session.keyId, setting: session.setting, setting_mark: session.settingMark },
  people: session.person === null ? null : [session.person],
  address: session.address,
  last_seen: toDateTime(new Instant(session.lastSeen)),
  ends_at: toDateTime(new Instant(session.endsAt)),
  fold_hash: hash,
});

const timesOf = ({ now, idle }: SessionTimes): Stored => ({
  now: dateTime(now),
  idle: dateTime(idle),
});

const ended = async (
  tx: Runner,
  statement: string,
  parameters: Stored,
): Promise<Session | null> => {
  const [record] = (await tx.run<{ session: Stored }>(statement, parameters)).records;
  return record === undefined ? null : toSession(record.get('session'));
};

/** The sessions of a graph. */
export const graphSessions = (graph: Graph): SessionRecords => ({
  add: (session, hash, replaced, mostOfSubject, event) =>
    inTransaction(graph, LATEST, async (tx) => {
      for (const each of replaced) await ended(tx, END_SESSION_OF_TOKEN, { hash: each });
      await tx.run(ADD_SESSION, {
        id: session.id,
        at: toDateTime(new Instant(session.since)),
        properties: toStored(session, hash),
      });
      const { subject } = session;
      await tx.run(END_OLDEST_SESSIONS, { subject, most: neo4j.int(mostOfSubject) });
      await writeEvent(tx, event);
    }),

  find: (hash, times, isUse) =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (
        await tx.run<{ session: Stored; key: Stored | null }>(FIND_SESSION, {
          hash,
          ...timesOf(times),
        })
      ).records;
      if (record === undefined) return null;
      const session = toSession(record.get('session'));
      if (isUse && Date.parse(session.lastSeen) <= times.now - NOTED_MS) {
        const { id } = session;
        const [now, before] = [dateTime(times.now), dateTime(times.now - NOTED_MS + 1)];
        await tx.run(NOTE_SEEN, { id, now, before });
      }
      return { session, key: toTeamKey(record.get('key')) };
    }),

  list: (times) =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<{ session: Stored }>(LIST_SESSIONS, timesOf(times))).records.map((record) =>
        toSession(record.get('session')),
      ),
    ),

  end: (id, tell) =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(LOCK_SESSION, { id });
      const session = await ended(tx, END_SESSION, { id });
      if (session !== null) await writeEvent(tx, tell(session));
      return session;
    }),

  removeSome: (times) =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ removed: unknown }>(REMOVE_ENDED_SESSIONS, {
        ...timesOf(times),
        most: neo4j.int(REMOVED_AT_ONCE),
      });
      return Number(records[0]?.get('removed') ?? 0) === REMOVED_AT_ONCE;
    }),
});
