import neo4j from 'neo4j-driver';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import { Role } from '../../../contract/team-key';
import { type TeamKey, teamKeyRecord } from '../../keys/records';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';
import { FIND_KEY, LOCK_KEY } from '../../../graph/records/key-sign-ins';
import { Instant } from '../../../model/instant';
import type { Graph } from '../../../neo4j/driver';
import { inTransaction, LATEST, type Runner } from '../../../neo4j/transaction';
import { dateTime } from './date-time';
import { inEither } from './in-either';
import { fromGraph, toDateTime, utcOf } from '../../../neo4j/values';
import type { Failure } from '../../../problem';
import { USE_ANSWER } from '../issuer/statements';
import { countOne } from './sign-in-counts';
import {
  ADD_SESSION,
  END_CODES_OF_SETTING,
  END_OLDEST_SESSIONS,
  END_SESSION,
  END_SESSION_OF_TOKEN,
  END_SESSIONS_OF_SETTING,
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
  /** The sealed ID token of the issuer; `null`: it has none, or was not read. */
  readonly idToken: string | null;
  readonly since: string;
  readonly lastSeen: string;
  readonly endsAt: string;
}

/** A session, and the team key that it needs; `null`: it needs none, or the key is gone. */
export interface FoundSession {
  readonly session: Session;
  readonly key: TeamKey | null;
  /** Whether the person of the graph is there and active, if the session has one. */
  readonly isPersonActive: boolean;
}

/** A session that begins. */
export interface Beginning {
  readonly session: Session;
  /** The hash of its token. */
  readonly hash: string;
  /** Hashes of the tokens that the same browser had. */
  readonly replaced: readonly string[];
  /** The hash of the answer of an issuer that is used for it; `null`: there is none. */
  readonly answer: string | null;
  readonly event: EventRecord;
}

/** How many sessions somebody may have at once, and how often they may sign in within an hour. */
export interface SessionQuota {
  readonly sessions: number;
  readonly signIns: number;
}

/** The times by which sessions are judged, in milliseconds since 1970. */
export interface SessionTimes {
  readonly now: number;
  /** Sessions that nobody has used since then have ended. */
  readonly idle: number;
}

/** The mark of the present value of a setting; `null`: it has none. */
export type MarkOfSetting = string | null;

type Stored = Readonly<Record<string, unknown>>;

/** How often the service notes that somebody is here. */
const NOTED_MS = 60_000;
const REMOVED_AT_ONCE = 1_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toSession = (stored: Stored): Session => {
  const { id, subject, name, role, people, since, last_seen, ends_at, ...rest } = fromGraph(stored);
  const [person = null] = Array.isArray(people) ? (people as readonly string[]) : [];
  return {
    id: textOf(id),
    subject: textOf(subject),
    name: textOf(name),
    person,
    role: Role.is(role) ? role : null,
    keyId: textOr(rest.key_id),
    setting: textOr(rest.setting),
    settingMark: textOr(rest.setting_mark),
    address: textOr(rest.address),
    idToken: textOr(rest.id_token),
    since: utcOf(since) ?? '',
    lastSeen: utcOf(last_seen) ?? '',
    endsAt: utcOf(ends_at) ?? '',
  };
};

/** Reads a team key from its properties, if there are any. */
export const toTeamKey = (stored: Stored | null): TeamKey | null =>
  stored === null ? null : teamKeyRecord.read(fromGraph(stored));

/** What `FIND_SESSION` and `LIST_SESSIONS` return. */
interface RowOfSession {
  readonly session: Stored;
  readonly key: Stored | null;
  readonly is_active: boolean;
}

const toFound = (record: {
  get<K extends keyof RowOfSession>(name: K): RowOfSession[K];
}): FoundSession => ({
  session: toSession(record.get('session')),
  key: toTeamKey(record.get('key')),
  isPersonActive: record.get('is_active'),
});

const toStored = (session: Session, hash: string): Stored => ({
  id: session.id,
  subject: session.subject,
  name: session.name,
  role: session.role,
  key_id: session.keyId,
  setting: session.setting,
  setting_mark: session.settingMark,
  people: session.person === null ? null : [session.person],
  address: session.address,
  id_token: session.idToken,
  last_seen: toDateTime(new Instant(session.lastSeen)),
  ends_at: toDateTime(new Instant(session.endsAt)),
  fold_hash: hash,
});

const timesOf = ({ now, idle }: SessionTimes): Stored => ({
  now: dateTime(now),
  idle: dateTime(idle),
});

/** The answer if a key ended while somebody signed in with it. */
export const KEY_ENDED: Failure = { _tag: 'Unauthenticated', message: 'The key is not known.' };

/** The answer if an answer of an issuer comes a second time. */
export const USED_BEFORE: Failure = {
  _tag: 'Unauthenticated',
  message: 'The answer of the issuer was used already: begin again.',
};

