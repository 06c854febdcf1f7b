import { Browser } from './browser-session';
import { keyOf } from './company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const LAYERS = 40;

let service: ServiceUnderTest;
let application: string;
let last: string;
let ann: string;
let before: string;

const group = (layer: number, at: number): string => `group ${layer} ${at}`;

/** Two groups a layer, each in both of the next one; with `circle` the last layer is in the first. */
const nested = (circle: boolean): readonly object[] =>
  Array.from({ length: LAYERS }, (_, layer) =>
    [0, 1].map((at) => {
      const next = (layer + 1) % LAYERS;
      const isIn = next > 0 || circle ? [group(next, 0), group(next, 1)] : [];
      return { name: group(layer, at), groups: isIn };
    }),
  ).flat();

const payload = (circle: boolean, users: readonly string[]): object => ({
  applications: [
    {
      name: 'Deep',
      application_type: 'deep',
      local_groups: nested(circle),
      local_users: users.map((name) => ({ name, groups: [group(0, 0)] })),
      resources: [{ name: 'thing', resource_type: 'thing' }],
    },
  ],
  permissions: [
    { name: 'see', permission_type: ['DataRead'], apply_to_sub_resources: true },
    { name: 'turn', permission_type: ['DataWrite'] },
  ],
  identity_to_permissions: [
    {
      identity: group(LAYERS - 1, 0),
      identity_type: 'local_group',
      application_permissions: [
        { application: 'Deep', permission: 'see', apply_to_application: true },
      ],
    },
    {
      identity: 'ann',
      identity_type: 'local_user',
      application_permissions: [
        { application: 'Deep', permission: 'turn', apply_to_application: true },
      ],
    },
  ],
});

beforeAll(async () => {
  service = await serviceUnderTest();
  const ids = await service.register('application');
  const push = async (circle: boolean, users: readonly string[]): Promise<string> => {
    const { path, ...envelope } = ids;
    const json_data = JSON.stringify(payload(circle, users));
    const answer = await service.post(path, { ...envelope, json_data });
    expect(answer.status).toBe(200);
    return (answer.body as { readonly at: string }).at;
  };
  before = await push(false, ['ann', 'bob']);
  await push(true, ['ann', 'bob', 'cyd']);
  application = await keyOf(service, 'Application', 'Deep');
  last = await keyOf(service, 'LocalGroup', group(LAYERS - 1, 0));
  ann = await keyOf(service, 'LocalUser', 'ann');
});
afterAll(() => service.close());

const get = async <A>(path: string, query: Readonly<Record<string, string>>): Promise<A> => {
  const answer = await service.send(
    'get',
    `/api/v1/${path}?${new URLSearchParams(query).toString()}`,
  );
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as A;
};

interface Losses {
  readonly people: number;
  readonly values: readonly {
    readonly name: string;
    readonly lost: readonly { readonly name: string }[];
    readonly left: readonly { readonly name: string }[];
  }[];
}

const names = (held: readonly { readonly name: string }[]): readonly string[] =>
  held.map(({ name }) => name);

// 2^39 ways led from each user to the group. All of them were listed, so the answer was 503 after
// LIMIT_ANSWER_SECONDS, and Neo4j worked that long.
test.each(['', 'true'])(
  'who would lose what without a group is answered, however many ways lead to it (contents: "%s")',
  async (contents) => {
    const asked = { resource: application, contents };
    const now = await get<Losses>('access:gateways', { ...asked, without: last });
    const told = now.values.map(({ name, lost, left }) => [name, names(lost), names(left)]);
    expect([now.people, told]).toEqual([
      3,
      [
        ['ann', ['see'], ['turn']],
        ['bob', ['see'], []],
        ['cyd', ['see'], []],
      ],
    ]);
    const then = await get<Losses>('access:gateways', { ...asked, without: last, at: before });
    expect([then.people, then.values.map(({ name }) => name)]).toEqual([2, ['ann', 'bob']]);
    // One of two groups of a layer takes nothing: ways lead through the other one.
    const other = await keyOf(service, 'LocalGroup', group(1, 1));
    const nothing = await get<Losses>('access:gateways', { ...asked, without: other });
    expect([nothing.people, nothing.values]).toEqual([3, []]);
    // Whoever is the gateway themselves loses all.
    const own = await get<Losses>('access:gateways', { ...asked, without: ann });
    expect(own.values.map(({ name, lost }) => [name, names(lost)])).toEqual([
      ['ann', ['see', 'turn']],
    ]);
  },
);

test.each<[string, () => Readonly<Record<string, string>>]>([
  ['access', () => ({ resource: application, contents: 'true' })],
  ['access', () => ({ principal: ann, person: 'true' })],
  ['access', () => ({ resource: application, at: before })],
  ['access:gateways', () => ({ resource: application, contents: 'true' })],
  ['access:gateways', () => ({ resource: application, at: before })],
  ['access:check', () => ({ principal: ann, resource: application, permission: 'see' })],
  ['access:explain', () => ({ principal: ann, resource: application })],
  ['access:changes', () => ({ since: before })],
  ['access:export', () => ({ principal: ann })],
  ['reviewers', () => ({ principal: ann })],
])('%s is answered as well', async (path, query) => {
  await get(path, query());
});

// The file has the first hundred ways, as the page does, and its link said that it had all.
test('a page of more ways than it has does not offer all of them as a file', async () => {
  const browser = new Browser(service.app);
  await browser.signIn(API_KEY);
  const asked = new URLSearchParams({ principal: ann, resource: application }).toString();
  const { text } = await browser.get(`/console/why?${asked}`);
  expect(text).toContain('There are more ways than these.');
  expect([text.includes('These ways as CSV'), text.includes('All ways as CSV')]).toEqual([
    true,
    false,
  ]);
  const about = await browser.get(`/console/csv/why?${asked}&about=true`);
  expect(about.text).toMatch(/Rows,"?\d+, and there are more/);
});
