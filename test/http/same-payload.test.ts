import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let wiki: RegisteredIds;
let corp: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

interface Answer {
  readonly push_id: string;
  readonly unchanged: boolean;
  readonly digest: string;
  readonly warnings: readonly { readonly message: string; readonly code: string }[];
}

const pushText = async ({ path, ...ids }: RegisteredIds, json_data: string): Promise<Answer> => {
  const answer = await service.post(path, { ...ids, json_data });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Answer;
};

const push = (ids: RegisteredIds, payload: object): Promise<Answer> =>
  pushText(ids, JSON.stringify(payload));

interface PushRecord extends Pick<Answer, 'warnings'> {
  readonly warning_count: number;
  readonly seconds: Readonly<Record<string, number>>;
}

const recordOf = async ({ path }: RegisteredIds, { push_id }: Answer): Promise<PushRecord> => {
  const record = await service.send('get', path.replace(/:push$/, `/pushes/${push_id}`));
  return (record.body as { value: PushRecord }).value;
};

/** Seconds by step, from the record of a push. */
const secondsOf = async (ids: RegisteredIds, answer: Answer): Promise<PushRecord['seconds']> =>
  (await recordOf(ids, answer)).seconds;

/** Whether a push was answered without reading its payload: its record tells no time for that. */
const wasRead = async (ids: RegisteredIds, answer: Answer): Promise<boolean> =>
  'decode' in (await secondsOf(ids, answer));

const accounts = (...users: readonly string[]): object => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: users.map((name) => ({ name, identities: [`${name}@corp.example`] })),
      local_roles: [{ name: 'empty' }],
    },
  ],
});

const people = (...users: readonly string[]): object => ({
  name: 'Corp',
  idp_type: 'ldap',
  domains: [{ name: 'corp.example' }],
  users: users.map((name) => ({ name, email: `${name}@corp.example`, groups: [] })),
});

const missing = (name: string): string =>
  `Cannot find identity by names ["${name}@corp.example"] (local user "${name}" of application "Wiki": identities)`;
const EMPTY = 'Role is missing permission (local role "empty" of application "Wiki")';

const messages = ({ warnings }: Answer): readonly string[] =>
  warnings.map(({ message }) => message);

beforeEach(async () => {
  wiki = await service.register('application');
  corp = await service.register('identity_provider');
});

test('the very payload again is answered without reading it, its warnings included', async () => {
  const first = await push(wiki, accounts('ann', 'bob'));
  const again = await push(wiki, accounts('ann', 'bob'));
  expect(messages(first)).toEqual([missing('ann'), missing('bob'), EMPTY]);
  expect(again).toMatchObject({
    unchanged: true,
    digest: first.digest,
    warnings: first.warnings,
  });
  expect(again.push_id).not.toBe(first.push_id);
  expect([await wasRead(wiki, first), await wasRead(wiki, again)]).toEqual([true, false]);
  const third = await push(wiki, accounts('ann', 'bob'));
  expect(third).toMatchObject({ unchanged: true, warnings: first.warnings });
  expect(await wasRead(wiki, third)).toBe(false);
});

test('the record of the very payload again lists its warnings, and counts more than it lists', async () => {
  const users = Array.from({ length: 1_001 }, (_, number) => `u${number}`);
  const first = await push(wiki, accounts(...users));
  const again = await push(wiki, accounts(...users));
  expect(await wasRead(wiki, again)).toBe(false);
  expect(again.warnings).toHaveLength(1_002);
  expect(again.warnings).toEqual(first.warnings);
  const { warnings, warning_count } = await recordOf(wiki, again);
  expect([warnings, warning_count]).toEqual([first.warnings.slice(0, 1_000), 1_002]);
});

test('a payload without warnings is known as well', async () => {
  const bare = {
    applications: [{ name: 'Wiki', application_type: 'wiki', local_users: [{ name: 'ann' }] }],
  };
  await push(wiki, bare);
  const again = await push(wiki, bare);
  expect([again.unchanged, again.warnings, await wasRead(wiki, again)]).toEqual([true, [], false]);
});

