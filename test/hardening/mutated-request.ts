import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import type { Sent } from './client';
import { mutatedPayload, scribbled } from './payload-mutation';
import { declaredRequest } from './declared-request';
import type { Random } from './random';
import { policiesRequest, provisioningRequest } from './provisioning-request';
import { consoleRequest, signInRequest } from './people-request';
import { get, PROVIDERS, type Scene, sourcePath } from './scene';
import { scimRequest } from './scim-request';
import type { Target } from './target';

const packed = (text: string, random: Random): object =>
  random.weighted<object>([
    [3, { json_data: text }],
    [1, { json_data: text, compression_type: 'none' }],
    [2, { json_data: gzipSync(text).toString('base64'), compression_type: 'GZIP' }],
  ]);

const encoded = (body: string, random: Random): Pick<Sent, 'headers' | 'body'> =>
  random.weighted<Pick<Sent, 'headers' | 'body'>>([
    [6, { body }],
    [1, { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }],
    [1, { body: brotliCompressSync(body), headers: { 'content-encoding': 'br' } }],
  ]);

const envelope = (target: Target, text: string, random: Random): Record<string, unknown> => ({
  id: target.provider,
  data_source_id: target.id,
  ...packed(text, random),
});

/** A push whose payload is mutated; all around it is as it should be. */
export const mutatedPush = (target: Target, random: Random): Sent => {
  const text = mutatedPayload(target.seed, target.template, random);
  return {
    method: 'POST',
    path: `${sourcePath(target)}:push`,
    ...encoded(JSON.stringify(envelope(target, text, random)), random),
  };
};

const goodText = ({ target }: Scene): string => JSON.stringify(target.seed);

/** A push whose envelope is mutated. */
const mutatedEnvelope = (scene: Scene): Sent => {
  const { target, random } = scene;
  const good = envelope(target, goodText(scene), random);
  const path = `${sourcePath(target)}:push`;
  const post = (body: unknown): Sent => ({ method: 'POST', path, body: JSON.stringify(body) });
  return random.weighted<() => Sent>([
    [2, () => post({ ...good, anything: random.below(9) })],
    [
      2,
      () =>
        post({ ...good, [random.pick(['id', 'data_source_id'])]: random.pick(['', 'x', 7, null]) }),
    ],
    [
      1,
      () => post({ ...good, json_data: random.pick([null, 7, {}, [], '', '[]', '""', '\ud800']) }),
    ],
    [
      1,
      () => post({ ...good, compression_type: random.pick(['gzip', 'zip', 7, 'none', null, '']) }),
    ],
    [1, () => post({ ...good, json_data: 'H4sIAAAA', compression_type: 'GZIP' })],
    [1, () => post(random.pick([null, [], 7, 'text', {}]))],
    [1, () => ({ method: 'POST', path, body: scribbled(JSON.stringify(good), random) })],
    [1, () => ({ method: 'POST', path, body: Buffer.from([0x7b, 0xff, 0xfe, random.below(256)]) })],
    [
      1,
      () => ({
        method: 'POST',
        path,
        body: random.pick([Buffer.from('no gzip'), gzipSync(JSON.stringify(good)).subarray(0, 40)]),
        headers: {
          'content-encoding': random.pick(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip']),
        },
      }),
    ],
    [
      1,
      () => ({
        method: 'POST',
        path,
        body: deflateSync(JSON.stringify(good)),
        headers: { 'content-encoding': 'deflate' },
      }),
    ],
    // Bombs: as sent, once the encoding is undone, and inside json_data.
    [1, () => post({ ...good, json_data: ' '.repeat(700_000) })],
    [1, () => ({ method: 'POST', path, body: bomb, headers: { 'content-encoding': 'gzip' } })],
    [1, () => post({ ...good, json_data: bomb.toString('base64'), compression_type: 'GZIP' })],
    [1, () => post({ ...good, json_data: '['.repeat(random.below(60_000)) })],
  ])();
};

const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));

const REVIEW_VERBS = [
  'plan',
  'open',
  'decide',
  'reassign',
  'remind',
  'except',
  'close',
  'cancel',
  'verify',
  'appoint',
];

const WORDS = [
  '',
  'x',
  'a"b',
  "o'hara",
  'a = b (c): d',
  '\u0000',
  '💥',
  '../..',
  '%',
  'name eq "x"',
  'x'.repeat(300),
];

