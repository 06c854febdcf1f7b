import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { Role } from '../../contract/team-key';
import type { Actor, KeyAct } from '../../graph/records/event-record';
import type { Failure } from '../../problem';
import { masked } from '../../secrets/masked';
import type { Visitor } from '../../web/admission/visitor';
import { holderOf } from '../../web/routing/web';
import { admits } from '../keys/contract';
import { roleOfKey } from './key-role';
import {
  type FoundSession,
  type Session,
  type SessionRecords,
  type SessionTimes,
} from './session-records';
import { sessionEnded, signedIn, signedOut } from './sign-in-events';

/** The keys of the settings, by the names of their settings. */
export type OwnerKeys = ReadonlyMap<string, string>;

/** Somebody who proved who they are. */
export interface Newcomer {
  /** The same for all sessions of one person. */
  readonly subject: string;
  readonly name: string;
  readonly role: Role | null;
  readonly person: string | null;
  readonly address: string | null;
  /** The key with which they signed in, if they did. */
  readonly key?: { readonly keyId: string | null; readonly setting: string | null };
}

/** A new session, and what the browser must send to use it. */
export interface OpenedSession {
  readonly session: Session;
  readonly token: string;
  readonly seconds: number;
}

/** What sessions depend on. */
export interface SessionDeps {
  readonly records: SessionRecords;
  /** The secret of marks and form tokens, which all processes have. */
  readonly secret: () => Promise<string>;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly idleMinutes: number;
  readonly hours: number;
  readonly mostOfSubject: number;
}

/** Opens, finds and ends the sessions of people. */
export interface Sessions {
  /** Opens a session; those that the same browser had end. */
  readonly open: (
    newcomer: Newcomer,
    ownerKeys: OwnerKeys,
    requestId: string,
    before: readonly string[],
  ) => TaskEither<Failure, OpenedSession>;
  /**
   * Finds whose token it is; `null`: the session has ended, or there never was one. A stream that
   * stays open looks without using the session, which would never be idle otherwise.
   */
  readonly find: (
    token: string,
    address: string | null,
    ownerKeys: OwnerKeys,
    isUse?: boolean,
  ) => TaskEither<Failure, Visitor | null>;
  /** Whether this process has let the session in before and has not refused it since. */
  readonly isKnown: (token: string) => boolean;
  readonly list: () => TaskEither<Failure, readonly Session[]>;
  /** Ends the session of the person who asks for it. */
  readonly signOut: (visitor: Visitor, requestId: string) => TaskEither<Failure, void>;
  /** Ends a session of somebody; `false`: there is none. */
  readonly end: (id: string, act: KeyAct) => TaskEither<Failure, boolean>;
  readonly removeEnded: () => TaskEither<Failure, boolean>;
}

const MOST_KNOWN = 10_000;

/** The hash of a token or code, which the graph stores. They are long and random, so a fast one is enough. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A token that nobody can guess: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const markOf = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

/** The person whom events and pushes name: the key with which they signed in, or themselves. */
export const actorOf = (
  { keyId, setting, subject, name }: Pick<Session, 'keyId' | 'setting' | 'subject' | 'name'>,
  address: string | null,
): Actor => ({
  keyId: keyId ?? (setting === null ? `person:${subject}` : null),
  ...{ name, address },
});

/** The sessions of people. Every request reads its session, so an end counts on every process at once. */
export const sessions = ({
  records,
  secret,
  now,
  idleMinutes,
  hours,
  mostOfSubject,
}: SessionDeps): Sessions => {
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  const times = (): SessionTimes => ({ now: now(), idle: now() - idleMinutes * 60_000 });

  const keyMarkOf = (key: string | undefined, secretText: string): string | null =>
    key === undefined ? null : markOf(secretText, 'key of a setting', key).toString('base64url');

  /** The name and role that the person has now; `null`: their key lets nobody in any more. */
  const currentOf = (
    { session, key }: FoundSession,
    ownerKeys: OwnerKeys,
    secretText: string,
  ): { readonly name: string; readonly role: Role | null } | null => {
    if (session.setting !== null) {
      const mark = keyMarkOf(ownerKeys.get(session.setting), secretText);
      return mark !== null && mark === session.settingMark
        ? { name: session.name, role: session.role }
        : null;
    }
    if (session.keyId === null) return { name: session.name, role: session.role };
    if (key === null || !admits(key, now())) return null;
    const role = roleOfKey(holderOf(key));
    return role === null ? null : { name: key.name, role };
  };

  return {
    open: (newcomer, ownerKeys, requestId, before) =>
      pipe(
        TE.fromTask(secret),
        TE.flatMap((secretText) => {
          const token = newToken();
          const { keyId = null, setting = null } = newcomer.key ?? {};
          const since = new Date(now()).toISOString();
          const { subject, name, role, person, address } = newcomer;
          const session: Session = {
            ...{ id: randomUUID(), subject, name, role, person, address, keyId, setting, since },
            settingMark: setting === null ? null : keyMarkOf(ownerKeys.get(setting), secretText),
            lastSeen: since,
            endsAt: new Date(now() + hours * 3_600_000).toISOString(),
          };
          const replaced = before.map(hashOf);
          const event = signedIn(session, { at: since, requestId, by: actorOf(session, address) });
          return pipe(
            records.add(session, hashOf(token), replaced, mostOfSubject, event),
            TE.map(() => ({ session, token, seconds: hours * 3600 })),
          );
        }),
      ),

    find: (token, address, ownerKeys, isUse = true) => {
      const hash = hashOf(token);
      return pipe(
        TE.Do,
        TE.bind('secretText', () => TE.fromTask(secret)),
        TE.bind('found', () => records.find(hash, times(), isUse)),
        TE.map(({ found, secretText }): Visitor | null => {
          const current = found === null ? null : currentOf(found, ownerKeys, secretText);
          if (found === null || current === null) {
            known.delete(hash);
            return null;
          }
          known.set(hash, true);
          const { session } = found;
          return {
            by: actorOf({ ...session, name: current.name }, address),
            ...{ name: current.name, role: current.role, subject: session.subject },
            ...{ session: session.id, person: session.person },
            formToken: masked(markOf(secretText, 'form', token)),
          };
        }),
      );
    },

    isKnown: (token) => known.has(hashOf(token)),

    list: () => records.list(times()),

    signOut: ({ session, by }, requestId) =>
      pipe(
        records.end(session, (ended) => signedOut(ended, { at: at(now), requestId, by })),
        TE.map(() => undefined),
      ),

    end: (id, { by, requestId }) =>
      pipe(
        records.end(id, (ended) => sessionEnded(ended, { at: at(now), requestId, by })),
        TE.map((ended) => ended !== null),
      ),

    removeEnded: () => records.removeSome(times()),
  };
};

const at = (now: () => number): string => new Date(now()).toISOString();
