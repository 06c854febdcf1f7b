import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as E from 'fp-ts/Either';
import { type Config, configMessage, type ConfigProblem, readConfig } from '../src/config';
import { CONSTANTS } from '../src/settings/constants';
import { joinedGroups } from '../src/settings/declared';
import { ALL_CONSTANTS, ALL_SETTINGS } from '../src/settings/settings';
import { constantsList, settingsList } from '../src/settings/settings-text';

const read = (env: Record<string, string>): Config => {
  const result = readConfig(env);
  if (E.isLeft(result)) throw new Error(configMessage(result.left));
  return result.right;
};

const refused = (env: Record<string, string>): readonly ConfigProblem[] => {
  const result = readConfig(env);
  return E.isLeft(result) ? result.left : [];
};

describe('readConfig', () => {
  test('nothing set gives the defaults', () => {
    expect(read({})).toEqual({
      http: { port: 8080, host: '127.0.0.1', apiKey: undefined, corsOrigins: undefined },
      tls: { mode: undefined, certFile: undefined, keyFile: undefined },
      memory: { bytes: undefined },
      data: { folder: './data' },
      secrets: { key: undefined, keyFile: undefined },
      reviews: { keptDays: undefined },
      mail: { server: undefined, serverFile: undefined, from: undefined, mostOfDay: 5000 },
      scim: { hosts: undefined, networks: undefined, readHours: 24 },
      neo4j: { uri: undefined, user: 'neo4j', password: undefined, database: 'neo4j' },
      console: { neo4jBrowserUrl: undefined, beginsAfterMs: 50 },
      embedded: { boltPort: 7687, httpPort: 7474, heap: '1g', aotCache: 'make' },
      log: { level: 'info', format: undefined },
      parts: { transactionRows: undefined, resumeSeconds: 10, resumeTries: 5 },
      push: { threads: 1, threadBytes: 64 * 1024, threadMemory: undefined },
      events: { pollSeconds: 1, heartbeatSeconds: 15 },
      sessions: {
        idleMinutes: 60,
        hours: 12,
        mostOfPerson: 20,
        removeSeconds: 600,
        signInsOfPerson: 30,
        codesOfKey: 30,
      },
      issuer: {
        address: undefined,
        clientId: undefined,
        clientSecret: undefined,
        clientSecretFile: undefined,
        scopes: 'openid profile email',
        rolesClaim: 'groups',
        personClaim: 'email',
        admins: undefined,
        auditors: undefined,
        analysts: undefined,
        dataSource: undefined,
      },
      retention: { eventDays: 90, pushDays: 90, everySeconds: 3600 },
      limits: {
        eventStreams: 100,
        streamsOfKey: 20,
        listedChanges: 10_000,
        loadSeconds: 600,
        bodyBytes: undefined,
        bodiesBytes: undefined,
        jsonBytes: undefined,
        keyBodies: 256,
        keyRequests: 1000,
        sourceUploads: 4,
        dataSources: 500,
        uploads: 64,
        sourceUploadBytes: 1024 ** 3,
        uploadBytes: 4 * 1024 ** 3,
        problems: 100,
        resourceDepth: 100,
        propertyNames: 500,
        providerPropertyNames: 1000,
        allPropertyNames: 20_000,
        pushWaitSeconds: 60,
        pushesWaiting: 16,
        payloadElements: 6_000_000,
        pushThreadSeconds: 600,
        pushesAtOnce: 16,
        silenceSeconds: 30,
        answerSeconds: 30,
        questionsAtOnce: 24,
        questionsOfKey: 8,
        cypherAtOnce: 4,
        questionWaitSeconds: 5,
        exportsAtOnce: 4,
        queryRows: 10_000,
        queryBytes: 16 * 1024 ** 2,
        pushSeconds: 300,
        removalRows: 1000,
        deletionRows: 5000,
        removalShare: 0.5,
        requestSeconds: 300,
        connections: 10_000,
        addressConnections: 1_000,
        signIns: 60,
        stopSeconds: 60,
      },
    });
  });

  test('an empty variable is an unset one', () => {
    expect(read({ PORT: '', API_KEY: '', LOG_FORMAT: '' })).toEqual(read({}));
  });

  test('what is set is taken', () => {
    const config = read({
      PORT: '0',
      NEO4J_URI: 'neo4j+s://graph.example.org',
      NEO4J_USER: 'writer',
      NEO4J_DATABASE: 'access',
      MEMORY: '512M',
      LIMIT_REMOVAL_SHARE: '1',
      LIMIT_ANSWER_SECONDS: '0.5',
    });
    expect(config.http.port).toBe(0);
    expect(config.neo4j).toEqual({
      uri: 'neo4j+s://graph.example.org',
      user: 'writer',
      password: undefined,
      database: 'access',
    });
    expect(config.memory.bytes).toBe(512 * 1024 ** 2);
    expect(config.limits).toMatchObject({ removalShare: 1, answerSeconds: 0.5 });
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['API_KEY', 'two words'],
    ['API_KEY_NEXT', 'two words'],
    ['NEO4J_URI', 'http://localhost:7474'],
    ['NEO4J_URI', 'bolt://user:secret@localhost'],
    ['NEO4J_URI', 'bolt://'],
    ['NEO4J_HEAP', '1000'],
    ['NEO4J_HEAP', '64m'],
    ['NEO4J_AOT_CACHE', 'on'],
    ['LOG_LEVEL', 'loud'],
    ['MEMORY', '1t1'],
    ['MEMORY', '100m'],
    ['LIMIT_REMOVAL_SHARE', '1.5'],
    ['LIMIT_ANSWER_SECONDS', '0'],
    ['LIMIT_REMOVAL_ROWS', '1e3'],
    ['SECRETS_KEY', 'too short'],
    ['SCIM_HOSTS', 'app.example.org, b c'],
    ['SCIM_HOSTS', '*.org'],
    ['SCIM_HOSTS', '*'],
    ['SCIM_HOSTS', 'https://app.example.org/scim'],
    ['SCIM_HOSTS', 'app.example.org:0'],
    ['SCIM_HOSTS', 'ftp://app.example.org'],
    ['SCIM_NETWORKS', '10.0.0.0/33'],
    ['SCIM_NETWORKS', 'localhost'],
    ['SCIM_NETWORKS', '10.0.0.0/8/9'],
    ['SCIM_NETWORKS', ''.padEnd(3, ',')],
  ])('%s=%s is refused', (variable, text) => {
    expect(refused({ [variable]: text }).map((problem) => problem.variable)).toEqual([variable]);
  });

  test('hosts and networks of applications', () => {
    const { hosts, networks } = read({
      SCIM_HOSTS: 'App.example.org, *.cloud.example:8443,http://127.0.0.1:8081,[0:0::1]',
      SCIM_NETWORKS: '10.0.0.0/8, ::1',
    }).scim;
    expect(hosts).toEqual([
      { scheme: 'https', name: 'app.example.org', isWildcard: false, port: 443 },
      { scheme: 'https', name: 'cloud.example', isWildcard: true, port: 8443 },
      { scheme: 'http', name: '127.0.0.1', isWildcard: false, port: 8081 },
      { scheme: 'https', name: '::1', isWildcard: false, port: 443 },
    ]);
    expect(networks).toEqual(['10.0.0.0/8', '::1']);
  });

  test('the key of secrets comes from one place', () => {
    const key = Buffer.alloc(32).toString('base64');
    expect(refused({ SECRETS_KEY: key, SECRETS_KEY_FILE: 'x' })).toEqual([
      {
        variable: 'SECRETS_KEY',
        message: 'is set together with SECRETS_KEY_FILE: set only one of them',
      },
    ]);
    expect(read({ SECRETS_KEY: key }).secrets.key).toBe(key);
  });

  test('one message lists everything that is wrong, without secrets', () => {
    const problems = refused({ PORT: 'x', LOG_LEVEL: 'loud', NEO4J_URI: 'bolt://me:hush@host' });
    expect(configMessage(problems)).toMatchInlineSnapshot(`
     "Wrong settings:
       PORT must be a whole number from 0 to 65535, not "x"
       NEO4J_URI must be an address such as bolt://host:7687 or neo4j+s://host, without user and password
       LOG_LEVEL must be one of error, warn, info, debug, not "loud""
    `);
  });

  test('a short API_KEY is for loopback alone', () => {
    const [short, long] = ['x'.repeat(19), 'x'.repeat(20)];
    for (const HOST of ['127.0.0.1', '127.8.0.1', '::1', 'localhost']) {
      expect(read({ HOST, API_KEY: short }).http.apiKey).toBe(short);
    }
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'graph.example.org', '127.example.org']) {
      expect(refused({ HOST, API_KEY: short })).toEqual([
        {
          variable: 'API_KEY',
          message: 'must have at least 20 characters where HOST opens the service to the network',
        },
      ]);
      expect(read({ HOST, API_KEY: long }).http.apiKey).toBe(long);
      expect(
        refused({ HOST, API_KEY: long, API_KEY_NEXT: short }).map(({ variable }) => variable),
      ).toEqual(['API_KEY_NEXT']);
      expect(read({ HOST, API_KEY_NEXT: long }).http.nextApiKey).toBe(long);
    }
  });

  test('settings that contradict each other are refused', () => {
    const problems = refused({
      NEO4J_USER: 'writer',
      NEO4J_DATABASE: 'access',
      NEO4J_PASSWORD: 'short',
      NEO4J_BOLT_PORT: '8080',
    });
    expect(configMessage(problems)).toMatchInlineSnapshot(`
     "Wrong settings:
       NEO4J_USER is for NEO4J_URI; embedded it is neo4j
       NEO4J_DATABASE is for NEO4J_URI; the embedded Neo4j has one database, neo4j
       NEO4J_PASSWORD must have at least 8 characters: the embedded Neo4j accepts no shorter one
       NEO4J_BOLT_PORT must not be 8080, which is PORT's"
    `);
  });
});

