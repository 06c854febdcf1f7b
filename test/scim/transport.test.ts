import { createServer as createPlainServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import dns from 'node:dns';

import { generate } from 'selfsigned';

import { addressCheck, checkHost } from '../../src/scim/client/requests/allowed-address';
import { ensureAccount } from '../../src/scim/client/ensure-account';
import type { Application } from '../../src/scim/client/application';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { act, type Acting, allowing, TOKEN } from './acting';
import { type Misdeed, type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());
afterEach(() => jest.restoreAllMocks());

const wanted = {
  who: { externalId: 'p-1', userName: 'ann' },
  attributes: new Map([['userName', 'ann']]),
  mayCreate: true,
  adopt: false,
};
const ensure = (acting: Acting = {}, base = server.base) =>
  act(base, (application: Application) => ensureAccount(application, wanted), acting);

const lists: (misdeed: Misdeed) => Misdeed = (misdeed) => (got, res, next) =>
  got.path.includes('/Users?') ? misdeed(got, res, next) : next();

const page = (Resources: readonly object[], more: object = {}): string =>
  JSON.stringify({ totalResults: 1_000_000, Resources, ...more });

let made = 0;
const fresh = (): object => ({ id: String((made += 1)), userName: `user ${made}` });

describe('an answer that is none ends in one clear fault', () => {
  const json = { 'content-type': 'application/scim+json' };
  test.each<[string, string, Misdeed]>([
    [
      'HTML with 200',
      'NOT_SCIM',
      (_got, res) =>
        res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
    ],
    [
      'HTML that says it is SCIM',
      'NOT_SCIM',
      (_got, res) => res.writeHead(200, json).end('<html>'),
    ],
    ['other JSON', 'NOT_SCIM', (_got, res) => res.writeHead(200, json).end('{"data":[]}')],
    ['a bare array', 'NOT_SCIM', (_got, res) => res.writeHead(200, json).end('[]')],
    [
      'a resource without an id',
      'NOT_SCIM',
      (_got, res) => res.writeHead(200, json).end(page([{ userName: 'ann' }])),
    ],
    ['nothing at all', 'NOT_SCIM', (_got, res) => res.writeHead(200, json).end()],
    [
      'a redirect',
      'REDIRECTED',
      (_got, res) => res.writeHead(302, { location: 'http://169.254.169.254/secret?x=1' }).end(),
    ],
    [
      'a page that repeats',
      'ENDLESS_PAGES',
      (_got, res) => res.writeHead(200, json).end(page([{ id: '1' }])),
    ],
    [
      'a cursor that repeats',
      'ENDLESS_PAGES',
      (_got, res) => res.writeHead(200, json).end(page([fresh()], { nextCursor: 'x' })),
    ],
    [
      'pages without end',
      'ENDLESS_PAGES',
      (_got, res) => res.writeHead(200, json).end(page([fresh()])),
    ],
    [
      'cursors without end',
      'ENDLESS_PAGES',
      (_got, res) => res.writeHead(200, json).end(page([fresh()], { nextCursor: String(made) })),
    ],
    [
      'more than it reads, as it announces',
      'TOO_LARGE',
      (_got, res) => {
        res.writeHead(200, { ...json, 'content-length': String(100 * 1024 ** 2) });
        res.write('{');
      },
    ],
    [
      'more than it reads, without an end',
      'TOO_LARGE',
      (_got, res) => {
        const more = (): void => {
          while (res.write(' '.repeat(64 * 1024)));
          res.once('drain', more);
        };
        more();
      },
    ],
    ['a refused sign-in', 'SIGN_IN_REFUSED', (_got, res) => res.writeHead(401).end()],
    ['a forbidden list', 'REFUSED', (_got, res) => res.writeHead(403).end()],
    ['a cut connection', 'CUT', (_got, res) => void res.socket?.destroy()],
    [
      'half an answer',
      'CUT',
      (_got, res) => {
        res.writeHead(200, { ...json, 'content-length': '100' });
        res.write('{"Resources":', () => res.socket?.destroy());
      },
    ],
  ])('%s', async (_what, code, misdeed) => {
    server.misdeed = lists(misdeed);
    const { fault } = await ensure({ limits: { pages: 20 } });
    expect(fault?.code).toBe(code);
    // The message names where a redirect leads, but nothing of what might be secret there.
    expect(fault?.message).not.toContain('secret');
    expect(server.writes()).toEqual([]);
  });

  test('no answer', async () => {
    server.misdeed = lists(() => undefined);
    const { fault } = await ensure({ limits: { requestSeconds: 0.05, attempts: 1 } });
    expect(fault?.code).toBe('TOO_SLOW');
  });

  test('an answer that never ends', async () => {
    server.misdeed = lists((_got, res) => {
      res.writeHead(200);
      res.write('{');
    });
    const { fault } = await ensure({ limits: { requestSeconds: 0.05, attempts: 1 } });
    expect(fault?.code).toBe('TOO_SLOW');
  });

  test('nobody listens', async () => {
    const closed = await misbehavingServer();
    await closed.close();
    expect((await ensure({}, closed.base)).fault?.code).toBe('UNREACHABLE');
  });

  test('something that speaks no HTTP', async () => {
    const other = createPlainServer((socket) => {
      socket
        .on('error', () => undefined)
        .resume()
        .end('220 mail.example ESMTP\r\n');
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect((await ensure({}, `http://127.0.0.1:${port}`)).fault?.code).toBe('NOT_SCIM');
    await new Promise((resolve) => other.close(resolve));
  });

  test('a certificate that nobody vouches for', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const secure = await misbehavingServer({ key, cert });
    expect((await ensure({}, secure.base)).fault?.code).toBe('BAD_CERTIFICATE');
    expect(secure.got).toEqual([]);
    await secure.close();
  });
});

describe('addresses', () => {
  const allowed = {
    hosts: [
      { scheme: 'https' as const, name: 'app.example.org', isWildcard: false, port: 443 },
      { scheme: 'https' as const, name: 'cloud.example', isWildcard: true, port: 8443 },
    ],
    networks: [],
  };
  test.each([
    ['https://app.example.org/scim', true],
    ['https://APP.example.org./scim', true],
    ['http://app.example.org/scim', false],
    ['https://app.example.org:8443/scim', false],
    ['https://app.example.org.evil.example/', false],
    ['https://a.cloud.example:8443/', true],
    ['https://cloud.example:8443/', false],
    ['https://evilcloud.example:8443/', false],
    ['https://127.0.0.1/', false],
  ])('%s may be called: %s', (url, may) => {
    const check = () => checkHost(allowed, new URL(url));
    if (may) expect(check).not.toThrow();
    else expect(check).toThrow('SCIM_HOSTS');
  });

  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0'].map(
      (address): [string, boolean] => [address, false],
    ),
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fe80::1%eth0'].map(
      (address): [string, boolean] => [address, false],
    ),
    ...['fd00::1', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '::ffff:127.0.0.1'].map(
      (address): [string, boolean] => [address, false],
    ),
    ...['::ffff:7f00:1', '::127.0.0.1', '2001:db8::1'].map((address): [string, boolean] => [
      address,
      false,
    ]),
    ['::ffff:8.8.8.8', true],
    ['app.example.org', false],
  ])('%s may be reached without SCIM_NETWORKS: %s', (address, may) => {
    expect(addressCheck({ networks: [] })(address)).toBe(may);
  });

  test('a network of the settings may be reached, and none beside it', () => {
    const may = addressCheck({ networks: ['10.1.0.0/16', 'fd00::/8', '::1'] });
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '::1'].map(may)).not.toContain(false);
    expect(['10.2.0.1', '127.0.0.1', 'fe80::1', '::2'].map(may)).not.toContain(true);
  });

  test('an address is checked before anything is sent', async () => {
    const loopback = { ...allowing(server.port), networks: [] };
    const transport = httpTransport(loopback, { mostBytes: 1000 });
    expect((await ensure({ transport })).fault?.code).toBe('ADDRESS_NOT_ALLOWED');
    const named = server.base.replace('127.0.0.1', 'localhost');
    expect((await ensure({ transport }, named)).fault?.code).toBe('ADDRESS_NOT_ALLOWED');
    expect(server.got).toEqual([]);
  });

  test('a name that leads elsewhere the second time is refused where it leads', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['192.168.0.1']];
    jest.spyOn(dns, 'lookup').mockImplementation(((
      _name: string,
      _options: object,
      callback: (error: null, addresses: readonly object[]) => void,
    ) => {
      const addresses = answers.shift() ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    }) as unknown as typeof dns.lookup);
    const base = server.base.replace('127.0.0.1', 'localhost');
    const transport = () => httpTransport(allowing(server.port), { mostBytes: 100_000 });
    expect((await ensure({ transport: transport() }, base)).result?.outcome).toBe('created');
    server.reset();
    while (answers.length > 0) {
      const { fault } = await ensure({ transport: transport() }, base);
      expect(fault?.code).toBe('ADDRESS_NOT_ALLOWED');
    }
    expect(server.got).toEqual([]);
  });
});

