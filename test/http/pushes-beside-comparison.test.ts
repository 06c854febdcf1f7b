import { changesIn, within, type Within } from '../../src/questions/changes/access-changes';
import { Instant, justBefore } from '../../src/model/instant';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<string> => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
  return String((answer.body as { at: unknown }).at);
};

const BOUNDS = { changed: 50_000, facts: 500_000, pairs: 50_000_000 };

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const tags = (at: number): readonly object[] => [{ key: 'team', value: `team ${at % 3}` }];

/** A directory whose people are managed, own things, have tags, and come from another one. */
const people = (moved: number, order = upTo(8)): object => ({
  domains: [{ name: 'corp' }],
  groups: [{ name: 'editors' }, { name: 'readers' }],
  users: order.map((at) => ({
    name: `person ${at}`,
    email: `${at}@corp`,
    manager_id: `person ${at >> 2}`,
    source_identity: { identity: `person ${at}`, provider_type: 'any' },
    entities_owned: [{ node_type: 'space', id: `pages ${at % 3}` }],
    tags: tags(at),
    groups: [{ identity: at < moved ? 'readers' : 'editors' }],
  })),
});

const application = (name: string, accounts: number, isHeld = true): object => ({
  applications: [
    {
      ...{ name, application_type: 'wiki' },
      local_groups: [{ name: 'writers', identities: ['editors'] }],
      local_users: upTo(accounts).map((at) => ({
        ...{ name: `u${at}`, identities: [`${at}@corp`], groups: ['writers'], tags: tags(at) },
      })),
      local_roles: [{ name: 'editor', permissions: ['read'] }],
      resources: upTo(3).map((at) => ({
        ...{ name: `pages ${at}`, id: `pages ${at}`, resource_type: 'space', tags: tags(at) },
      })),
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: (
    [
      ['writers', 'local_group'],
      ['3@corp', 'idp'],
    ] as const
  )
    .filter(() => isHeld)
    .map(([identity, identity_type]) => ({
      ...{ identity, identity_type },
      role_assignments: [{ application: name, role: 'editor', resources: ['pages 0', 'pages 1'] }],
    })),
});

// A comparison stages copies of what it compares. Nothing that a push or a deletion needs is locked by that.
test('no push and no deletion waits for a transaction that compares access', async () => {
  const upstream = await service.register('identity_provider');
  const directory = await service.register('identity_provider');
  const [wiki, other, gone] = [
    await service.register('application'),
    await service.register('application'),
    await service.register('application'),
  ];
  await push(upstream, people(0));
  await push(directory, people(0));
  await push(gone, application('gone', 8));
  const to = new Instant(await push(wiki, application('wiki', 8)));

  let staged = (): void => undefined;
  let release = (): void => undefined;
  const isStaged = new Promise<void>((resolve) => (staged = resolve));
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let steps = 0;
  let isOpen = false;
  const inRollback = within(service.graph, 120);
  const held: Within = (work) =>
    inRollback(async (tx) => {
      const done = await work(tx);
      steps += 1;
      if (steps < 2) return done;
      isOpen = true;
      staged();
      await isReleased;
      isOpen = false;
      return done;
    });
  const compared = changesIn(held, { from: justBefore(to), to }, BOUNDS);
  await isStaged;

  await push(directory, people(0, upTo(8).toReversed()));
  await push(directory, people(5));
  await push(upstream, people(7));
  await push(wiki, application('wiki', 10));
  await push(other, application('other', 8));
  await push(wiki, application('wiki', 8, false));
  const deleted = await service.send('delete', gone.path.replace(/:push$/, ''));
  expect([deleted.status, isOpen]).toEqual([200, true]);
  release();
  expect((await compared).length).toBeGreaterThan(10);
});
