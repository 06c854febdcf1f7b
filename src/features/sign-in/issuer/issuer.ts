import { createHash } from 'node:crypto';

import * as E from 'fp-ts/Either';
// It exists only as an ES module.
import type * as openIdClient from 'openid-client' with { 'resolution-mode': 'import' };

import { open, seal } from '../../../secrets/seal';
import { visible } from '../../../visible-text';
import type { Claims } from './roles';

/** The library that speaks OpenID Connect. */
export type OpenIdClient = typeof openIdClient;
type Configuration = openIdClient.Configuration;
type Metadata = openIdClient.ServerMetadata;

/** How the service is known to its issuer. */
export interface IssuerSettings {
  readonly address: string;
  readonly clientId: string;
  readonly clientSecret: () => Promise<string>;
  readonly scopes: string;
  /** The address of the service to which the issuer leads people back. */
  readonly callback: string;
  /** The address of the service to which the issuer leads people who signed out. */
  readonly signedOut: string;
}

/** What the issuer depends on. */
export interface IssuerDeps {
  readonly settings: IssuerSettings;
  readonly load: () => Promise<OpenIdClient>;
  /** The secret that seals what the browser holds meanwhile. */
  readonly secret: () => Promise<string>;
  readonly now: () => number;
}

/** Where the browser goes to, and what it must bring back. */
export interface Begun {
  readonly address: string;
  readonly state: string;
  readonly sealed: string;
}

/** Somebody whom the issuer has signed in. */
export interface SignedIn {
  readonly claims: Claims;
  /** The hash of the state, by which the service notices a second use. */
  readonly answer: string;
  readonly to: string;
  /** The ID token, by which the issuer knows whom to sign out. */
  readonly idToken: string | undefined;
}

/**
 * Why nobody was signed in. `no issuer`: it does not answer. `not set up`: it answers, but not as the
 * settings expect, or it refuses this service, or a setting cannot be read. `refused`: the issuer
 * refuses the person. `wrong`: what it sent cannot be trusted.
 */
export interface NotSignedIn {
  readonly why: 'no issuer' | 'not set up' | 'refused' | 'wrong';
  readonly detail: string;
}

/** How long somebody may take to sign in. */
export const BEGUN_SECONDS = 600;
const SECONDS = 10;
/** For so long an issuer counts as answering: after it the service asks again, and pages say if it is away. */
const METADATA_MS = 10_000;
/** For so long one failure answers all: an issuer that hangs needs `SECONDS` to fail. */
const FAILED_MS = 5_000;

/** A sign-in that a browser has begun here, as it brings it back. */
export interface Meanwhile {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
  readonly until: number;
}

const codeOf = (error: unknown): string => {
  const {
    code,
    error: errorCode,
    name,
  } = error as { code?: unknown; error?: unknown; name?: unknown };
  return [errorCode, code, name].find((text) => typeof text === 'string') as string;
};

/** What a fault of the library, or of the way to the issuer, may have. */
interface Faults {
  readonly message?: unknown;
  readonly status?: unknown;
  readonly cause?: Faults;
}

/** Faults of the way to the issuer, not of what it says. */
const isAway = (error: unknown): boolean => {
  const code = codeOf(error);
  const { message, status, cause } = error as Faults;
  return (
    ['TimeoutError', 'AbortError', 'OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(code) ||
    [message, cause?.message].includes('fetch failed') ||
    [status, cause?.status].some((one) => typeof one === 'number' && one >= 500)
  );
};

/** Errors by which an issuer refuses the service and not the person (RFC 6749, 4.1.2.1 and 5.2). */
const OF_THE_SERVICE = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'invalid_request',
  'unsupported_grant_type',
  'unsupported_response_type',
  // An answer 401 that names how to sign in: the issuer does not know the client or its secret.
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
]);

/** Errors by which an issuer says that it cannot sign anybody in now. */
const OF_AN_OUTAGE = new Set(['server_error', 'temporarily_unavailable']);

