import { hider } from '../../../secrets/hidden-secret';
import { ScimFault } from '../scim-fault';
import type { Transport } from './transport';

/** How the service signs in to an application. */
export type Authentication =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly user: string; readonly password: string }
  | {
      readonly type: 'oauth2';
      readonly token_url: string;
      readonly client_id: string;
      readonly client_secret: string;
      readonly scope: string | null;
      /**
       * `header`: the client signs in with HTTP Basic. `body`: it signs in with fields of the form.
       */
      readonly client_sign_in: 'header' | 'body';
    };

/** Signs requests to one application. */
export interface SignIn {
  /** The value of the header `authorization`. `isRefused`: the application refused the last one. */
  authorization(isRefused: boolean, milliseconds: number): Promise<string>;
  /** Replaces secrets in a text by `***`, in whatever form a server repeats them. */
  hide(text: string): string;
  /** Whether another sign-in may help after a refusal. */
  readonly canRenew: boolean;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const fixedSignIn = (header: string, secrets: readonly string[]): SignIn => ({
  authorization: () => Promise.resolve(header),
  hide: hider(secrets),
  canRenew: false,
});

/** A token is renewed this long before it ends. */
const MARGIN_MS = 30_000;
const USUAL_SECONDS = 300;

interface Token {
  readonly header: string;
  readonly until: number;
}

const tokenOf = (
  text: string,
  now: number,
): { readonly token: string; readonly until: number } | null => {
  try {
    const answer = JSON.parse(text) as {
      readonly access_token?: unknown;
      readonly expires_in?: unknown;
    };
    const { access_token: token, expires_in } = answer;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return null;
    const seconds = Number(expires_in ?? USUAL_SECONDS);
    const lasts = Number.isFinite(seconds) ? seconds : USUAL_SECONDS;
    return { token, until: now + lasts * 1000 - MARGIN_MS };
  } catch {
    return null;
  }
};

/** OAuth 2 with client credentials (RFC 6749, 4.4). */
const oauthSignIn = (
  sign: Extract<Authentication, { type: 'oauth2' }>,
  transport: Transport,
  now: () => number,
): SignIn => {
  const { client_id, client_secret, scope, client_sign_in } = sign;
  const credentials = [client_id, client_secret].map(encodeURIComponent).join(':');
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
    ...(client_sign_in === 'body' ? { client_id, client_secret } : {}),
  });
  const secrets = [client_secret, base64(credentials)];
  let hide = hider(secrets);
  let current: Token | null = null;
  const renew = async (milliseconds: number): Promise<Token> => {
    const answer = await transport({
      method: 'POST',
      url: new URL(sign.token_url),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(client_sign_in === 'header' ? { authorization: `Basic ${base64(credentials)}` } : {}),
      },
      body: form.toString(),
      milliseconds,
    });
    const got = answer.status === 200 ? tokenOf(answer.text, now()) : null;
    if (got === null) {
      throw new ScimFault(
        answer.status >= 500 || answer.status === 429 ? 'BUSY' : 'SIGN_IN_REFUSED',
        `The token endpoint answered ${answer.status} without a token.`,
        { status: answer.status },
      );
    }
    secrets.push(got.token);
    hide = hider(secrets);
    return { header: `Bearer ${got.token}`, until: got.until };
  };
  return {
    authorization: async (isRefused, milliseconds) => {
      if (current === null || isRefused || current.until <= now())
        current = await renew(milliseconds);
      return current.header;
    },
    hide: (text) => hide(text),
    canRenew: true,
  };
};

/** Makes what signs requests. */
export const signInWith = (
  authentication: Authentication,
  transport: Transport,
  now: () => number,
): SignIn => {
  switch (authentication.type) {
    case 'bearer': {
      const { token } = authentication;
      return fixedSignIn(`Bearer ${token}`, [token]);
    }
    case 'basic': {
      const { user, password } = authentication;
      const pair = base64(`${user}:${password}`);
      return fixedSignIn(`Basic ${pair}`, [password, pair]);
    }
    case 'oauth2':
      return oauthSignIn(authentication, transport, now);
  }
};
