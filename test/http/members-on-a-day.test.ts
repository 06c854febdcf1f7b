import { ask } from '../../src/neo4j/ask';
import { toDateTime } from '../../src/neo4j/values';
import { Instant } from '../../src/model/instant';
import { savedQueries } from '../../src/kit/saved-queries';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

/** A directory: who is a member of which group, and of which group each group is a member. */
type Members = Readonly<Record<string, readonly string[]>>;

const groupsOf = (of: Members, member: string) => ({
  groups: (of[member] ?? []).map((identity) => ({ identity })),
});

const directory = (people: Members, groups: Members): string =>
  JSON.stringify({
    name: 'Directory',
    idp_type: 'directory',
    domains: [{ name: 'acme.example' }],
    users: Object.keys(people).map((name) => ({
      name,
      identity: name,
      email: `${name}@acme.example`,
      ...groupsOf(people, name),
    })),
    groups: Object.keys(groups).map((name) => ({
      name,
      identity: name,
      ...groupsOf(groups, name),
    })),
  });

// Before, the member of a nested group was said to be there since the member's own step.
test('a member of a nested group is in the group since the newest step of the way', async () => {
  const { path, ...ids } = await service.register('identity_provider');
  const push = async (people: Members, groups: Members): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: directory(people, groups) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { readonly at: string }).at;
  };
  const none = { all: [], team: [], other: [] };
  const joined = await push({ ann: ['team'], ben: ['team', 'other'], cleo: [] }, none);
  const nested = await push(
    { ann: ['team'], ben: ['team', 'other'], cleo: [] },
    { ...none, team: ['all'] },
  );
  const later = await push(
    { ann: ['team'], ben: ['team', 'other'], cleo: ['team'] },
    { ...none, team: ['all'], other: ['all'] },
  );
  const sinceOf = async (group: string, at: string): Promise<Readonly<Record<string, unknown>>> => {
    const query = savedQueries().find(({ name }) => name === 'members-of-a-group-on-a-day');
    const rows = await ask(service.graph, query?.text ?? '', {
      group,
      at: toDateTime(new Instant(at)),
    });
    return Object.fromEntries<unknown>(rows.map(({ member, since }) => [String(member), since]));
  };
  expect(await sinceOf('team', later)).toEqual({ ann: joined, ben: joined, cleo: later });
  // Of two ways the older counts.
  const now = { team: nested, other: later, ann: nested, ben: nested, cleo: later };
  expect(await sinceOf('all', later)).toEqual(now);

  await push({ ann: [], ben: [], cleo: [] }, none);
  expect(await sinceOf('all', later)).toEqual(now);
});
