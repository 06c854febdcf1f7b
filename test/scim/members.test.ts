import { type Account, readAccount } from '../../src/scim/client/accounts';
import { changeMembers, type MemberChange, type MemberResult } from '../../src/scim/client/members';
import { act, type Acted, type Acting } from './acting';
import { first, isWrite, type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

/** Puts people and one group on the server. */
const given = (people: readonly string[], members: readonly string[]): void => {
  for (const id of people) server.users.set(id, { id, userName: id });
  server.groups.set('g', {
    id: 'g',
    displayName: 'Writers',
    ...(members.length === 0 ? {} : { members: members.map((value) => ({ value })) }),
  });
};

const changed = (
  change: MemberChange,
  ids: readonly string[],
  acting: Acting = {},
  group = 'writers',
): Promise<Acted<readonly MemberResult[]>> =>
  act(
    server.base,
    async (application) => {
      const accounts = await Promise.all(
        ids.map(
          async (id): Promise<Account> =>
            (await readAccount(application, id)) ?? { id, resource: {}, etag: null },
        ),
      );
      return changeMembers(application, group, change, accounts);
    },
    acting,
  );

const members = (): readonly string[] =>
  ((server.groups.get('g')?.members ?? []) as readonly { value: string }[]).map(
    ({ value }) => value,
  );

const outcomes = ({ result, fault }: Acted<readonly MemberResult[]>): Record<string, string> => {
  expect(fault).toBeNull();
  return Object.fromEntries(
    (result ?? []).map((one) => [
      one.account,
      'fault' in one ? one.fault.code : `${one.outcome}${one.confirmed ? '' : ', not confirmed'}`,
    ]),
  );
};

describe.each([
  ['PATCH', {}, {}],
  ['PUT', { patch: false, etag: true }, {}],
])('by %s', (method, ways, profile) => {
  test('members are added once though the answer was lost', async () => {
    server.reset(ways);
    given(['a', 'c'], ['c']);
    server.misdeed = first(1, isWrite, (_got, res, next) => {
      Object.assign(res, { writeHead: () => res, end: () => res });
      next();
      res.destroy();
    });
    expect(outcomes(await changed('add', ['a'], { profile }))).toEqual({ a: 'added' });
    expect(members()).toEqual(['c', 'a']);
  });

  test('members are added once and removed once, and the others stay', async () => {
    server.reset(ways);
    given(['a', 'b', 'c'], ['c']);
    const acting = { profile };
    expect(outcomes(await changed('add', ['a', 'b', 'c'], acting))).toEqual({
      a: 'added',
      b: 'added',
      c: 'unchanged',
    });
    expect(outcomes(await changed('add', ['a'], acting))).toEqual({ a: 'unchanged' });
    expect(outcomes(await changed('remove', ['c', 'a'], acting))).toEqual({
      a: 'removed',
      c: 'removed',
    });
    expect(outcomes(await changed('remove', ['a'], acting))).toEqual({ a: 'unchanged' });
    expect(members()).toEqual(['b']);
    // The last member goes too, though the list then is absent.
    expect(outcomes(await changed('remove', ['b'], acting))).toEqual({ b: 'removed' });
    expect(server.writes().every((write) => write === `${method} /Groups/g`)).toBe(true);
  });

  test('one unknown member does not stop the others', async () => {
    server.reset({ ...ways, checksMembers: true });
    const people = Array.from({ length: 9 }, (_, index) => `p${index}`);
    given(people, ['p0']);
    const all = [...people.slice(1, 5), 'nobody', ...people.slice(5)];
    expect(outcomes(await changed('add', all, { profile }))).toEqual({
      ...Object.fromEntries(people.slice(1).map((id) => [id, 'added'])),
      nobody: 'REFUSED',
    });
    expect([...members()].sort()).toEqual(people);
  });
});

test('a dry run tells the request and sends none', async () => {
  given(['a', 'b'], ['b']);
  const dry = await changed('remove', ['a', 'b'], { isDryRun: true });
  expect(outcomes(dry)).toEqual({ a: 'unchanged, not confirmed', b: 'removed, not confirmed' });
  expect(dry.requests.filter(({ sent }) => !sent)).toEqual([
    {
      method: 'PATCH',
      path: '/Groups/g',
      sent: false,
      status: null,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'remove', path: 'members[value eq "b"]' }],
      },
    },
  ]);
  expect(members()).toEqual(['b']);
});

