import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { createServer, type Server } from 'node:http';

import { anyPort } from '../../../src/embedded/port';

/** What the issuer is asked for at its token endpoint. */
interface Granted {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirect: string;
}

interface SigningKey {
  readonly id: string;
  readonly secret: KeyObject;
  readonly open: KeyObject;
}

const newKey = (id: string): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { id, secret: privateKey, open: publicKey };
};

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** How an issuer may lie. */
export interface Lies {
  /** Claims in the place of true ones. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that it does not show. */
  readonly hidesKey?: boolean;
  /** Says that it did not sign the token. */
  readonly unsigned?: boolean;
  /** Accepts a code again and again. */
  readonly forgets?: boolean;
  /** What it says of itself in the place of what is true. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What it answers at its token endpoint in the place of a token. */
  readonly refusal?: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body: object;
  };
  /** Answers with this status when it is asked what it says of itself. */
  readonly status?: number;
}

/**
 * An issuer of our own, which can lie. A true one never sends a wrong token, so what the service does
 * with one can be seen only here.
 */
export class LyingIssuer {
  /** What it says of whom it signs in. */
  claims: Readonly<Record<string, unknown>> = { sub: 'ann' };
  lies: Lies = {};
  /** How often it was asked what it says of itself. */
  discoveries = 0;
  private key = newKey('first');
  private server: Server | null = null;
  private port = 0;
  private readonly granted = new Map<string, Granted>();

  constructor(
    readonly clientId: string,
    readonly clientSecret: string,
  ) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = createServer((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      req.once('end', () => {
        const answer = this.answer(new URL(req.url ?? '', this.address), body);
        res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        res.end(JSON.stringify(answer.body));
      });
    });
    // It may stop and start again there.
    this.port ||= await anyPort();
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.server = server;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server?.close(() => resolve());
      this.server?.closeAllConnections();
    });
  }

  rotateKey(): void {
    this.key = newKey(randomUUID());
  }

  private answer(
    url: URL,
    body: string,
  ): { status: number; headers?: Record<string, string>; body: object } {
    if (url.pathname === '/.well-known/openid-configuration') {
      const at = (path: string): string => `${this.address}${path}`;
      this.discoveries += 1;
      return {
        status: this.lies.status ?? 200,
        body: {
          issuer: this.address,
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          jwks_uri: at('/keys'),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...this.lies.metadata,
        },
      };
    }
    if (url.pathname === '/keys') {
      const { id, open } = this.key;
      return {
        status: 200,
        body: { keys: [{ ...open.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' }] },
      };
    }
    if (url.pathname === '/authorize') {
      const asked = (name: string): string => url.searchParams.get(name) ?? '';
      const code = randomUUID();
      this.granted.set(code, {
        nonce: asked('nonce'),
        challenge: asked('code_challenge'),
        redirect: asked('redirect_uri'),
      });
      const back = new URL(asked('redirect_uri'));
      back.search = new URLSearchParams({ code, state: asked('state') }).toString();
      return { status: 303, headers: { location: back.href }, body: {} };
    }
    return url.pathname === '/token'
      ? this.token(new URLSearchParams(body))
      : { status: 404, body: {} };
  }

  private token(form: URLSearchParams): {
    status: number;
    headers?: Record<string, string>;
    body: object;
  } {
    if (this.lies.refusal !== undefined) return this.lies.refusal;
    const code = form.get('code') ?? '';
    const granted = this.granted.get(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      granted?.challenge !== challenge ||
      granted.redirect !== form.get('redirect_uri') ||
      form.get('client_secret') !== this.clientSecret
    ) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    if (this.lies.forgets !== true) this.granted.delete(code);
    return {
      status: 200,
      body: { access_token: 'x', token_type: 'Bearer', id_token: this.idToken(granted.nonce) },
    };
  }

  private idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const { claims = {}, hidesKey = false, unsigned = false } = this.lies;
    const key = hidesKey ? { ...newKey(this.key.id) } : this.key;
    const head = unsigned ? { alg: 'none' } : { alg: 'RS256', kid: key.id };
    const said = {
      iss: this.address,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...this.claims,
      ...claims,
    };
    const signed = `${encoded(head)}.${encoded(said)}`;
    const signature = unsigned
      ? ''
      : createSign('RSA-SHA256').update(signed).sign(key.secret, 'base64url');
    return `${signed}.${signature}`;
  }
}
