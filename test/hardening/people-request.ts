import type { Sent } from './client';
import { get, type Scene } from './scene';

const SESSIONS = '/api/preview/sessions';

const COOKIES = [
  '',
  'grantgraph-session=',
  'grantgraph-session=x',
  `grantgraph-session=${'x'.repeat(5_000)}`,
  'grantgraph-session="; grantgraph-session=%00',
  `__Host-grantgraph-session=${Buffer.alloc(32, 7).toString('base64url')}`,
  ';=;;',
];

const ORIGINS = ['null', 'http://other.example', 'http://127.0.0.1', ''];

/** What browsers send to sign in and out, and what programs do with sessions and codes. */
export const signInRequest = ({ readingKey, random }: Scene): Sent => {
  const headers = {
    'content-type': random.pick([
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'application/json',
      'multipart/form-data; boundary=x',
    ]),
    'sec-fetch-site': random.pick(['same-origin', 'same-origin', 'cross-site', 'none', 'x']),
    ...(random.happens(0.3) ? { origin: random.pick(ORIGINS) } : {}),
    ...(random.happens(0.5) ? { cookie: random.pick(COOKIES) } : {}),
  };
  const form = (path: string, body: string): Sent => ({ method: 'POST', path, headers, body });
  const to = encodeURIComponent(
    random.pick(['/console', '//other.example', 'https://other.example', '/\\x', '\u0000', '']),
  );
  return random.weighted<() => Sent>([
    [2, () => get(`/sign-in?to=${to}${random.pick(['', '&x=1', '&to=/'])}`)],
    [1, () => form('/sign-in', `key=${random.pick(['', 'x', readingKey, '%00'])}&to=${to}`)],
    [1, () => form('/sign-in', random.pick(['', 'key', 'key=x&key=y', '%', 'x'.repeat(70_000)]))],
    [1, () => get(`/sign-in/code?code=${random.pick(['', 'x', '<script>', '%00'])}`)],
    [1, () => form('/sign-in/code', `code=${random.pick(['', 'x', 'x'.repeat(5_000)])}`)],
    [1, () => ({ ...get('/session'), headers })],
    [1, () => form('/sign-out', random.pick(['', 'form_token=x', 'form_token=']))],
    [1, () => get(`${SESSIONS}${random.pick(['', '?filter=id pr', '?page_size=0', '?x=1'])}`)],
    [1, () => ({ method: 'DELETE', path: `${SESSIONS}/${random.pick(['none', '%00', '💥'])}` })],
    [
      1,
      () => ({ method: 'POST', path: '/api/preview/sign-in-codes', body: random.pick(['', '{']) }),
    ],
  ])();
};

/** What browsers ask of the console, with cookies that are no session's. */
export const consoleRequest = ({ random }: Scene): Sent => {
  const id = encodeURIComponent(
    random.pick(['x', 'Identity|ann@corp.example', '💥', '..', '\u0000']),
  );
  const query = random.pick([
    '',
    '?at=2020-01-01',
    '?at=x&at=y',
    '?nonsense=1',
    '?permission=%00&contents=true',
    `?permission=${'"'.repeat(5_000)}`,
    '?contents=perhaps',
    '?q=%00',
    '?page=-1',
  ]);
  const path = random.pick([
    '',
    '/mine',
    '/mine/why',
    '/why',
    '/people/',
    `/people/${id}`,
    `/resources/${id}`,
    ...['access', 'changes', 'entities', 'pushes', 'query'].map((table) => `/csv/${table}`),
    '/events',
    '/events?last_event_id=-1',
    '/events?last_event_id=%00',
    '/csv/why',
    '/csv/members',
    `/csv/members?of=${id}`,
    '/csv/losses',
    `/csv/losses?without=${id}`,
    '/picture/why',
    '/suggestions',
    `/suggestions?q=${id}`,
    '/reviews',
    '/new-review',
    `/reviews/${id}`,
    `/reviews/${id}/decide?item=1`,
    ...['progress', 'items', 'plan', 'verified', 'evidence'].map(
      (page) => `/reviews/${id}/${page}`,
    ),
    '/changes',
    '/sources',
    `/sources/${id}`,
    `/sources/${id}/push`,
    '/ask',
    '/nothing',
    '/register',
    `/register?provider=${id}`,
    `/sources/${id}/keys`,
    '/assets/frame.css',
    '/assets/../feature.ts',
    '/assets/%2e%2e%2ffeature.ts',
    '/assets/x',
  ]);
  const asked = { ...get(`/console${path}${query}`), headers: { cookie: random.pick(COOKIES) } };
  if (random.happens(0.8)) return asked;
  if (random.happens(0.7)) {
    const form = random.pick([
      '/register',
      '/new-review',
      `/sources/${id}/keys`,
      ...['decide', 'progress', 'plan'].map((page) => `/reviews/${id}/${page}`),
    ]);
    return {
      method: 'POST',
      path: `/console${form}`,
      headers: {
        cookie: random.pick(COOKIES),
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: random.pick([
        '',
        'act=create',
        'act=nothing',
        'act=rotate&key=x&new_id=%00',
        'name=%ff',
        `act=forget&key=${id}`,
        `provider=${id}&source=x`,
        'template=hris&name=x&source_id=0',
        'act=keep&item=1',
        'act=revoke&item=0&reason=%00',
        `act=open&token=${id}`,
      ]),
    };
  }
  const type = random.pick([
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
  ]);
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="x.json"\r\n\r\n{}';
  return {
    method: 'POST',
    path: random.pick(['/console/sources', `/console/sources/${id}/push`]),
    headers: {
      cookie: random.pick(COOKIES),
      'content-type': type,
      'sec-fetch-site': 'same-origin',
    },
    body: random.pick(['', '--x--', part, `${part}\r\n--x--`, '{}']),
  };
};