const query = (random: Random): string => {
  const value = (name: string): string => {
    switch (name) {
      case 'filter':
        return random.pick([
          `name eq "${random.pick(WORDS)}"`,
          'name eq',
          'eq eq eq',
          'state eq "ENABLED" and name co "a"',
          'password eq "x"',
          random.pick(WORDS),
        ]);
      case 'page_size':
        return random.pick(['1', '0', '-1', '250', '1e9', 'x', '99999999999999999999', '']);
      case 'page_token':
        return random.pick([
          '',
          'x',
          'WyJhIl0',
          'WyIiLCJhIiwiYiJd',
          Buffer.from('{"a":1}').toString('base64url'),
        ]);
      default:
        return random.pick(['name', 'state', 'name desc', 'x', '']);
    }
  };
  const names = ['filter', 'page_size', 'page_token', 'order_by', 'anything'];
  return names
    .filter(() => random.happens(0.4))
    .map((name) => `${name}=${encodeURIComponent(value(name))}`)
    .join('&');
};

const registration = ({ name, random }: Scene): object => ({
  name: random.weighted<unknown>([
    [4, `spare of ${name} ${random.below(1e9)}`],
    [1, `${name} 0`],
    [1, `NEW ${name} <script>`],
    [1, random.pick([null, 7, '', [], 'x'.repeat(257)])],
  ]),
  custom_template: random.weighted<unknown>([
    [4, 'application'],
    [2, 'identity_provider'],
    [2, 'hris'],
    [1, random.pick(['principal', '', null, 7])],
  ]),
  ...(random.happens(0.3)
    ? { provisioning: random.pick([true, 'yes', null]), extra: { a: [] } }
    : {}),
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]).toString('base64');

const NUMBERS = [1, 1, 1, 2, 3, 0, 99, 100, -1, 1.5, '1', null];

const part = (scene: Scene): Sent => {
  const { target, upload, random } = scene;
  const payload = random.happens(0.3)
    ? mutatedPayload(target.seed, target.template, random)
    : goodText(scene);
  const data = Buffer.from(payload.isWellFormed() ? payload : goodText(scene)).toString('base64');
  const body = random.weighted<object>([
    [3, { operation: 'start' }],
    [1, { operation: random.pick(['stop', '', null, 7]) }],
    [
      5,
      {
        operation: 'upload',
        upload_id: random.pick([upload, upload, upload, 'none']),
        sequence_number: random.pick(NUMBERS),
        data: random.pick([data, data, data, '***', '', 7]),
      },
    ],
    [
      5,
      {
        operation: 'complete',
        upload_id: random.pick([upload, upload, upload, 'none', 7]),
        sequence_count: random.pick(NUMBERS),
      },
    ],
  ]);
  return { method: 'POST', path: `${sourcePath(target)}:parts`, body: JSON.stringify(body) };
};

const KEYS = '/api/preview/teamkeys';

const teamKeyRequest = ({ teamKey, name, random }: Scene): Sent => {
  const id = random.pick([teamKey, teamKey, 'none']);
  const body = JSON.stringify({
    name: random.pick([name, '', 7, null, 'x'.repeat(300)]),
    scopes: random.pick([['read'], [], ['all'], 'read', null, [null]]),
    providers: random.pick([undefined, [], ['x'], 7]),
    expires_at: random.pick([
      undefined,
      undefined,
      '2001-01-01T00:00:00Z',
      '2999-01-01T00:00:00Z',
      7,
    ]),
  });
  const rotation = JSON.stringify({
    valid_until: random.pick([undefined, '2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z', 7, '']),
    expires_at: random.pick([undefined, '2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z', [], 'x']),
  });
  return random.weighted<Sent>([
    [2, { method: 'POST', path: KEYS, body }],
    [2, { method: 'PATCH', path: `${KEYS}/${id}`, body }],
    [1, { method: 'POST', path: `${KEYS}/${id}:${random.pick(['revoke', 'reinstate', 'x'])}` }],
    [1, { method: 'POST', path: `${KEYS}/${id}:rotate`, body: rotation }],
    // Nothing else is wrong with these.
    [1, { method: 'PATCH', path: `${KEYS}/${teamKey}`, body: '{"scopes": []}' }],
    [
      1,
      {
        method: 'PATCH',
        path: `${KEYS}/${teamKey}`,
        body: '{"expires_at": "2001-01-01T00:00:00Z"}',
      },
    ],
    [2, { method: 'DELETE', path: `${KEYS}/${id}` }],
    [1, get(`${KEYS}?${query(random)}`)],
  ]);
};