const LONGEST_REASON = 300;

/** Why the service cannot use an issuer, for the log: its error, and what it says about it. */
const reasonOf = (error: unknown, secret = ''): string => {
  const code = codeOf(error);
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return 'OIDC_ISSUER is not the address by which the issuer calls itself';
  }
  const { error_description: description } = error as { error_description?: unknown };
  if (typeof description !== 'string') return code;
  // An issuer may repeat what it was sent.
  const shown = secret === '' ? description : description.replaceAll(secret, '…');
  return visible(`${code}: ${shown}`.slice(0, LONGEST_REASON));
};

/** An error that a browser brings from the issuer. Its text may be anybody's, so only a word counts. */
const errorIn = (parameters: URLSearchParams): string | null => {
  const error = parameters.get('error');
  return error === null || /^[a-z_]{1,60}$/.test(error) ? error : 'another error';
};

const whyRefused = (error: string): NotSignedIn['why'] =>
  OF_THE_SERVICE.has(error) ? 'not set up' : 'refused';

const not = (why: NotSignedIn['why'], detail: string): E.Either<NotSignedIn, never> =>
  E.left({ why, detail });

/**
 * Signs people in with an issuer: code flow with PKCE, state and nonce. What the browser holds until
 * it comes back is sealed, so the service stores nothing about people who have not signed in.
 */