test('a group of thousands gets its members in requests of a hundred', async () => {
  const people = Array.from({ length: 250 }, (_, index) => `p${index}`);
  const others = Array.from({ length: 5000 }, (_, index) => `o${index}`);
  given(people, others);
  const results = outcomes(await changed('add', people));
  expect(new Set(Object.values(results))).toEqual(new Set(['added']));
  expect(server.writes()).toHaveLength(3);
  expect(members()).toHaveLength(5250);
});

test('a group is found by its id, and two of one name are ambiguous', async () => {
  given(['a'], []);
  expect(outcomes(await changed('add', ['a'], {}, 'g'))).toEqual({ a: 'added' });
  server.groups.set('h', { id: 'h', displayName: 'WRITERS' });
  expect((await changed('add', ['a'])).fault?.code).toBe('AMBIGUOUS');
  expect((await changed('add', ['a'], {}, 'Readers')).fault?.code).toBe('NO_GROUP');
});

test('a group is found where the server knows no filter', async () => {
  server.reset({ filter: false, page: 1 });
  for (const id of ['x', 'y']) server.groups.set(id, { id, displayName: id });
  given(['a'], []);
  expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'added' });
});

describe('members that are not shown', () => {
  const hidden = {
    show: ({ members: _hidden, ...resource }: { id: string; members?: unknown }) => resource,
  };

  test('are asked for by filter', async () => {
    server.reset(hidden);
    given(['a', 'b'], ['b']);
    expect(outcomes(await changed('add', ['a', 'b']))).toEqual({ a: 'added', b: 'unchanged' });
    expect(members()).toEqual(['b', 'a']);
    // That somebody is no member, nobody can see.
    expect(outcomes(await changed('remove', ['b']))).toEqual({ b: 'removed, not confirmed' });
    expect(members()).toEqual(['a']);
  });

  test('are not taken for members where the server ignores the filter', async () => {
    server.reset(hidden);
    given(['a'], []);
    server.misdeed = (got, res, next) => {
      if (!got.path.includes('members.value')) return next();
      const body = { totalResults: 1, Resources: [{ id: 'g' }] };
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    };
    expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'added, not confirmed' });
    expect(server.writes()).toEqual(['PATCH /Groups/g']);
  });

  test('are never lost by a PUT', async () => {
    server.reset({ ...(hidden as never as object), patch: false, filter: false });
    given(['a', 'b'], ['b']);
    expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'MEMBERS_UNKNOWN' });
    expect(members()).toEqual(['b']);
  });

  test('are none where the profile says that groups show all', async () => {
    server.reset({ patch: false });
    given(['a'], []);
    expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'MEMBERS_UNKNOWN' });
    const whole = { profile: { shows_all_members: true } };
    expect(outcomes(await changed('add', ['a'], whole))).toEqual({ a: 'added' });
    expect(members()).toEqual(['a']);
  });

  test('are never lost by a PUT where the profile says that lists are cut', async () => {
    server.reset({
      patch: false,
      show: (resource) => ({
        ...resource,
        members: ((resource.members ?? []) as object[]).slice(0, 1),
      }),
    });
    given(['a', 'b', 'c'], ['b', 'c']);
    const cut = { profile: { shows_all_members: false } };
    expect(outcomes(await changed('add', ['a'], cut))).toEqual({ a: 'MEMBERS_UNKNOWN' });
    expect(members()).toEqual(['b', 'c']);
  });

  test('are seen at the accounts where lists are cut', async () => {
    server.reset({
      show: (resource) =>
        resource.userName === undefined
          ? { ...resource, members: ((resource.members ?? []) as object[]).slice(0, 1) }
          : {
              ...resource,
              groups: members().includes(resource.id) ? [{ value: 'g' }] : [{ value: 'x' }],
            },
    });
    given(['a', 'b', 'c'], ['b', 'c']);
    const cut = { profile: { shows_all_members: false } };
    expect(outcomes(await changed('add', ['a', 'c'], cut))).toEqual({ a: 'added', c: 'unchanged' });
    expect(outcomes(await changed('remove', ['c'], cut))).toEqual({ c: 'removed' });
    expect(members()).toEqual(['b', 'a']);
  });
});