const withReadingKey = (scene: Scene): Sent => {
  const sent = scene.random.pick(REQUESTS.slice(0, 5).map(([, make]) => make))(scene);
  return {
    ...sent,
    headers: { ...sent.headers, authorization: `Bearer ${scene.readingKey}` },
  };
};

const IDS = [
  '',
  'x',
  'Identity|ann@corp.example',
  'a|b%7C/../#',
  '💥',
  "' OR true //",
  'x'.repeat(3000),
];

const FILTERS = [
  'name co "a"',
  'name eq "x" and (not is_active eq True or customprop_level ge 3)',
  'since gt "2024-01-01T00:00:00Z" or dynprop_x pr',
  'name eq "\\" or 1 eq 1"',
  'n.key eq "x"',
  '((((((((((name pr',
  'not '.repeat(80),
  'customprop_a}) DETACH DELETE n // eq 1',
  'is_active eq 1e999',
  'created_at lt "2024-02-30T00:00:00Z"',
];

const CYPHER = [
  'MATCH (n) RETURN n LIMIT 3',
  'MATCH (n) DETACH DELETE n',
  "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
  'CALL dbms.listConfig()',
  'RETURN $x',
  'RETURN',
  '\u0000',
  'UNWIND range(1, 5000) AS x RETURN x',
  'RETURN 1; RETURN 2',
];

/** A question about the graph: search, access, reviewers, a query. */
const question = ({ random }: Scene): Sent => {
  const words = (names: readonly string[]): string =>
    names
      .filter(() => random.happens(0.6))
      .map(
        (name) => `${name}=${encodeURIComponent(random.pick(name === 'filter' ? FILTERS : IDS))}`,
      )
      .join('&');
  const pair = ['principal', 'resource', 'permission', 'permission_type'];
  return random.weighted<() => Sent>([
    [4, () => get(`/api/v1/entities?${words(['filter', 'label'])}&${query(random)}`)],
    [2, () => get(`/api/v1/entities/${encodeURIComponent(random.pick(IDS))}?${words(['at'])}`)],
    [2, () => get(`/api/v1/access?${words(['principal', 'label', 'person'])}&${query(random)}`)],
    [
      2,
      () =>
        get(
          `/api/v1/access?${words(['resource', 'label', 'person', 'contents'])}&${query(random)}`,
        ),
    ],
    [
      1,
      () =>
        get(`/api/v1/access:${random.pick(['check', 'explain', 'export', 'x'])}?${words(pair)}`),
    ],
    [
      1,
      () =>
        get(
          `/api/v1/access:gateways?${words(['resource', 'without', 'permission', 'contents', 'at'])}`,
        ),
    ],
    [1, () => get(`/api/v1/access:changes?${words(['push', 'since', 'until', 'principal'])}`)],
    [1, () => get(`/api/v1/reviewers?${words(['principal', 'resource'])}`)],
    [
      1,
      () => ({
        method: 'POST',
        path: '/api/v1/erase',
        body: JSON.stringify({
          principal: random.pick<unknown>([...IDS, 7, null, '', '\u0000', 'x'.repeat(2_000)]),
          trusted_providers: random.pick<unknown>([undefined, [], ['nobody'], 7, [7], ['']]),
        }),
      }),
    ],
    [
      1,
      () =>
        get(
          `/api/v1/reviews${random.pick(['', ':applications', '/r', '/r/evidence', '/r/items', '/r/items?page_size=0', '/r/items?state=x'])}`,
        ),
    ],
    [
      2,
      () => ({
        method: 'POST',
        path: `/api/v1/reviews${random.pick(['', ...REVIEW_VERBS.map((verb) => `/r:${verb}`)])}`,
        body: JSON.stringify({
          name: random.pick<unknown>(['x', '', 7, null]),
          due: random.pick<unknown>(['x', 7]),
          owner: random.pick(WORDS),
          fallback: random.pick(WORDS),
          token: random.pick(WORDS),
          scope: random.pick<unknown>([{}, { people: [7] }, { marks: ['x'] }, [], 7]),
          on_behalf_of: random.pick(WORDS),
          items: random.pick<unknown>([[], [1], [7.5], {}]),
          decision: random.pick(['keep', 'x']),
          reason: random.pick(WORDS),
        }),
      }),
    ],
    [1, () => get(`/api/v1/trusts${random.pick(['', '?x=1'])}`)],
    [1, () => get(`/api/v1/restored${random.pick(['', '?x=1'])}`)],
    [1, () => ({ method: 'POST', path: `/api/v1/restored:start${random.pick(['', '?x=1'])}` })],
    [1, () => get(`/api/v1/history${random.pick(['', `?${words(['at'])}`])}`)],
    [
      3,
      () => ({
        method: 'POST',
        path: `/api/v1/queries/${random.pick(['access/check-access', 'accounts/credentials-that-are-unused', 'no/such', '%00/x'])}`,
        body: JSON.stringify({
          parameters: random.pick<unknown>([
            {},
            { principal: 'a', resource: 'b' },
            { principal: ['a'], resource: 7 },
            { days: 90 },
            { days: 1e300 },
            { days: '9' },
            [],
            7,
            null,
          ]),
        }),
      }),
    ],
    [
      3,
      () => ({
        method: 'POST',
        path: '/api/v1/query',
        body: JSON.stringify({
          cypher: random.pick<unknown>([...CYPHER, 7, null, '']),
          parameters: random.pick<unknown>([
            {},
            { x: [1, { y: null }] },
            [],
            7,
            null,
            { x: { datetime: '2024-02-03T04:05:06Z' } },
            { x: { datetime: 'x' } },
          ]),
        }),
      }),
    ],
  ])();
};

