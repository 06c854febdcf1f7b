import * as E from 'fp-ts/Either';

import type { AuthenticationRequest, Connection, SetConnectionRequest } from './endpoints';
import type { StoredConnection } from './connection-records';
import { badField, type Failure } from '../../problem';
import { type AllowedAddresses, checkHost } from '../client/requests/allowed-address';
import { type Profile, STANDARD } from '../client/profile';
import { ScimFault } from '../client/scim-fault';
import type { Authentication } from '../client/requests/sign-in';
import { sealedBy } from '../../secrets/vault';
import { type Mapping, mappingOf } from '../actions/mapping';
import { withoutTrailing } from '../../model/trailing';

/** A connection that a request sets. */
export interface ConnectionSettings {
  readonly base: string;
  readonly authentication: Authentication;
  readonly mapping: Mapping;
  readonly profile: Profile;
}

/** What of a sign-in is no secret. */
type PublicSignIn = Connection['authentication'];

const badAddress = (pointer: string, message: string): E.Either<Failure, never> =>
  E.left(badField(pointer, 'BAD_ADDRESS', message));

/** Reads an address that the service may call. Its name is resolved when it is called. */
const addressOf = (
  allowed: AllowedAddresses,
  text: string,
  pointer: string,
): E.Either<Failure, string> => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return badAddress(pointer, 'is no address such as https://app.example.org/scim/v2');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return badAddress(pointer, 'must not hold a user or password');
  }
  if (url.search !== '' || url.hash !== '' || text.includes('#') || text.includes('?')) {
    return badAddress(pointer, 'must not hold ? or #');
  }
  try {
    checkHost(allowed, url);
  } catch (error) {
    if (error instanceof ScimFault) return badAddress(pointer, error.message);
    throw error;
  }
  return E.right(withoutTrailing(url.href, '/'));
};

/** The fields of each type of sign-in, and those that it needs. */
const FIELDS = {
  bearer: { needed: ['token'], optional: [] },
  basic: { needed: ['user', 'password'], optional: [] },
  oauth2: {
    needed: ['token_url', 'client_id', 'client_secret'],
    optional: ['scope', 'client_sign_in'],
  },
} as const;

/** Characters that a header can hold; a line break would begin another header. */
const IN_HEADER = /^[\x20-\x7e]+$/;

const signInOf = (
  allowed: AllowedAddresses,
  request: AuthenticationRequest,
): E.Either<Failure, Authentication> => {
  const { type } = request;
  const { needed, optional } = FIELDS[type];
  const fields = Object.entries(request).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const names = fields.map(([name]) => name);
  const refuse = (
    field: string,
    code: 'MISSING_FIELD' | 'UNKNOWN_FIELD' | 'BAD_NAME',
    why: string,
  ) => E.left(badField(`/authentication/${field}`, code, why));
  const missing = needed.find((field) => !names.includes(field));
  if (missing !== undefined) return refuse(missing, 'MISSING_FIELD', `${type} needs "${missing}"`);
  const known: readonly string[] = ['type', ...needed, ...optional];
  const foreign = names.find((name) => !known.includes(name));
  if (foreign !== undefined) return refuse(foreign, 'UNKNOWN_FIELD', `${type} has no "${foreign}"`);
  const { token, user, password, token_url, client_id, client_secret, scope, client_sign_in } =
    request;
  switch (type) {
    case 'bearer':
      return IN_HEADER.test(token ?? '')
        ? E.right({ type, token: token ?? '' })
        : refuse('token', 'BAD_NAME', 'must have visible ASCII characters alone');
    case 'basic':
      return user?.includes(':') === true
        ? refuse('user', 'BAD_NAME', 'must not hold a colon')
        : E.right({ type, user: user ?? '', password: password ?? '' });
    case 'oauth2': {
      const url = addressOf(allowed, token_url ?? '', '/authentication/token_url');
      if (E.isLeft(url)) return url;
      return E.right({
        type,
        token_url: url.right,
        client_id: client_id ?? '',
        client_secret: client_secret ?? '',
        scope: scope ?? null,
        client_sign_in: client_sign_in ?? 'header',
      });
    }
  }
};

const profileOf = (request: SetConnectionRequest['profile']): Profile => ({
  ...STANDARD,
  ...Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== null)),
});

/** Reads a request to set a connection, and refuses what cannot work. */
export const connectionOf = (
  allowed: AllowedAddresses,
  request: SetConnectionRequest,
): E.Either<Failure, ConnectionSettings> => {
  const base = addressOf(allowed, request.base_url, '/base_url');
  if (E.isLeft(base)) return base;
  const authentication = signInOf(allowed, request.authentication);
  if (E.isLeft(authentication)) return authentication;
  const mapping = mappingOf(request.attributes ?? {});
  if (E.isLeft(mapping)) return mapping;
  return E.right({
    base: base.right,
    authentication: authentication.right,
    mapping: mapping.right,
    profile: profileOf(request.profile),
  });
};

/** What of a sign-in may be shown, and what may not. */
export const publicAndSecret = (
  authentication: Authentication,
): readonly [open: PublicSignIn, secret: string] => {
  switch (authentication.type) {
    case 'bearer': {
      const { type, token } = authentication;
      return [{ type }, token];
    }
    case 'basic': {
      const { password, ...open } = authentication;
      return [open, password];
    }
    case 'oauth2': {
      const { client_secret, ...open } = authentication;
      return [open, client_secret];
    }
  }
};

/** Puts a sign-in together again. */
export const withSecret = (open: PublicSignIn, secret: string): Authentication => {
  switch (open.type) {
    case 'bearer':
      return { type: open.type, token: secret };
    case 'basic':
      return { type: open.type, user: open.user ?? '', password: secret };
    case 'oauth2': {
      const {
        type,
        token_url = '',
        client_id = '',
        scope = null,
        client_sign_in = 'header',
      } = open;
      return { type, token_url, client_id, client_secret: secret, scope, client_sign_in };
    }
  }
};

/** What the graph holds of a connection, apart from its secrets. */
export interface OpenSettings {
  readonly authentication: PublicSignIn;
  readonly mapping: Mapping;
  readonly profile: Profile;
}

/** Reads what the service wrote itself. */
export const openSettings = (stored: StoredConnection): OpenSettings => ({
  authentication: JSON.parse(stored.authentication) as PublicSignIn,
  mapping: new Map(Object.entries(JSON.parse(stored.attributes) as Record<string, string[]>)),
  profile: JSON.parse(stored.profile) as Profile,
});

/** A connection as clients see it. */
export const shownConnection = (stored: StoredConnection): Connection => {
  const { authentication, mapping, profile } = openSettings(stored);
  return {
    base_url: stored.base_url,
    authentication,
    attributes: Object.fromEntries(mapping),
    profile,
    sealed_with: sealedBy(stored.secrets),
    since: stored.since,
    changed: stored.changed,
  };
};