export const issuer = ({ settings, load, secret, now }: IssuerDeps) => {
  const { address, clientId, clientSecret, scopes, callback, signedOut } = settings;
  const isPlain = address.startsWith('http:');
  let known: { readonly metadata: Metadata; readonly until: number } | null = null;
  let failed: { readonly error: unknown; readonly until: number } | null = null;
  let asking: Promise<Metadata> | null = null;

  const readMetadata = async (client: OpenIdClient): Promise<Metadata> => {
    try {
      const found = await client.discovery(new URL(address), clientId, undefined, undefined, {
        timeout: SECONDS,
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      });
      const metadata = { ...found.serverMetadata() };
      known = { metadata, until: now() + METADATA_MS };
      return metadata;
    } catch (error) {
      failed = { error, until: now() + FAILED_MS };
      throw error;
    } finally {
      asking = null;
    }
  };

  /** What the issuer says of itself. Requests at the same time, or just after a failure, share it. */
  const metadataOf = async (client: OpenIdClient): Promise<Metadata> => {
    if (known !== null && known.until > now()) return known.metadata;
    if (failed !== null && failed.until > now()) throw failed.error;
    asking ??= readMetadata(client);
    return asking;
  };

  const configured = (client: OpenIdClient, metadata: Metadata, text?: string): Configuration => {
    // A configuration remembers the keys of the issuer. A new one reads them again, so that keys
    // which the issuer has just changed are known.
    const fresh = new client.Configuration({ ...metadata }, clientId, text);
    fresh.timeout = SECONDS;
    if (isPlain) client.allowInsecureRequests(fresh);
    // Otherwise the library trusts an ID token by the way on which it came.
    client.enableNonRepudiationChecks(fresh);
    return fresh;
  };

  /** How the service speaks with the issuer; a failure says whether the issuer or a setting is the reason. */
  const discovered = async (
    client: OpenIdClient,
  ): Promise<E.Either<NotSignedIn, Configuration>> => {
    try {
      const text = await clientSecret();
      return E.right(configured(client, await metadataOf(client), text));
    } catch (error) {
      return isAway(error) ? not('no issuer', codeOf(error)) : not('not set up', reasonOf(error));
    }
  };

  const opened = async (sealed: string): Promise<Meanwhile | null> => {
    const text = open(sealed, await secret());
    const meanwhile = text === null ? null : (JSON.parse(text) as Meanwhile);
    return meanwhile !== null && meanwhile.until > now() ? meanwhile : null;
  };

  return {
    /** The name by which pages call it. */
    name: new URL(address).host,

    /** Where it lets people sign in and out: pages with forms must allow a browser to go there. */
    origin: new URL(address).origin,

    /**
     * Finds the sign-in that the browser has begun here, and to which an answer belongs; `null`: it
     * has begun none, or too long ago. `query` begins with a question mark.
     */
    begun: async (query: string, brought: readonly string[]): Promise<Meanwhile | null> => {
      const state = new URLSearchParams(query).get('state');
      const all = await Promise.all(brought.map(opened));
      return all.find((one) => one !== null && one.state === state) ?? null;
    },

    /** Until when a sign-in works that a browser brings, in milliseconds since 1970; 0: not at all. */
    untilOf: async (sealed: string): Promise<number> => (await opened(sealed))?.until ?? 0,

    /** Begins a sign-in that leads to a page afterwards. */
    begin: async (to: string): Promise<E.Either<NotSignedIn, Begun>> => {
      const client = await load();
      const configuration = await discovered(client);
      if (E.isLeft(configuration)) return configuration;
      const meanwhile: Meanwhile = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        to,
        until: now() + BEGUN_SECONDS * 1000,
      };
      const at = client.buildAuthorizationUrl(configuration.right, {
        redirect_uri: callback,
        scope: scopes,
        state: meanwhile.state,
        nonce: meanwhile.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(meanwhile.verifier),
        code_challenge_method: 'S256',
      });
      const { state } = meanwhile;
      const sealed = seal(JSON.stringify(meanwhile), await secret());
      return E.right({ address: at.href, state, sealed });
    },

    /**
     * The page at which the issuer signs people out; `null`: it has none at its own address, or does
     * not answer. What the service knows of an issuer is enough, so nobody waits for one that hangs.
     */
    signOutPage: async (idToken: string | null): Promise<string | null> => {
      try {
        const client = await load();
        const metadata = known?.metadata ?? (await metadataOf(client));
        if (metadata.end_session_endpoint === undefined) return null;
        const page = client.buildEndSessionUrl(configured(client, metadata), {
          post_logout_redirect_uri: signedOut,
          ...(idToken === null ? {} : { id_token_hint: idToken }),
        });
        return page.origin === new URL(address).origin ? page.href : null;
      } catch {
        return null;
      }
    },

    /** Ends a sign-in with what the issuer sent. `query` begins with a question mark. */
    finish: async (
      query: string,
      meanwhile: Meanwhile,
    ): Promise<E.Either<NotSignedIn, SignedIn>> => {
      const refusal = errorIn(new URLSearchParams(query));
      if (refusal !== null) {
        const isOutage = OF_AN_OUTAGE.has(refusal);
        return not(isOutage ? 'no issuer' : whyRefused(refusal), refusal);
      }
      const client = await load();
      const configuration = await discovered(client);
      if (E.isLeft(configuration)) return configuration;
      try {
        const tokens = await client.authorizationCodeGrant(
          configuration.right,
          new URL(`${callback}${query}`),
          {
            pkceCodeVerifier: meanwhile.verifier,
            expectedState: meanwhile.state,
            expectedNonce: meanwhile.nonce,
            idTokenExpected: true,
          },
        );
        const claims: Claims | undefined = tokens.claims();
        if (claims === undefined) return not('wrong', 'no ID token');
        const answer = createHash('sha256').update(`issuer ${meanwhile.state}`).digest('hex');
        return E.right({ claims, answer, to: meanwhile.to, idToken: tokens.id_token });
      } catch (error) {
        if (isAway(error)) {
          known = null;
          return not('no issuer', codeOf(error));
        }
        const code = codeOf(error);
        if (OF_THE_SERVICE.has(code)) {
          return not('not set up', reasonOf(error, await clientSecret().catch(() => '')));
        }
        return not(code === 'invalid_grant' ? 'refused' : 'wrong', code);
      }
    },
  };
};

/** An issuer with which people sign in. */
export type Issuer = ReturnType<typeof issuer>;