/**
 * Requests that are mutated outside of a payload, each with its weight. What an endpoint declares is enough
 * for `declaredRequest`; the others are about things that exist, or nearly right.
 */
export const REQUESTS: readonly (readonly [number, (scene: Scene) => Sent])[] = [
  [12, mutatedEnvelope],
  [12, part],
  [10, declaredRequest],
  [6, ({ random }) => get(`${PROVIDERS}?${query(random)}`)],
  [4, (scene) => ({ method: 'POST', path: PROVIDERS, body: JSON.stringify(registration(scene)) })],
  [
    1,
    (scene) => ({
      method: 'POST',
      path: PROVIDERS,
      body: scribbled(JSON.stringify(registration(scene)), scene.random),
    }),
  ],
  [
    3,
    ({ target, random }) => get(`${PROVIDERS}/${random.pick([target.provider, 'nobody', '%00'])}`),
  ],
  [
    2,
    ({ target, random }) => ({
      method: 'PUT',
      path: `${PROVIDERS}/${random.pick([target.provider, 'nobody'])}/trusts`,
      body: JSON.stringify({
        email_domains: random.pick<unknown>([[], ['a b'], ['x'.repeat(300)], 7, null, [7]]),
        only_these_domains: random.pick<unknown>([false, 7, null]),
        identity_providers: random.pick<unknown>([['nobody'], [], 7, [null]]),
      }),
    }),
  ],
  [
    3,
    ({ target, random }) => ({
      method: 'PATCH',
      path: `${PROVIDERS}/${target.provider}`,
      body: JSON.stringify({
        provisioning: random.pick([true, false, 7, null]),
        external_lifecycle_management_type: random.pick([
          'SEND_REST_PAYLOAD',
          'SCIM',
          7,
          null,
          'x'.repeat(300),
        ]),
      }),
    }),
  ],
  [
    2,
    ({ spare, random }) => ({
      method: 'DELETE',
      path: `${PROVIDERS}/${random.pick([spare, 'nobody'])}`,
    }),
  ],
  [
    3,
    ({ target, random }) => ({
      method: 'POST',
      path: `${PROVIDERS}/${target.provider}:icon`,
      body: JSON.stringify({
        icon_base64: random.pick([PNG, `${PNG}\n`, 'aGVsbG8=', '***', '', 7, 'A'.repeat(100_000)]),
      }),
    }),
  ],
  [
    3,
    ({ target, random }) => ({
      method: 'POST',
      path: `${PROVIDERS}/${target.provider}/datasources`,
      body: JSON.stringify({
        id: random.pick([target.provider, 'x', 7]),
        name: random.pick(['main', 'MAIN', '<', '', null]),
      }),
    }),
  ],
  [
    3,
    ({ target, random }) =>
      get(
        `${PROVIDERS}/${target.provider}/datasources/${random.pick([target.id, 'nobody', '%F0%9F'])}`,
      ),
  ],
  [
    2,
    ({ target, random }) => ({
      method: random.pick(['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']),
      path: random.pick([
        PROVIDERS,
        `${sourcePath(target)}:push`,
        `${PROVIDERS}/${target.provider}:icon`,
      ]),
    }),
  ],
  [
    2,
    ({ target, random }) => ({
      ...get(random.pick([PROVIDERS, sourcePath(target)])),
      headers: {
        authorization: random.pick([
          '',
          'Bearer',
          'Bearer x',
          'Basic eDp4',
          `Bearer ${'x'.repeat(2000)}`,
        ]),
      },
    }),
  ],
  [
    2,
    ({ random }) =>
      get(
        random.pick([
          '/',
          '/api',
          '/api/v1/nothing',
          '/%',
          '/api/v1/providers/custom/%ff',
          '/api/v1//providers',
          '/healthz',
          '/readyz',
          '/metrics',
          '/openapi.json',
          '/docs',
          '/docs/rapidoc.js',
          '/kit/guide.html',
          '/kit/queries.zip?x=%00',
          '/kit/style.grass',
          '/kit/%2e%2e/style.grass',
          '/manual',
          '/manual/readme',
          '/manual/..%2Fpackage.json',
          '/schemas/application.json',
          '/schemas/%00.json',
          '/api/v1/events:stream?last_event_id=x',
          '/api/v1/events:stream?filter=x',
          '/api/v1/providers/custom/x:y',
        ]),
      ),
  ],
  [3, teamKeyRequest],
  [2, signInRequest],
  [2, consoleRequest],
  [4, provisioningRequest],
  [10, scimRequest],
  [4, policiesRequest],
  [8, question],
  [2, withReadingKey],
  [2, ({ random }) => get(`/api/${random.pick(['v1', 'preview'])}/events?${query(random)}`)],
  [1, ({ target }) => ({ method: 'POST', path: `${sourcePath(target)}:allow-removal` })],
  [2, plannedPush],
  [3, csvPush],
  [
    1,
    ({ target, random }) => ({
      method: 'POST',
      path: `${sourcePath(target)}:verify?repair=${random.pick(['true', 'True', 'no', '', '%00'])}`,
    }),
  ],
  [
    1,
    ({ target, random }) => ({
      method: 'DELETE',
      path: `${PROVIDERS}/${target.provider}/datasources/${random.pick(['nobody', '%00'])}${random.pick(['', '?erase=true', '?erase=7', '?erase=true&erase=false'])}`,
    }),
  ],
];