test.each([
  [{ TLS: 'self-signed', TLS_CERT: 'a', TLS_KEY: 'b' }, 'TLS'],
  [{ TLS_CERT: 'a' }, 'TLS_KEY'],
  [{ TLS_KEY: 'b', NEO4J_URI: 'bolt://host' }, 'TLS_CERT'],
])('TLS is a certificate with its key, or a self-signed one: %j', (env, variable) => {
  expect(refused(env).map((problem) => problem.variable)).toEqual([variable]);
});

const ISSUER = {
  OIDC_ISSUER: 'https://login.example.org/realms/x',
  OIDC_CLIENT_ID: 'graph',
  OIDC_CLIENT_SECRET: 'a secret',
  PUBLIC_URL: 'https://graph.example.org',
};

test.each<[Record<string, string>, readonly string[]]>([
  [{}, []],
  [{ OIDC_CLIENT_SECRET: '', OIDC_CLIENT_SECRET_FILE: 'secret' }, []],
  [{ OIDC_CLIENT_SECRET_FILE: 'secret' }, ['OIDC_CLIENT_SECRET']],
  [{ OIDC_CLIENT_ID: '' }, ['OIDC_CLIENT_ID']],
  [{ OIDC_CLIENT_SECRET: '', PUBLIC_URL: '' }, ['OIDC_CLIENT_SECRET', 'PUBLIC_URL']],
  [{ OIDC_ISSUER: '' }, ['OIDC_ISSUER']],
  [
    { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_ADMINS: 'root' },
    ['OIDC_ISSUER'],
  ],
  [{ PUBLIC_URL: 'https://example.org/graph' }, []],
  [{ OIDC_ISSUER: 'http://127.0.0.1:8081/realms/x' }, []],
  [{ OIDC_ISSUER: 'http://login.example.org' }, ['OIDC_ISSUER']],
  [{ OIDC_ISSUER: 'https://me:hush@login.example.org' }, ['OIDC_ISSUER']],
  [{ OIDC_ISSUER: 'https://login.example.org?x=1' }, ['OIDC_ISSUER']],
  [{ OIDC_ADMINS: 'root,,' }, ['OIDC_ADMINS']],
  [{ OIDC_SCOPES: 'profile email' }, ['OIDC_SCOPES']],
])('people sign in with an issuer if all that it needs is set: %j', (env, variables) => {
  expect(refused({ ...ISSUER, ...env }).map(({ variable }) => variable)).toEqual(variables);
});