test('other bytes of the same content are read, and known from then on', async () => {
  await push(wiki, accounts('ann', 'bob'));
  const spaced = JSON.stringify(accounts('bob', 'ann'), null, 2);
  const other = await pushText(wiki, spaced);
  expect([other.unchanged, await wasRead(wiki, other)]).toEqual([true, true]);
  const again = await pushText(wiki, spaced);
  expect([again.unchanged, await wasRead(wiki, again)]).toEqual([true, false]);
  expect(messages(again)).toEqual([missing('bob'), missing('ann'), EMPTY]);
});

/** Whether the rows of a push were compared with those that stand: its record tells a time for that. */
const wasCompared = async (ids: RegisteredIds, answer: Answer): Promise<boolean> =>
  'difference' in (await secondsOf(ids, answer));

test('the digest of the rows tells that the same content in another order changes nothing', async () => {
  const first = await push(wiki, accounts('ann', 'bob'));
  const other = await push(wiki, accounts('bob', 'ann'));
  expect(other).toMatchObject({ unchanged: true, digest: first.digest });
  expect(await wasCompared(wiki, other)).toBe(false);
  expect(messages(other)).toEqual([missing('bob'), missing('ann'), EMPTY]);
  await push(corp, people('ann'));
  const later = await push(wiki, accounts('bob', 'ann'));
  expect([messages(later), await wasCompared(wiki, later)]).toEqual([
    [missing('bob'), EMPTY],
    false,
  ]);
  await service.send('delete', corp.path.replace(/:push$/, ''));
});

test('content as long as the one before is told from it', async () => {
  const first = await push(wiki, accounts('ann', 'bob'));
  const other = await push(wiki, accounts('ann', 'bea'));
  expect(other.unchanged).toBe(false);
  expect(other.digest).not.toBe(first.digest);
  const back = await push(wiki, accounts('bob', 'ann'));
  expect(back).toMatchObject({ unchanged: false, digest: first.digest });
});

test('what others bring or take since is told in the warnings', async () => {
  await push(wiki, accounts('ann', 'bob'));
  await push(corp, people('ann'));
  const after = await push(wiki, accounts('ann', 'bob'));
  expect(messages(after)).toEqual([missing('bob'), EMPTY]);
  expect([after.unchanged, await wasRead(wiki, after)]).toEqual([true, true]);
  expect(await wasCompared(wiki, after)).toBe(false);
  const again = await push(wiki, accounts('ann', 'bob'));
  expect([messages(again), await wasRead(wiki, again)]).toEqual([[missing('bob'), EMPTY], false]);
  await service.send('delete', corp.path.replace(/:push$/, ''));
  const left = await push(wiki, accounts('ann', 'bob'));
  expect(messages(left)).toEqual([missing('ann'), missing('bob'), EMPTY]);
});

test('what changed in between is put back', async () => {
  const first = await push(wiki, accounts('ann', 'bob'));
  const increment = await push(wiki, {
    incremental_change: true,
    applications: [{ name: 'Wiki', local_users: [{ name: 'bob', operation: 'delete' }] }],
  });
  expect(increment.digest).not.toBe(first.digest);
  const back = await push(wiki, accounts('ann', 'bob'));
  expect(back).toMatchObject({ unchanged: false, digest: first.digest });
  await push(wiki, {
    incremental_change: true,
    applications: [{ name: 'Wiki', local_users: [{ name: 'bob', operation: 'delete' }] }],
  });
  const turned = await push(wiki, accounts('bob', 'ann'));
  expect(turned).toMatchObject({ unchanged: false, digest: first.digest });
});

test('the payload of another data source proves nothing', async () => {
  await push(wiki, accounts('ann'));
  const other = await service.register('application');
  const first = await push(other, accounts('ann'));
  expect([first.unchanged, await wasRead(other, first)]).toEqual([false, true]);
});

test('a data source takes what is remembered of it along', async () => {
  const { KnownPayload: before = 0 } = await service.counts();
  await push(wiki, accounts('ann'));
  expect(await service.counts()).toMatchObject({ KnownPayload: Number(before) + 1 });
  await service.send('delete', wiki.path.replace(/:push$/, ''));
  const { KnownPayload: after = 0 } = await service.counts();
  expect(after).toBe(before);
});