function plannedPush({ target, random }: Scene): Sent {
  const push = mutatedPush(target, random);
  return { ...push, path: push.path.replace(/:push$/, ':plan') };
}

/** A push of a CSV file, of which some are good. */
function csvPush({ target, random }: Scene): Sent {
  const columns = ['name', 'Email', 'is_active', 'groups', 'kind', 'permissions', 'parent', 'x'];
  const cells = [
    'ann',
    'yes',
    'a;b',
    '"a,b"',
    '',
    'group',
    'resource',
    'grant',
    '"',
    '\ud800',
    '7',
  ];
  const rows = Array.from({ length: random.below(6) }, () =>
    Array.from({ length: 2 }, () => random.pick(cells)).join(','),
  );
  const text = [`${random.pick(columns)},${random.pick(columns)}`, ...rows].join('\n');
  const body = {
    id: target.provider,
    data_source_id: target.id,
    csv_data: random.weighted<unknown>([
      [6, Buffer.from(text).toString('base64')],
      [1, random.pick([null, 7, '', '?', [], bomb.toString('base64')])],
    ]),
    ...random.weighted<object>([
      [3, {}],
      [1, { system_name: random.pick(['x', '', null, 7]), system_type: 'x' }],
      [1, { columns: random.pick([{ x: 'name' }, { name: '' }, { x: null }, { x: 7 }, [], 'x']) }],
    ]),
  };
  const path = `${sourcePath(target)}:push_csv`;
  return { method: 'POST', path, ...encoded(JSON.stringify(body), random) };
}