const MAIL = {
  SMTP_URL: 'smtps://user:p%40ss@mail.example.org',
  SMTP_FROM: 'graph@example.org',
  PUBLIC_URL: 'https://graph.example.org',
};

test.each<[Record<string, string>, readonly string[]]>([
  [{}, []],
  [{ SMTP_URL: 'smtp://127.0.0.1:2525' }, []],
  [{ SMTP_URL: '', SMTP_URL_FILE: 'server' }, []],
  [{ SMTP_URL_FILE: 'server' }, ['SMTP_URL']],
  [{ SMTP_URL: '' }, ['SMTP_URL']],
  [{ SMTP_URL: '', SMTP_FROM: '' }, []],
  [{ SMTP_FROM: '', PUBLIC_URL: '' }, ['SMTP_FROM', 'PUBLIC_URL']],
  [{ SMTP_FROM: 'Graph <graph@example.org>' }, ['SMTP_FROM']],
  [{ SMTP_FROM: 'graph@example.org, other@example.org' }, ['SMTP_FROM']],
  [{ SMTP_URL: 'https://mail.example.org' }, ['SMTP_URL']],
  [{ SMTP_URL: 'smtps://user@mail.example.org' }, ['SMTP_URL']],
  [{ SMTP_URL: 'smtps://user:%zz@mail.example.org' }, ['SMTP_URL']],
  [{ SMTP_URL: 'smtps://mail.example.org/?tls.rejectUnauthorized=false' }, ['SMTP_URL']],
])(
  'mails need a server, an address from which they come, and that of the service: %j',
  (env, variables) => {
    const problems = refused({ ...MAIL, ...env });
    expect(problems.map(({ variable }) => variable)).toEqual(variables);
    expect(JSON.stringify(problems)).not.toMatch(/zz|p%40ss/);
  },
);

