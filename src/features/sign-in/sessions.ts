import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { TeamKey } from '../keys/records';
import type { Role } from '../../contract/team-key';
import { type Actor, type KeyAct, OF_PERSON } from '../../graph/records/event-record';
import type { Failure } from '../../problem';
import { masked } from '../../secrets/masked';
import { open, seal } from '../../secrets/seal';
import type { Visitor } from '../../web/admission/visitor';
import { holderOf } from '../../web/routing/web';
import { keySignsIn } from './key-role';
import { roleOfKey } from '../../web/admission/visitor';
import type {
  FoundSession,
  Session,
  SessionQuota,
  SessionRecords,
  SessionTimes,
} from './graph/session-records';
import { sessionEnded, signedIn, signedOut } from './sign-in-events';
import { OF_ISSUER } from './subjects';

/** The keys of the settings, by the names of their settings. */
export type OwnerKeys = ReadonlyMap<string, string>;

/** Somebody who proved who they are. */
export interface Newcomer {
  /** The id of the person, which all their sessions share. */
  readonly subject: string;
  readonly name: string;
  readonly role: Role | null;
  readonly person: string | null;
  readonly address: string | null;
  /** The team key, or the setting, by which they signed in; an issuer if unset. */
  readonly by?: { readonly keyId: string | null; readonly setting: string | null };
  /** The hash of the answer of an issuer that is used for it, if there is one. */
  readonly answer?: string;
  /** The ID token of the issuer, if there is one. */
  readonly idToken?: string | undefined;
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
  readonly quota: SessionQuota;
  /** What the settings say about people whom an issuer signs in. */
  readonly issuer: string;
}

const MOST_KNOWN = 10_000;

/**
 * How many characters of an ID token a session stores. It goes through a header at the sign-out, of
 * which proxies accept 4 KB in total. Somebody with a longer one is signed out without it.
 */
const LONGEST_ID_TOKEN = 3_000;

/** What seals the ID token of a session: only the browser that has its token can open it. */
const ownSecret = (secret: string, token: string): string => `${secret}\n${token}`;

/** The settings by which people sign in. */
const SETTINGS = ['API_KEY', 'API_KEY_NEXT', OF_ISSUER];

/** The hash of a token or code, which the graph stores. They are long and random, so a fast one is enough. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A token that nobody can guess: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const markOf = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

/**
 * Shows whether a setting is as it was; `null`: it is unset. Nobody can compute it without the secret,
 * which the graph does not hold.
 */
export const markOfSetting = (secret: string, value: string | null | undefined): string | null =>
  value == null ? null : markOf(secret, 'setting', value).toString('base64url');

/** The person whom events and pushes name: the key with which they signed in, or themselves. */
export const actorOf = (
  { keyId, setting, subject, name }: Pick<Session, 'keyId' | 'setting' | 'subject' | 'name'>,
  address: string | null,
): Actor => ({
  keyId: setting === OF_ISSUER ? `${OF_PERSON}${subject}` : keyId,
  name,
  address,
});

/**
 * Opens, finds and ends the sessions of people. Every request reads its session, so an end counts on
 * every process at once.
 */
