import type { Request, Response } from 'express';

import type { Role } from '../../contract/team-key';
import type { TeamKeyScope } from '../../contract/team-key';
import type { Actor } from '../../graph/records/event-record';
import { cookiesOf } from '../exchange/cookies';
import type { KeyHolder } from '../routing/web';
import { callerOf } from './caller';

/** The name of the cookie of a session. With https, `__Host-` precedes it. */
export const SESSION_COOKIE = 'grantgraph-session';

/** A person who signed in, as pages know them. */
export interface Visitor {
  /** Whom events and pushes name. */
  readonly by: Actor;
  /** What people call them: their name, or that of the key with which they signed in. */
  readonly name: string;
  /** `null`: they see only their own access. */
  readonly role: Role | null;
  /** The same for all sessions of one person, and for no other; it names nobody. */
  readonly subject: string;
  /** The id of their session. */
  readonly session: string;
  /** The key of their node in the graph; `null`: no person of the graph is certainly theirs. */
  readonly person: string | null;
  /** Each form must hold this, in the field `form_token`. It is masked again for each request. */
  readonly formToken: string;
}

/** What a role allows, in the words of keys. */
export const scopesOfRole = (role: Role | null): readonly TeamKeyScope[] =>
  role === null ? [] : role === 'administrator' ? ['admin'] : ['read'];

/** What a key may be, as far as a role follows from it. */
export type KeyRights = Pick<KeyHolder, 'scopes' | 'providers'>;

/**
 * The role of somebody who signs in with a key; `null`: the key signs nobody in. The pages show what
 * all providers pushed, so a key that is limited to providers does not. With `read` a key sees events
 * and exports, so it gives the role that sees them too.
 */
export const roleOfKey = ({ scopes, providers }: KeyRights): Role | null => {
  if (providers !== null) return null;
  if (scopes.includes('admin')) return 'administrator';
  return scopes.includes('read') ? 'auditor' : null;
};

interface Locals {
  visitor?: Visitor;
  sessionToken?: string;
}

/** Notes who sent a request, and the token of their session, for the handlers that run later. */
export const setVisitor = (res: Response, visitor: Visitor, token: string): void => {
  (res.locals as Locals).visitor = visitor;
  (res.locals as Locals).sessionToken = token;
};

/** The token of the session of the person who sent a request to a route for people. */
export const sessionTokenOf = (res: Response): string => {
  const { sessionToken } = res.locals as Locals;
  if (sessionToken === undefined) throw new Error('nobody has signed in');
  return sessionToken;
};

/** The person who sent a request; `undefined` if nobody signed in. */
export const visitorIfAny = (res: Response): Visitor | undefined => (res.locals as Locals).visitor;

/** The person who sent a request to a route for people. */
export const visitorOf = (res: Response): Visitor => {
  const visitor = visitorIfAny(res);
  if (visitor === undefined) throw new Error('nobody has signed in');
  return visitor;
};

/**
 * The role of who sends a request: that of a person, or the one that a key would give who signs in
 * with it. `null`: none.
 */
export const roleOf = (res: Response): Role | null => {
  const visitor = visitorIfAny(res);
  return visitor === undefined ? roleOfKey(callerOf(res)) : visitor.role;
};

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The service looks up each token in the graph, so a request may have only a few. */
const MOST_TOKENS = 4;

/**
 * The tokens of sessions that a request carries, in an order that the browser does not choose. It
 * carries none if there are more than four, since nobody needs so many.
 */
export const sessionTokensOf = (req: Request): readonly string[] => {
  const tokens = cookiesOf(req, SESSION_COOKIE).filter((value) => TOKEN.test(value));
  return tokens.length > MOST_TOKENS ? [] : tokens.toSorted();
};

/** Whether a request carries a cookie of a session, right or wrong. */
export const hasSessionCookie = (req: Request): boolean =>
  (req.headers.cookie ?? '').includes(`${SESSION_COOKIE}=`);