describe('a server that is not as it should be', () => {
  test('writes ids as numbers', async () => {
    const numbered = (resource: { id: string; members?: unknown }) => ({
      ...resource,
      id: (resource.id === 'g' ? 'g' : Number(resource.id)) as string,
      members: ((resource.members ?? []) as readonly { value: string }[]).map(({ value }) => ({
        value: Number(value),
      })),
    });
    server.reset({ show: numbered });
    given(['1', '2'], ['2']);
    expect(outcomes(await changed('add', ['1', '2']))).toEqual({ 1: 'added', 2: 'unchanged' });
    expect(outcomes(await changed('remove', ['2']))).toEqual({ 2: 'removed' });
    expect(members()).toEqual(['1']);
  });

  test('answers 200 and does nothing', async () => {
    given(['a', 'b'], ['b']);
    server.misdeed = (got, res, next) => (isWrite(got) ? res.writeHead(204).end() : next());
    expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'NO_EFFECT' });
    expect(outcomes(await changed('remove', ['b']))).toEqual({ b: 'NO_EFFECT' });
  });

  // Found with django-scim2 0.23.
  test('removes by value alone, and ignores members that are put: the fault says how to do it', async () => {
    given(['a', 'b'], ['a', 'b']);
    server.misdeed = (got, res, next) => {
      const [operation] = (got.body.Operations ?? []) as readonly Record<string, unknown>[];
      if (got.method === 'PUT') return res.writeHead(200).end('{}');
      if (operation?.op !== 'remove') return next();
      if (operation.path !== 'members') return res.writeHead(501).end('{}');
      const gone = new Set(
        (operation.value as readonly { value: string }[]).map((one) => one.value),
      );
      const group = server.groups.get('g');
      const left = (group?.members as readonly { value: string }[]).filter(
        (one) => !gone.has(one.value),
      );
      server.groups.set('g', { ...group, id: 'g', version: 2, members: left });
      return res.writeHead(204).end();
    };
    const results = await changed('remove', ['a']);
    expect(outcomes(results)).toEqual({ a: 'NO_EFFECT' });
    const [result] = results.result ?? [];
    expect(result !== undefined && 'fault' in result ? result.fault.message : '').toContain(
      'member_removal',
    );
    expect(members()).toEqual(['a', 'b']);
    const told = await changed('remove', ['a'], { profile: { member_removal: 'value' } });
    expect(outcomes(told)).toEqual({ a: 'removed' });
    expect(members()).toEqual(['b']);
  });

  test.each([
    [['b'], 'b'],
    [['b', 'c'], 'b, c'],
  ])('takes away %j with the member that is removed: that is told', async (others, told) => {
    given(['a', ...others], ['a', ...others]);
    const results = await changed('remove', ['a'], { profile: { member_removal: 'value' } });
    expect(outcomes(results)).toEqual({ a: 'MEMBERS_LOST' });
    const [result] = results.result ?? [];
    const message = result !== undefined && 'fault' in result ? result.fault.message : '';
    expect(message).toMatch(new RegExp(`: ${told}\\.$`));
  });

  test.each([
    [
      'cuts the connection',
      (_got: unknown, res: { socket: { destroy(): void } | null }) => void res.socket?.destroy(),
    ],
    [
      'answers 503',
      (_got: unknown, res: { writeHead(status: number): { end(): void } }) =>
        res.writeHead(503).end(),
    ],
  ])('%s, once', async (_what, misdeed) => {
    given(['a', 'b'], ['b']);
    server.misdeed = first(1, isWrite, misdeed);
    expect(outcomes(await changed('add', ['a']))).toEqual({ a: 'added' });
    expect(members()).toEqual(['b', 'a']);
  });

  test('loses the group', async () => {
    given(['a', 'b'], ['b']);
    server.misdeed = first(1, isWrite, (_got, res) => {
      server.groups.clear();
      res.writeHead(204).end();
    });
    expect((await changed('add', ['a'])).fault?.code).toBe('NO_GROUP');
  });
});
