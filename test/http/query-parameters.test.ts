import type supertest from 'supertest';

import { type Route, showsPages } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({ eventStreams: 1_000 });
});
afterAll(() => service.close());

const KEYS = '/api/preview/teamkeys';

/** A value that a parameter cannot have, where not every text is one. */
const MALFORMED: Readonly<Record<string, string>> = {
  filter: 'nonsense',
  order_by: 'nonsense',
  page_size: '0',
  page_token: 'nonsense',
  last_event_id: 'nonsense',
  repair: 'perhaps',
  person: 'yes',
  permission_type: 'DataWrit',
};

/** What a question needs before it is looked at further. */
const neededBy = (route: Route): string =>
  route.path === '/api/v1/access'
    ? 'principal=x&'
    : Object.keys(route.query?.required ?? {})
        .map((name) => `${name}=x&`)
        .join('');

const ROUTES = idleRoutes().filter(
  (route) =>
    // SCIM passes over parameters that it does not have (RFC 7644, 4).
    !route.path.startsWith('/scim/v2/') &&
    // Pages for people refuse them too, as pages (test/features/console/pages.test.ts).
    !showsPages(route),
);
const STRICT = ROUTES.filter((route) => route.ignoresOtherParameters !== true);
const LENIENT = ROUTES.filter((route) => route.ignoresOtherParameters === true);
const STRICT_PARAMETERS = STRICT.flatMap((route) =>
  Object.keys(route.query?.optional ?? {}).map((name) => ({ route, name })),
);

type Ids = Readonly<Record<string, string>>;

/** Makes what paths name. */
const made = async (): Promise<Ids> => {
  const ids = await service.register();
  const key = await service.post(KEYS, { name: 'k' });
  const json_data = JSON.stringify({ domains: [{ name: 'd' }], users: [] });
  const pushed = await service.post(ids.path, { ...namesOf(ids), json_data });
  return {
    providerId: ids.id,
    dataSourceId: ids.data_source_id,
    pushId: (pushed.body as { push_id: string }).push_id,
    keyId: (key.body as { value: { id: string } }).value.id,
    entityId: 'x',
    page: 'readme',
    template: 'application',
  };
};

let kept: Promise<Ids> | undefined;

/** The path of a route about things that are there; what a request deletes is made for it alone. */
const pathOf = async ({ method, path }: Route): Promise<string> => {
  const values = await (method === 'delete' ? made() : (kept ??= made()));
  return path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
    escape === '' ? (values[name] ?? name) : `:${name}`,
  );
};

const namesOf = ({ id, data_source_id }: RegisteredIds): object => ({ id, data_source_id });

const sent = async (route: Route, query: string): Promise<supertest.Response> => {
  const body = route.body === undefined ? undefined : {};
  return service.send(route.method, `${await pathOf(route)}${query}`, body);
};

interface Violation {
  readonly pointer: string;
  readonly field: string;
  readonly description: string;
}

const violationsIn = ({ body }: supertest.Response): readonly Violation[] =>
  (body as { details?: readonly { field_violations: readonly Violation[] }[] }).details?.[0]
    ?.field_violations ?? [];

test.each(STRICT)('$method $path refuses a parameter that it does not have', async (route) => {
  const answer = await sent(route, `?${neededBy(route)}nonsense=1`);
  expect(answer.status).toBe(400);
  expect(violationsIn(answer)).toEqual([
    expect.objectContaining({ pointer: '/nonsense', field: 'nonsense', code: 'UNKNOWN_FIELD' }),
  ]);
});

test.each(STRICT_PARAMETERS)(
  '$route.path guesses that $name was meant',
  async ({ route, name }) => {
    const misspelt = `${name}x`;
    const answer = await sent(route, `?${neededBy(route)}${misspelt}=1`);
    expect(answer.status).toBe(400);
    expect(violationsIn(answer)).toEqual([
      expect.objectContaining({
        pointer: `/${misspelt}`,
        description: expect.stringContaining(`did you mean "${name}"`) as string,
      }),
    ]);
  },
);

test.each(STRICT.filter((route) => Object.keys(route.query?.required ?? {}).length > 0))(
  '$route.path lists each parameter that it needs, absent or empty, beside the one that it does not have',
  async (route) => {
    const needed = Object.keys(route.query?.required ?? {}).map((name) => `/${name}`);
    for (const query of [
      '?nonsense=1',
      `?nonsense=1${needed.map((one) => `&${one.slice(1)}=`).join('')}`,
    ]) {
      const answer = await sent(route, query);
      expect([
        answer.status,
        violationsIn(answer)
          .map(({ pointer }) => pointer)
          .sort(),
      ]).toEqual([400, ['/nonsense', ...needed].sort()]);
    }
  },
);

test.each(STRICT_PARAMETERS.filter(({ name }) => MALFORMED[name] !== undefined))(
  '$route.path refuses a malformed $name',
  async ({ route, name }) => {
    const answer = await sent(route, `?${neededBy(route)}${name}=${MALFORMED[name]}`);
    expect(answer.status).toBe(400);
    expect(violationsIn(answer).map(({ pointer }) => pointer)).toEqual([`/${name}`]);
  },
);

test.each(LENIENT)('$method $path ignores a parameter that it does not have', async (route) => {
  const [plain, withParameter] = [await sent(route, ''), await sent(route, '?nonsense=1')];
  expect(withParameter.status).toBe(plain.status);
  expect(violationsIn(withParameter).map(({ pointer }) => pointer)).not.toContain('/nonsense');
});
