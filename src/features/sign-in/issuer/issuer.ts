import { createHash } from 'node:crypto';

import * as E from 'fp-ts/Either';
// It exists only as an ES module.
import type * as openIdClient from 'openid-client' with { 'resolution-mode': 'import' };

import { open, seal } from '../../../secrets/seal';
import type { Claims } from './roles';

/** The library that speaks OpenID Connect. */
export type OpenIdClient = typeof openIdClient;

/** How the service is known to its issuer. */
export interface IssuerSettings {
  readonly address: string;
  readonly clientId: string;
  readonly clientSecret: () => Promise<string>;
  readonly scopes: string;
  /** The address of the service to which the issuer leads people back. */
  readonly callback: string;
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
  readonly sealed: string;
}

/** Somebody whom the issuer has signed in. */
export interface SignedIn {
  readonly claims: Claims;
  /** The hash of the state, by which the service notices a second use. */
  readonly answer: string;
  readonly to: string;
}

/**
 * Why nobody was signed in. `no issuer`: it does not answer. `no sign-in`: the browser has not begun
 * one here, or too long ago. `refused`: the issuer says so. `wrong`: what it sent cannot be trusted.
 */
export interface NotSignedIn {
  readonly why: 'no issuer' | 'no sign-in' | 'refused' | 'wrong';
  readonly detail: string;
}

/** How long somebody may take to sign in. */
export const BEGUN_SECONDS = 600;
const SECONDS = 10;
const METADATA_MS = 300_000;

interface Meanwhile {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
  readonly until: number;
}

const codeOf = (error: unknown): string => {
  const { code, error: said, name } = error as { code?: unknown; error?: unknown; name?: unknown };
  return [said, code, name].find((text) => typeof text === 'string') as string;
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

const not = (why: NotSignedIn['why'], detail: string): E.Either<NotSignedIn, never> =>
  E.left({ why, detail });

/**
 * Signs people in with an issuer: code flow with PKCE, state and nonce. What the browser holds until
 * it comes back is sealed, so the service stores nothing about people who have not signed in.
 */
export const issuer = ({ settings, load, secret, now }: IssuerDeps) => {
  const { address, clientId, clientSecret, scopes, callback } = settings;
  const isPlain = address.startsWith('http:');
  let known: { readonly metadata: object; readonly until: number } | null = null;

  const discovered = async (client: OpenIdClient) => {
    const text = await clientSecret();
    if (known === null || known.until <= now()) {
      const found = await client.discovery(new URL(address), clientId, text, undefined, {
        timeout: SECONDS,
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      });
      known = { metadata: found.serverMetadata(), until: now() + METADATA_MS };
    }
    // A configuration remembers the keys of the issuer. A new one reads them again, so that keys
    // which the issuer has just changed are known.
    type Metadata = ConstructorParameters<OpenIdClient['Configuration']>[0];
    const fresh = new client.Configuration({ ...known.metadata } as Metadata, clientId, text);
    fresh.timeout = SECONDS;
    if (isPlain) client.allowInsecureRequests(fresh);
    // Otherwise the library trusts an ID token by the way on which it came.
    client.enableNonRepudiationChecks(fresh);
    return fresh;
  };

  const opened = async (sealed: string | null): Promise<Meanwhile | null> => {
    const text = sealed === null ? null : open(sealed, await secret());
    const meanwhile = text === null ? null : (JSON.parse(text) as Meanwhile);
    return meanwhile !== null && meanwhile.until > now() ? meanwhile : null;
  };

  return {
    /** The name by which pages call it. */
    name: new URL(address).host,

    /** Begins a sign-in that leads to a page afterwards. */
    begin: async (to: string): Promise<E.Either<NotSignedIn, Begun>> => {
      try {
        const client = await load();
        const configuration = await discovered(client);
        const meanwhile: Meanwhile = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
          ...{ to, until: now() + BEGUN_SECONDS * 1000 },
        };
        const at = client.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: callback, scope: scopes },
          ...{ state: meanwhile.state, nonce: meanwhile.nonce },
          code_challenge: await client.calculatePKCECodeChallenge(meanwhile.verifier),
          code_challenge_method: 'S256',
        });
        return E.right({
          address: at.href,
          sealed: seal(JSON.stringify(meanwhile), await secret()),
        });
      } catch (error) {
        return not('no issuer', codeOf(error));
      }
    },

    /** Ends a sign-in with what the issuer sent. `query` begins with a question mark. */
    finish: async (
      query: string,
      sealed: string | null,
    ): Promise<E.Either<NotSignedIn, SignedIn>> => {
      const meanwhile = await opened(sealed);
      const parameters = new URLSearchParams(query);
      if (meanwhile === null || parameters.get('state') !== meanwhile.state) {
        return not('no sign-in', 'another state');
      }
      if (parameters.has('error')) return not('refused', 'the issuer refused it');
      try {
        const client = await load();
        const tokens = await client.authorizationCodeGrant(
          await discovered(client),
          new URL(`${callback}${query}`),
          {
            pkceCodeVerifier: meanwhile.verifier,
            ...{ expectedState: meanwhile.state, expectedNonce: meanwhile.nonce },
            idTokenExpected: true,
          },
        );
        const claims: Claims | undefined = tokens.claims();
        if (claims === undefined) return not('wrong', 'no ID token');
        const answer = createHash('sha256').update(`issuer ${meanwhile.state}`).digest('hex');
        return E.right({ claims, answer, to: meanwhile.to });
      } catch (error) {
        if (isAway(error)) {
          known = null;
          return not('no issuer', codeOf(error));
        }
        return codeOf(error) === 'invalid_grant'
          ? not('refused', 'invalid_grant')
          : not('wrong', codeOf(error));
      }
    },
  };
};

/** An issuer with which people sign in. */
export type Issuer = ReturnType<typeof issuer>;
