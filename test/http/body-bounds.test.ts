/** @more bounds */

import { gzipSync } from 'node:zlib';

import { ScimBody, ScimPatch } from '../../src/scim/server/endpoints';
import { bodyBoundsOf } from '../../src/web/bodies/body-bounds';
import type { Route } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

/** A push thread reads what is large of these: test/http/large-push.test.ts, scim-server/bodies.test.ts. */
const isReadInThread = ({ path, body = [] }: Route): boolean =>
  /\\:(push|push_csv|plan|parts)$/.test(path) ||
  body.some((codec) => codec === ScimBody || codec === ScimPatch);

const routes = idleRoutes().filter((route) => route.body !== undefined && !isReadInThread(route));

const wide = (values: number): string => `[${new Array<string>(values).fill('1').join()}]`;

const sent = async (route: Route, body: string | Buffer): Promise<number> => {
  const { id, data_source_id } = await service.register('identity_provider');
  const path = route.path
    .replace(/\\:/g, ':')
    .replace(':providerId', id)
    .replace(':dataSourceId', data_source_id)
    .replace(':topic/:name', 'access/who-can-write-to-a-resource')
    .replace(/:[a-zA-Z]+Id\b/g, 'nobody');
  const asked = service.send(route.method, path).set('content-type', 'application/octet-stream');
  const packed = typeof body === 'string' ? asked : asked.set('content-encoding', 'gzip');
  return (await packed.send(body)).status;
};

test('the thread that answers takes no body that would hold others up', () => {
  expect(routes.length).toBeGreaterThan(15);
  for (const route of routes) {
    const { bytes, values, levels } = bodyBoundsOf(route);
    expect([route.path, bytes <= 1024 ** 2, values <= 10_000, levels <= 64]).toEqual([
      route.path,
      true,
      true,
      true,
    ]);
  }
});

/** Those that look for a key, policy or review first answer 404. */
const isFound = ({ path }: Route): boolean => !/:(keyId|policyId|reviewId)/.test(path);

test.each(routes.filter(isFound).map((route) => [route.method, route.path, route] as const))(
  '%s %s refuses what is longer, holds more, or grows beyond its bounds',
  async (_, __, route) => {
    const { bytes, values } = bodyBoundsOf(route);
    expect(await sent(route, ' '.repeat(bytes + 1))).toBe(413);
    expect(await sent(route, gzipSync(' '.repeat(bytes + 1)))).toBe(413);
    expect(await sent(route, wide(values))).toBe(413);
    // As long, and with as many values, as the route takes: its codec says what is wrong.
    expect(await sent(route, wide(values - 1).padEnd(bytes))).toBe(400);
  },
);