export const sessions = ({
  records,
  secret,
  now,
  idleMinutes,
  hours,
  quota,
  issuer,
}: SessionDeps) => {
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  const times = (): SessionTimes => ({ now: now(), idle: now() - idleMinutes * 60_000 });

  const valueOf = (setting: string, ownerKeys: OwnerKeys): string | null =>
    setting === OF_ISSUER ? issuer : (ownerKeys.get(setting) ?? null);

  /** The name and role that the person has now; `null`: their key lets nobody in any more. */
  const currentOf = (
    { session, key, isPersonActive }: FoundSession,
    ownerKeys: OwnerKeys,
    secretText: string,
  ): { readonly name: string; readonly role: Role | null } | null => {
    if (!isPersonActive) return null;
    if (session.setting !== null) {
      const mark = markOfSetting(secretText, valueOf(session.setting, ownerKeys));
      return mark !== null && mark === session.settingMark
        ? { name: session.name, role: session.role }
        : null;
    }
    if (key === null || !signsIn(key)) return null;
    return { name: key.name, role: roleOfKey(holderOf(key)) };
  };

  const signsIn = (key: TeamKey): boolean => keySignsIn(key, now());

  return {
    /**
     * Opens a session; those that the same browser had end. Fails with `USED_BEFORE` if the answer of the
     * issuer was.
     */
    open: (
      newcomer: Newcomer,
      ownerKeys: OwnerKeys,
      requestId: string,
      before: readonly string[],
    ): TaskEither<Failure, OpenedSession> =>
      pipe(
        TE.fromTask(secret),
        TE.flatMap((secretText) => {
          const token = newToken();
          const { keyId, setting } = newcomer.by ?? { keyId: null, setting: OF_ISSUER };
          const since = new Date(now()).toISOString();
          const { subject, name, role, person, address, idToken } = newcomer;
          const session: Session = {
            id: randomUUID(),
            subject,
            name,
            role,
            person,
            address,
            keyId,
            setting,
            since,
            settingMark:
              setting === null ? null : markOfSetting(secretText, valueOf(setting, ownerKeys)),
            idToken:
              idToken === undefined || idToken.length > LONGEST_ID_TOKEN
                ? null
                : seal(idToken, ownSecret(secretText, token)),
            lastSeen: since,
            endsAt: new Date(now() + hours * 3_600_000).toISOString(),
          };
          const replaced = before.map(hashOf);
          const event = signedIn(session, { at: since, requestId, by: actorOf(session, address) });
          const { answer = null } = newcomer;
          const beginning = { session, hash: hashOf(token), replaced, answer, event };
          return pipe(
            records.add(beginning, signsIn, quota, now()),
            TE.map(() => ({ session, token, seconds: hours * 3600 })),
          );
        }),
      ),

    /**
     * Finds whose token it is; `null`: the session has ended, or there never was one. A stream that
     * stays open looks without using the session, which would never be idle otherwise.
     */
    find: (
      token: string,
      address: string | null,
      ownerKeys: OwnerKeys,
      isUse: boolean = true,
    ): TaskEither<Failure, Visitor | null> => {
      const hash = hashOf(token);
      return pipe(
        TE.Do,
        TE.bind('secretText', () => TE.fromTask(secret)),
        TE.bind('found', () => records.find(hash, times(), isUse)),
        TE.map(({ found, secretText }): Visitor | null => {
          const current = found === null ? null : currentOf(found, ownerKeys, secretText);
          if (found === null || current === null) return null;
          known.set(hash, true);
          const { session } = found;
          return {
            by: actorOf({ ...session, name: current.name }, address),
            name: current.name,
            role: current.role,
            subject: session.subject,
            session: session.id,
            person: session.person,
            formToken: masked(markOf(secretText, 'form', token)),
          };
        }),
      );
    },

    /** Whether this process has ever let the session in, so that its token is no guess. */
    isKnown: (token: string): boolean => known.has(hashOf(token)),

    list: (): TaskEither<Failure, readonly Session[]> =>
      pipe(
        records.list(times()),
        TE.map((all) =>
          all
            .filter(
              ({ session, key, isPersonActive }) =>
                isPersonActive && (session.setting !== null || (key !== null && signsIn(key))),
            )
            .map(({ session }) => session),
        ),
      ),

    /**
     * Ends the session of the person who asks for it. Resolves with the ID token of the session, if it
     * has one.
     */
    signOut: (
      { session, by }: Visitor,
      token: string,
      requestId: string,
    ): TaskEither<Failure, string | null> =>
      pipe(
        TE.Do,
        TE.bind('secretText', () => TE.fromTask(secret)),
        TE.bind('ended', () =>
          records.end(session, (ended) => signedOut(ended, { at: at(now), requestId, by })),
        ),
        TE.map(({ ended, secretText }) =>
          ended?.idToken == null ? null : open(ended.idToken, ownSecret(secretText, token)),
        ),
      ),

    /** Ends a session of somebody; `false`: there is none. */
    end: (id: string, { by, requestId }: KeyAct): TaskEither<Failure, boolean> =>
      pipe(
        records.end(id, (ended) => sessionEnded(ended, { at: at(now), requestId, by })),
        TE.map((ended) => ended !== null),
      ),

    /** Ends what people have of settings that are not as they were. */
    endChanged: (ownerKeys: OwnerKeys): TaskEither<Failure, void> =>
      pipe(
        TE.fromTask(secret),
        TE.flatMap((secretText) =>
          records.endChanged(
            new Map(
              SETTINGS.map((setting) => [
                setting,
                markOfSetting(secretText, valueOf(setting, ownerKeys)),
              ]),
            ),
          ),
        ),
      ),

    removeEnded: (): TaskEither<Failure, boolean> => records.removeSome(times()),
  };
};

const at = (now: () => number): string => new Date(now()).toISOString();