describe('the sign-in', () => {
  test('a server that repeats the token does not make it known', async () => {
    server.misdeed = ({ headers }, res) => {
      const detail = `bad header: ${headers.authorization ?? ''}`;
      res.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
    };
    const { fault } = await ensure();
    expect(fault?.message).toContain('bad header: Bearer ***');
    expect(fault?.message).not.toContain(TOKEN);
  });

  test('HTTP Basic', async () => {
    await ensure({ authentication: { type: 'basic', user: 'grant', password: 'pässword' } });
    const sent = server.got[0]?.headers.authorization?.replace('Basic ', '') ?? '';
    expect(Buffer.from(sent, 'base64').toString()).toBe('grant:pässword');
  });

  const oauth = (client_sign_in: 'header' | 'body') => ({
    authentication: {
      type: 'oauth2' as const,
      client_id: 'id',
      client_secret: 'client-secret',
      scope: 'scim',
      token_url: `${server.base}/token`,
      client_sign_in,
    },
  });
  const tokens =
    (...all: readonly string[]): Misdeed =>
    (got, res, next) => {
      if (!got.path.endsWith('/token')) return next();
      const place = server.got.filter(({ path }) => path.endsWith('/token')).length - 1;
      const body = JSON.stringify({ access_token: all[place], expires_in: 3600 });
      res.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };

  test.each(['header', 'body'] as const)('OAuth 2, client in the %s, one token', async (how) => {
    server.misdeed = tokens('first-token');
    expect((await ensure(oauth(how))).result?.outcome).toBe('created');
    const [asked, ...others] = server.got;
    expect(asked?.body.text).toBe(
      `grant_type=client_credentials&scope=scim${how === 'body' ? '&client_id=id&client_secret=client-secret' : ''}`,
    );
    expect(asked?.headers.authorization).toBe(
      how === 'body' ? undefined : `Basic ${Buffer.from('id:client-secret').toString('base64')}`,
    );
    expect(new Set(others.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer first-token']),
    );
  });

  test('OAuth 2, a token that is no longer taken is renewed once', async () => {
    const give = tokens('first-token', 'second-token');
    server.misdeed = (got, res, next) =>
      got.headers.authorization === 'Bearer first-token'
        ? res.writeHead(401).end()
        : give(got, res, next);
    expect((await ensure(oauth('header'))).result?.outcome).toBe('created');
    expect(server.got.filter(({ path }) => path.endsWith('/token'))).toHaveLength(2);
  });

  test('OAuth 2, an endpoint that gives no token', async () => {
    server.misdeed = (_got, res) => res.writeHead(400).end('{"error":"invalid_client"}');
    expect((await ensure(oauth('header'))).fault?.code).toBe('SIGN_IN_REFUSED');
    server.misdeed = (_got, res) => res.writeHead(200).end('{"access_token":"a\\r\\nb: c"}');
    expect((await ensure(oauth('header'))).fault?.code).toBe('SIGN_IN_REFUSED');
  });
});

test('a proxy of the environment is not asked', async () => {
  let asked = 0;
  const proxy = createPlainServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => {
    proxy.listen(0, '127.0.0.1', done);
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const before = { ...process.env };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    process.env[name] = address;
    process.env[name.toLowerCase()] = address;
  }
  process.env.NODE_USE_ENV_PROXY = '1';
  try {
    const { fault } = await ensure();
    expect(fault ?? null).toBeNull();
    expect(server.got.length).toBeGreaterThan(0);
    expect(asked).toBe(0);
  } finally {
    process.env = before;
    proxy.close();
  }
});
