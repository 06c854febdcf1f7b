/**
 * `oidc-provider` as a process of its own, since jest cannot load it: an issuer that many use, as it
 * is. `node test/http/issuer-process.mjs <port> <redirect address>`; it prints a line once it listens.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';

import Provider from 'oidc-provider';

const [, , port, redirect] = process.argv;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const GROUPS = { ann: ['staff'], root: ['graph admins', 'staff'] };

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'grantgraph',
      client_secret: 'a secret that is long enough for it',
      redirect_uris: [redirect],
      post_logout_redirect_uris: [new URL('/sign-in', redirect).href],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: {
    keys: [
      { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' },
    ],
  },
  claims: {
    openid: ['sub'],
    profile: ['name', 'groups'],
    email: ['email', 'email_verified'],
  },
  // The ID token has the claims itself.
  conformIdTokenClaims: false,
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: id,
      groups: GROUPS[id] ?? [],
      email: `${id}@x.example`,
      email_verified: true,
    }),
  }),
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
  ttl: { AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
  cookies: { keys: [randomUUID()] },
});

provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
