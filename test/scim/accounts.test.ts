import { deleteAccount, disableAccount } from '../../src/scim/client/accounts';
import { ensureAccount, type WantedAccount } from '../../src/scim/client/ensure-account';
import type { Application } from '../../src/scim/client/application';
import type { AttributeValue } from '../../src/scim/client/attribute';
import { act, type Acting } from './acting';
import { first, isWrite, type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const DEPARTMENT = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
const who = { externalId: 'p-1', userName: 'Ann@Halden.example' };

const attributesOf = (more: Readonly<Record<string, AttributeValue>> = {}) =>
  new Map<string, AttributeValue>(
    Object.entries({
      userName: who.userName,
      externalId: who.externalId,
      displayName: 'Ann Berg',
      'name.formatted': 'Ann Berg',
      active: true,
      'emails[type eq "work"].value': 'Ann@Halden.example',
      ...more,
    }),
  );

const wanted = (more: Partial<WantedAccount> = {}): WantedAccount => ({
  who,
  attributes: attributesOf(),
  mayCreate: true,
  adopt: false,
  ...more,
});

const ensure = (more: Partial<WantedAccount> = {}, acting: Acting = {}) =>
  act(server.base, (application: Application) => ensureAccount(application, wanted(more)), acting);

const ofAnn = { who, adopt: false };
const only = () => {
  const [user, other] = server.users.values();
  expect(other).toBeUndefined();
  return user;
};

describe('an account that is made', () => {
  test('has all attributes, and a second time nothing is written', async () => {
    const made = await ensure({ attributes: attributesOf({ [DEPARTMENT]: 'IT' }) });
    expect(made.result).toEqual({
      outcome: 'created',
      account: 'U1',
      confirmed: true,
      ignored: [],
    });
    expect(only()).toMatchObject({
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      userName: 'Ann@Halden.example',
      externalId: 'p-1',
      active: true,
      name: { formatted: 'Ann Berg' },
      emails: [{ value: 'Ann@Halden.example', type: 'work', primary: true }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'IT' },
    });
    const again = await ensure({ attributes: attributesOf({ [DEPARTMENT]: 'IT' }) });
    expect(again.result?.outcome).toBe('unchanged');
    expect(server.writes()).toEqual(['POST /Users']);
  });

  test('is found where the server knows no filter and gives pages of two', async () => {
    server.reset({ filter: false, page: 2 });
    for (const name of ['a', 'b', 'c']) {
      server.users.set(name, { id: name, userName: `${name}@halden.example` });
    }
    await ensure();
    expect((await ensure()).result?.outcome).toBe('unchanged');
    expect(server.writes()).toEqual(['POST /Users']);
    expect(server.got.some(({ path }) => path.includes('filter='))).toBe(false);
  });

  test('is found by cursor', async () => {
    server.reset({ filter: false, page: 2, paging: 'cursor' });
    for (const name of ['a', 'b', 'c']) {
      server.users.set(name, { id: name, userName: `${name}@halden.example` });
    }
    await ensure();
    expect((await ensure()).result?.outcome).toBe('unchanged');
    expect(server.got.map(({ path }) => path)).toContainEqual(
      expect.stringContaining('/Users?cursor=2'),
    );
  });

  test('is found where the server refuses the filter, or answers 404 to it', async () => {
    await ensure();
    for (const status of [400, 404]) {
      server.misdeed = ({ path }, res, next) => {
        if (!path.includes('filter=externalId')) return next();
        res.writeHead(status, { 'content-type': 'application/scim+json' }).end('{}');
      };
      expect((await ensure()).result?.outcome).toBe('unchanged');
    }
    expect(server.writes()).toEqual(['POST /Users']);
  });

  test('is told with its requests in a dry run, and not made', async () => {
    const { result, requests } = await ensure({}, { isDryRun: true });
    expect(result).toEqual({ outcome: 'created', account: null, confirmed: false, ignored: [] });
    expect(requests.filter(({ sent }) => !sent)).toEqual([
      {
        method: 'POST',
        path: '/Users',
        sent: false,
        status: null,
        body: expect.objectContaining({ userName: 'Ann@Halden.example' }) as unknown,
      },
    ]);
    expect(server.writes()).toEqual([]);
    // The dry run told exactly what is sent.
    await ensure();
    expect(server.got.find(isWrite)?.body).toEqual(requests.find(({ sent }) => !sent)?.body);
  });
});

describe('an account that changes', () => {
  const changed = {
    attributes: attributesOf({
      displayName: 'Ann Holm',
      'emails[type eq "work"].value': 'holm@halden.example',
    }),
  };

  test.each([
    ['by PATCH with paths', {}, {}, 'PATCH /Users/U1'],
    ['by PATCH without paths', {}, { patch_paths: false }, 'PATCH /Users/U1'],
    ['by PUT where PATCH is not announced', { patch: false }, {}, 'PUT /Users/U1'],
    ['by PUT where the profile says so', {}, { patch: false }, 'PUT /Users/U1'],
    ['by PUT with its ETag', { patch: false, etag: true }, {}, 'PUT /Users/U1'],
  ])('is changed %s', async (_how, ways, profile, write) => {
    server.reset(ways);
    await ensure();
    const user = only();
    Object.assign(user as object, {
      title: 'Engineer',
      emails: [...((user?.emails ?? []) as object[]), { value: 'ann@home.example', type: 'home' }],
    });
    const { result } = await ensure(changed, { profile });
    expect(result).toMatchObject({ outcome: 'updated', confirmed: true, ignored: [] });
    expect(server.writes().slice(1)).toEqual([write]);
    expect(only()).toMatchObject({
      displayName: 'Ann Holm',
      title: 'Engineer',
      userName: 'Ann@Halden.example',
      emails: [
        { value: 'holm@halden.example', type: 'work', primary: true },
        { value: 'ann@home.example', type: 'home' },
      ],
    });
  });

  test('is sent PUT where an application announces PATCH and refuses it', async () => {
    server.reset({ patch: false, announces: false });
    await ensure();
    expect((await ensure(changed)).result?.outcome).toBe('updated');
    expect(server.writes().slice(1)).toEqual(['PATCH /Users/U1', 'PUT /Users/U1']);
  });

  test('is written on what stands where somebody changes it in between', async () => {
    server.reset({ patch: false, etag: true });
    await ensure();
    server.misdeed = first(1, isWrite, (_got, _res, next) => {
      Object.assign(only() as object, { version: 7, title: 'Engineer' });
      next();
    });
    expect((await ensure(changed)).result?.outcome).toBe('updated');
    expect(only()).toMatchObject({ displayName: 'Ann Holm', title: 'Engineer' });
    expect(server.writes().slice(1)).toEqual(['PUT /Users/U1', 'PUT /Users/U1']);
  });

  test('fails where there is none to update', async () => {
    expect((await ensure({ mayCreate: false })).fault?.code).toBe('NO_ACCOUNT');
    expect(server.writes()).toEqual([]);
  });
});

describe('a server that is not as it should be', () => {
  test('lower-cases, reorders and spells flags as texts: nothing is written again', async () => {
    server.reset({
      show: ({ id, ...resource }) => ({
        ...Object.fromEntries(Object.entries(resource).reverse()),
        USERNAME: String(resource.userName).toLowerCase(),
        userName: undefined,
        displayName: String(resource.displayName).toLowerCase(),
        emails: [{ value: 'ann@halden.example' }],
        active: 'True',
        id,
      }),
    });
    expect((await ensure()).result).toMatchObject({ outcome: 'created', ignored: [] });
    expect((await ensure()).result?.outcome).toBe('unchanged');
  });

  test('ignores an attribute: the account stands, and the attribute is named', async () => {
    server.reset({ keep: ({ displayName: _ignored, ...resource }) => resource });
    expect((await ensure()).result).toMatchObject({
      outcome: 'created',
      ignored: ['displayName'],
    });
  });

  test('answers 200 and does nothing: that is no success', async () => {
    await ensure();
    server.misdeed = (got, res, next) => {
      if (!isWrite(got)) return next();
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end('{"id":"U1"}');
    };
    const changed = await ensure({ attributes: attributesOf({ displayName: 'Ann Holm' }) });
    expect(changed.fault).toMatchObject({
      code: 'NO_EFFECT',
      message: expect.stringContaining('displayName') as string,
    });
    const disabled = await act(server.base, (application) => disableAccount(application, ofAnn));
    expect(disabled.fault?.code).toBe('NO_EFFECT');
    const deleted = await act(server.base, (application) => deleteAccount(application, ofAnn));
    expect(deleted.fault?.code).toBe('NO_EFFECT');
    server.users.clear();
    expect((await ensure()).fault?.code).toBe('NOT_SHOWN');
  });

  test('shows a change late: it is waited for', async () => {
    await ensure();
    let shown = 0;
    server.reset({
      show: (resource) => {
        shown += 1;
        return shown < 3 ? { ...resource, displayName: 'before' } : resource;
      },
    });
    expect((await ensure()).result).toMatchObject({ outcome: 'created', ignored: [] });
  });

  test.each([429, 503])('answers %s with Retry-After: it is waited as long', async (status) => {
    for (const after of ['7', new Date(Date.parse('2026-11-25T12:00:07Z')).toUTCString()]) {
      server.reset();
      server.misdeed = first(2, isWrite, (_got, res) => {
        res.writeHead(status, { 'retry-after': after }).end();
      });
      const { result, waits } = await ensure();
      expect(result?.outcome).toBe('created');
      expect(waits[0]).toBe(7000);
      expect(server.users.size).toBe(1);
    }
  });

  test('asks to wait for an hour: that is told, and not waited', async () => {
    server.misdeed = (_got, res) => res.writeHead(429, { 'retry-after': '3600' }).end();
    const { fault, waits } = await ensure();
    expect(fault).toMatchObject({ code: 'BUSY', details: { retryAfterSeconds: 3600 } });
    expect(waits).toEqual([]);
  });

  test('cuts the connection after it has made the account: it is not made twice', async () => {
    server.misdeed = first(1, isWrite, (_got, res, next) => {
      res.end = (() => {
        res.socket?.destroy();
        return res;
      }) as typeof res.end;
      res.writeHead = () => res;
      next();
    });
    expect((await ensure()).result).toMatchObject({ outcome: 'created', account: 'U1' });
    expect(server.writes()).toEqual(['POST /Users']);
  });

  test('cuts the connection, and does not show the account: it stays possibly made', async () => {
    const told: (string | null)[] = [];
    server.misdeed = (got, res, next) => {
      if (!isWrite(got)) {
        const empty = JSON.stringify({ totalResults: 0, Resources: [] });
        return got.path.includes('/Users') ? res.writeHead(200).end(empty) : next();
      }
      if (server.users.size > 0) return next();
      Object.assign(res, { writeHead: () => res, end: () => res });
      next();
      res.destroy();
    };
    const afterCreation = (id: string | null): Promise<void> => {
      told.push(id);
      return Promise.resolve();
    };
    // The second request is refused since the first one had its effect.
    expect((await ensure({ afterCreation, mayTake: false })).fault?.code).toBe('NOT_SHOWN');
    expect([server.users.size, told]).toEqual([1, []]);
  });

  test('fails on its side again and again: the action ends', async () => {
    server.misdeed = (got, res, next) => (isWrite(got) ? res.writeHead(500).end() : next());
    expect((await ensure()).fault).toMatchObject({ code: 'BUSY', details: { status: 500 } });
    expect(server.writes()).toHaveLength(4);
  });
});

describe('an account that is there already', () => {
  test('is adopted where it has the name of the person and names nobody else', async () => {
    server.users.set('old', { id: 'old', userName: 'ann@halden.example' });
    expect((await ensure()).result).toMatchObject({ outcome: 'adopted', account: 'old' });
    expect(only()).toMatchObject({ externalId: 'p-1', displayName: 'Ann Berg' });
  });

  test('is left alone where it names somebody else, unless it is adopted', async () => {
    server.users.set('old', { id: 'old', userName: 'ann@halden.example', externalId: 'p-2' });
    for (const work of [disableAccount, deleteAccount]) {
      const { fault } = await act(server.base, (application) => work(application, ofAnn));
      expect(fault?.code).toBe('TAKEN');
    }
    expect((await ensure()).fault?.code).toBe('TAKEN');
    expect(server.writes()).toEqual([]);
    expect((await ensure({ adopt: true })).result).toMatchObject({ outcome: 'adopted' });
  });

  test('is found after 409 where it came meanwhile', async () => {
    server.misdeed = first(1, isWrite, (_got, _res, next) => {
      server.users.set('other', { id: 'other', userName: 'ann@halden.example' });
      next();
    });
    expect((await ensure()).result).toMatchObject({ outcome: 'adopted', account: 'other' });
  });

  test('is told where 409 names an account that nobody finds', async () => {
    server.misdeed = first(1, isWrite, (_got, res) => {
      res.writeHead(409).end('{"scimType":"uniqueness","detail":"the email is taken"}');
    });
    expect((await ensure()).fault).toMatchObject({
      code: 'TAKEN',
      message: expect.stringContaining('the email is taken') as string,
    });
  });

  test('is ambiguous where two have the same externalId', async () => {
    for (const id of ['one', 'two']) {
      server.users.set(id, { id, userName: id, externalId: 'p-1' });
    }
    expect((await ensure()).fault?.code).toBe('AMBIGUOUS');
    expect(server.writes()).toEqual([]);
  });
});

describe('an account that goes', () => {
  const disable = (isDryRun = false) =>
    act(server.base, (application) => disableAccount(application, ofAnn), { isDryRun });
  const remove = () => act(server.base, (application) => deleteAccount(application, ofAnn));

  test('is disabled once', async () => {
    await ensure();
    expect((await disable(true)).result).toMatchObject({ outcome: 'disabled', confirmed: false });
    expect(only()).toMatchObject({ active: true });
    expect((await disable()).result).toMatchObject({ outcome: 'disabled', confirmed: true });
    expect(only()).toMatchObject({ active: false });
    expect((await disable()).result?.outcome).toBe('unchanged');
    expect(server.writes()).toEqual(['POST /Users', 'PATCH /Users/U1']);
  });

  test('is deleted once, and by its id', async () => {
    await ensure();
    expect((await remove()).result).toMatchObject({ outcome: 'deleted', account: 'U1' });
    expect((await remove()).result?.outcome).toBe('absent');
    await ensure();
    const named = { account: only()?.id ?? '' };
    const gone = await act(server.base, (application) => deleteAccount(application, named));
    expect(gone.result?.outcome).toBe('deleted');
    expect(server.users.size).toBe(0);
  });

  test('is deleted where the answer is lost', async () => {
    await ensure();
    server.misdeed = first(1, isWrite, (_got, res) => {
      server.users.clear();
      res.socket?.destroy();
    });
    expect((await remove()).result).toMatchObject({ outcome: 'deleted', account: 'U1' });
  });

  test('counts as disabled where the application keeps it so', async () => {
    await ensure();
    server.misdeed = (got, res, next) => {
      if (got.method !== 'DELETE') return next();
      Object.assign(only() as object, { active: false });
      res.writeHead(204).end();
    };
    expect((await remove()).result?.outcome).toBe('disabled');
  });
});