/** Reads a team key under its lock, so that it does not end meanwhile; `null`: there is none. */
export const lockedKey = async (tx: Runner, id: string): Promise<TeamKey | null> => {
  await tx.run(LOCK_KEY, { id });
  const { records } = await tx.run<{ key: Stored }>(FIND_KEY, { id });
  return toTeamKey(records[0]?.get('key') ?? null);
};

/** Notes that the answer of an issuer was used for a session; `false`: not for the first time. */
const useAnswer = async (
  tx: Runner,
  hash: string,
  session: string,
  now: number,
): Promise<boolean> => {
  const { records } = await tx.run<{ isFirst: boolean }>(USE_ANSWER, {
    hash,
    request: session,
    at: dateTime(now),
    until: dateTime(now),
  });
  return records[0]?.get('isFirst') === true;
};

const ended = async (
  tx: Runner,
  statement: string,
  parameters: Stored,
): Promise<Session | null> => {
  const [record] = (await tx.run<{ session: Stored }>(statement, parameters)).records;
  return record === undefined ? null : toSession(record.get('session'));
};

/** The sessions of a graph. */
export const graphSessions = (graph: Graph) => ({
  /**
   * Adds a session, unless its key signs nobody in by then, or the answer of the issuer was used
   * before. All sign-ins of one person or key wait for one lock, on every process.
   */
  add: (
    { session, hash, replaced, answer, event }: Beginning,
    signsIn: (key: TeamKey) => boolean,
    quota: SessionQuota,
    now: number,
  ): TaskEither<Failure, void> =>
    inEither(graph, async (tx): Promise<E.Either<Failure, void>> => {
      const { subject, keyId } = session;
      const most = quota.signIns;
      const counted = await countOne(tx, subject, 'sign_ins', { most, now });
      if (E.isLeft(counted)) return counted;
      if (keyId !== null) {
        const key = await lockedKey(tx, keyId);
        if (key === null || !signsIn(key)) return E.left(KEY_ENDED);
      }
      if (answer !== null && !(await useAnswer(tx, answer, session.id, now))) {
        return E.left(USED_BEFORE);
      }
      for (const each of replaced) await ended(tx, END_SESSION_OF_TOKEN, { hash: each });
      await tx.run(ADD_SESSION, {
        id: session.id,
        at: toDateTime(new Instant(session.since)),
        properties: toStored(session, hash),
      });
      await tx.run(END_OLDEST_SESSIONS, { subject, most: neo4j.int(quota.sessions) });
      await writeEvent(tx, event);
      return E.right(undefined);
    }),

  /** Finds the session of a token. `isUse`: somebody uses it now, so it is not idle. */
  find: (
    hash: string,
    times: SessionTimes,
    isUse: boolean,
  ): TaskEither<Failure, FoundSession | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      const [record] = (await tx.run<RowOfSession>(FIND_SESSION, { hash, ...timesOf(times) }))
        .records;
      if (record === undefined) return null;
      const found = toFound(record);
      const { session } = found;
      if (isUse && Date.parse(session.lastSeen) <= times.now - NOTED_MS) {
        const { id } = session;
        const [now, before] = [dateTime(times.now), dateTime(times.now - NOTED_MS + 1)];
        await tx.run(NOTE_SEEN, { id, now, before });
      }
      return found;
    }),

  list: (times: SessionTimes): TaskEither<Failure, readonly FoundSession[]> =>
    inTransaction(graph, LATEST, async (tx) =>
      (await tx.run<RowOfSession>(LIST_SESSIONS, timesOf(times))).records.map(toFound),
    ),

  /** Ends a session, and reports it in the same transaction; `null`: there is none. */
  end: (id: string, tell: (ended: Session) => EventRecord): TaskEither<Failure, Session | null> =>
    inTransaction(graph, LATEST, async (tx) => {
      await tx.run(LOCK_SESSION, { id });
      const session = await ended(tx, END_SESSION, { id });
      if (session !== null) await writeEvent(tx, tell(session));
      return session;
    }),

  /** Ends what people have of settings that are not as they were, by the names of the settings. */
  endChanged: (marks: ReadonlyMap<string, MarkOfSetting>): TaskEither<Failure, void> =>
    inTransaction(graph, LATEST, async (tx) => {
      for (const [setting, mark] of marks) {
        await tx.run(END_SESSIONS_OF_SETTING, { setting, mark });
        await tx.run(END_CODES_OF_SETTING, { setting, mark });
      }
    }),

  /** Removes some sessions that ended by themselves. Resolves with `true` if there may be more. */
  removeSome: (times: SessionTimes): TaskEither<Failure, boolean> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ removed: unknown }>(REMOVE_ENDED_SESSIONS, {
        ...timesOf(times),
        most: neo4j.int(REMOVED_AT_ONCE),
      });
      return Number(records[0]?.get('removed') ?? 0) === REMOVED_AT_ONCE;
    }),
});

/** The sessions of the graph, which holds only a hash of each token. */
export type SessionRecords = ReturnType<typeof graphSessions>;
