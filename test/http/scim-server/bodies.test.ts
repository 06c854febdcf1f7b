import { gzipSync } from 'node:zlib';

import { type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { type Answered, readScim, scimSource } from './directory';

let service: ServiceUnderTest;
let base: string;

beforeAll(async () => {
  service = await serviceUnderTest({ problems: 100, bodyBytes: 32 * 1024 ** 2 });
  ({ base } = await scimSource(service));
});
afterAll(() => service.close());

const sendCompressed = (path: string, json: string): Promise<Answered> =>
  readScim(
    service
      .send('post', `${base}${path}`)
      .set('content-type', 'application/scim+json')
      .set('content-encoding', 'gzip')
      .serialize((body: string) => body)
      .send(gzipSync(json, { level: 9 })),
  );

const wrongMembers = (count: number): string =>
  `{"displayName":"g","members":[${'1,'.repeat(count - 1)}1]}`;

test('16 KB that hold 8 million wrong members are refused while they are read', async () => {
  const { status, body } = await sendCompressed('/Groups', wrongMembers(8_000_000));
  expect([status, body.detail]).toEqual([
    413,
    'The body holds more than 1000000 values. Send less at once.',
  ]);
});

test('of many wrong members the answer tells a hundred', async () => {
  const { status, body } = await sendCompressed('/Groups', wrongMembers(5_000));
  expect(status).toBe(400);
  expect(String(body.detail).split('; ')).toHaveLength(100);
});

test('a body of lists in lists is refused where it becomes too deep', async () => {
  const { status, body } = await sendCompressed('/Users', `{"x":${'['.repeat(4_000_000)}`);
  expect([status, body.detail]).toEqual([400, 'is nested deeper than 64 levels']);
});

test('a search takes no more than a search needs', async () => {
  const { status } = await sendCompressed('/Users/.search', `{"x":"${'x'.repeat(100_000)}"}`);
  expect(status).toBe(413);
});