test('the address of a mail server has its port, its user and its password', () => {
  expect(read(MAIL).mail.server).toEqual({
    host: 'mail.example.org',
    port: 465,
    isEncrypted: true,
    auth: { user: 'user', pass: 'p@ss' },
  });
  expect(read({ ...MAIL, SMTP_URL: 'smtp://[::1]' }).mail.server).toEqual({
    host: '::1',
    port: 587,
    isEncrypted: false,
    auth: null,
  });
});

test('the values of roles are separated by commas', () => {
  const { admins, analysts } = read({ ...ISSUER, OIDC_ADMINS: 'a b, c' }).issuer;
  expect([admins, analysts]).toEqual([['a b', 'c'], undefined]);
});

test('the lists have an item for each setting and each constant, in lines that wrap', () => {
  const [settings, constants] = [settingsList(), constantsList()];
  expect(settings.split('\n')[0]).toBe(
    '- **`PORT`** (`8080`): Port of the HTTP interface; 0 picks a free one.',
  );
  const items = settings.split(/\n(?=- )/);
  expect(items.every((item) => /^- \*\*`[A-Z0-9_]+`\*\*( \(`[^`]+`\))?: [^|]+$/.test(item))).toBe(
    true,
  );
  // Each one more is one more that an operator has to read; those of an issuer, only with an issuer, and
  // those of mails, only with a mail server.
  const of = (beginning: string) => items.filter((item) => item.startsWith(`- **\`${beginning}`));
  const [ofIssuer, ofMail] = [of('OIDC_'), of('SMTP_')];
  expect(ofIssuer.length).toBeLessThanOrEqual(11);
  expect(ofMail.length).toBeLessThanOrEqual(3);
  expect(items.length - ofIssuer.length - ofMail.length).toBeLessThanOrEqual(38);
  for (const item of constants.split(/\n(?=- )/)) {
    expect(item.replace(/\s+/g, ' ')).toMatch(/^- \*\*`[A-Z0-9_]+`\*\* \(.+?\): .+ _Why:_ .+\.$/);
  }
  const lines = [...settings.split('\n'), ...constants.split('\n')];
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

// Before, the second one silently took the place of the first.
test('no two features have settings, or constants, of one group', () => {
  const { push, ...others } = CONSTANTS;
  expect(joinedGroups<unknown>([{ push }, others])).toEqual(CONSTANTS);
  expect(() => joinedGroups<unknown>([CONSTANTS, { parts: {}, push: {} }])).toThrow(
    'two declarations have a group parts',
  );
});

test('an environment variable with the name of a constant is no setting', () => {
  expect(ALL_CONSTANTS.length).toBeGreaterThan(40);
  for (const { name } of ALL_CONSTANTS) {
    expect([name, refused({ [name]: '1' }).map(({ variable }) => variable)]).toEqual([
      name,
      [name],
    ]);
  }
});

test('a message that says what to set names a setting', () => {
  const known = new Set(ALL_SETTINGS.map(({ variable }) => variable));
  const named = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/\b[Ss]et ([A-Z]+(?:_[A-Z\d]+)+)/g),
    ])
    .map(([, name = '']) => name);
  expect(named).toContain('ACCESS_MEMORY');
  // The command line reads its key from here; it is no setting of the service.
  expect(named.filter((name) => !known.has(name) && !name.startsWith('GRANTGRAPH_'))).toEqual([]);
});
