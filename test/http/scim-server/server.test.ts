/** @more scim */

import { ask } from '../../../src/neo4j/ask';
import supertest from 'supertest';

import { type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { type Answered, readScim, scimSource } from './directory';

const KEYS = '/api/preview/teamkeys';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const keyOf = async (scopes: readonly string[], providers: readonly string[]): Promise<string> => {
  const answer = await service.post(KEYS, { name: 'Okta', scopes, providers });
  return (answer.body as { value: { access_key: string } }).value.access_key;
};

const sendWith = (
  key: string,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
): Promise<Answered> => {
  const sent = supertest(service.app)[method](path).set('authorization', `Bearer ${key}`);
  return readScim(body === undefined ? sent : sent.send(body));
};

describe('the key of a provider', () => {
  test('reads and writes its own data source', async () => {
    const { source, base } = await scimSource(service);
    const key = await keyOf(['push'], [source.id]);
    const made = await sendWith(key, 'post', `${base}/Users`, { userName: 'ann' });
    expect(made.status).toBe(201);
    const { status, body } = await sendWith(key, 'get', `${base}/Users`);
    expect([status, body.totalResults]).toEqual([200, 1]);
  });

  test('does not reach the data source of another provider, nor learns that there is one', async () => {
    const [own, other] = [await scimSource(service), await scimSource(service)];
    expect((await other.send('post', '/Users', { userName: 'ann', externalId: 'a' })).status).toBe(
      201,
    );
    const key = await keyOf(['push'], [own.source.id]);
    const nobody = `/scim/v2/${own.source.id}`;
    for (const [method, path, body] of [
      ['get', '/Users'],
      ['get', '/Users/a'],
      ['get', '/ServiceProviderConfig'],
      ['post', '/Users', { userName: 'eve' }],
      ['post', '/.search', {}],
      ['patch', '/Users/a', { Operations: [{ op: 'replace', path: 'title', value: 'x' }] }],
      ['delete', '/Users/a'],
    ] as const) {
      const answer = await sendWith(key, method, `${other.base}${path}`, body);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.body).toEqual((await sendWith(key, method, `${nobody}${path}`, body)).body);
    }
    const { body } = await other.send('get', '/Users');
    expect(body.totalResults).toBe(1);
  });

  test('needs the scope push, and errors have the form of SCIM', async () => {
    const { base } = await scimSource(service);
    const refused = await sendWith(await keyOf(['read'], []), 'get', `${base}/Users`);
    expect(refused).toMatchObject({
      status: 403,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '403' },
    });
    expect((await sendWith('unknown', 'get', `${base}/Users`)).body).toMatchObject({
      status: '401',
    });
  });
});

test('a data source that is none of an identity provider has no users', async () => {
  const { data_source_id } = await service.register('application');
  const answer = await readScim(service.send('get', `/scim/v2/${data_source_id}/Users`));
  expect([answer.status, answer.body.detail]).toEqual([
    404,
    'The data source is not one of an identity provider, so it has no users and groups.',
  ]);
});

test('bad input is refused with the place, and changes nothing', async () => {
  const { send } = await scimSource(service);
  await send('post', '/Users', { userName: 'ann', externalId: 'a' });
  await send('post', '/Groups', { displayName: 'staff', externalId: 'g' });
  const before = [(await send('get', '/Users')).body, (await send('get', '/Groups')).body];
  const patch = (...Operations: unknown[]) => ({ Operations });
  for (const [method, path, body, status, scimType, detail] of [
    ['post', '/Users', {}, 400, 'invalidValue', '/userName: a User needs it'],
    ['post', '/Users', { userName: 7.5, active: 'maybe' }, 400, 'invalidValue', '/active'],
    ['post', '/Users', { userName: ['a', 'b'] }, 400, 'invalidValue', '/userName'],
    ['post', '/Users', { userName: 'x'.repeat(300) }, 400, 'invalidValue', '/userName'],
    ['post', '/Users', { userName: '\ud800' }, 400, 'invalidValue', '/userName'],
    ['post', '/Users', { userName: 'b', title: 'x'.repeat(5000) }, 400, 'invalidValue', '/title'],
    [
      'post',
      '/Users',
      { userName: 'b', name: { givenName: {} } },
      400,
      'invalidValue',
      '/name/givenName',
    ],
    [
      'post',
      '/Users',
      { userName: 'b', emails: [{ value: 'x'.repeat(300) }] },
      400,
      'invalidValue',
      '/emails',
    ],
    ['post', '/Users', { userName: 'ANN' }, 409, 'uniqueness', 'Another User has this userName.'],
    [
      'post',
      '/Groups',
      { displayName: 's', externalId: 'g' },
      409,
      'uniqueness',
      'Another Group has this externalId.',
    ],
    ['post', '/Groups', { displayName: 's', members: [{}] }, 400, 'invalidValue', '/members/0'],
    ['patch', '/Groups/g', patch({ op: 'add', path: 'members', value: 'g' }), 400, '', '/members'],
    ['patch', '/Users/a', {}, 400, 'invalidValue', '/Operations'],
    ['patch', '/Users/a', patch(7), 400, 'invalidValue', '/Operations/0'],
    ['patch', '/Users/a', patch({ op: 'move' }), 400, 'invalidValue', '/Operations/0/op'],
    ['patch', '/Users/a', patch({ op: 'remove' }), 400, 'noTarget', '/Operations/0/path'],
    [
      'patch',
      '/Users/a',
      patch({ op: 'add', path: 'shoe size', value: 7 }),
      400,
      'invalidPath',
      '/Operations/0/path',
    ],
    [
      'patch',
      '/Groups/g',
      patch({ op: 'remove', path: 'members[display eq "x"]' }),
      400,
      'invalidFilter',
      '/Operations/0/path: at character 9',
    ],
    [
      'patch',
      '/Users/a',
      patch({ op: 'remove', path: 'emails[primary gt true]' }),
      400,
      'invalidFilter',
      '/Operations/0/path: at character 8',
    ],
    ['get', '/Users?filter=active%20gt%20true', undefined, 400, 'invalidFilter', 'character 1:'],
    ['get', '/Users?filter=meta%20eq%20%22x%22', undefined, 400, 'invalidFilter', 'character 1:'],
    ['get', '/Users?filter=title%20gt%20null', undefined, 400, 'invalidFilter', 'character 10:'],
    [
      'get',
      '/Users?filter=meta.created%20gt%20%22soon%22',
      undefined,
      400,
      'invalidFilter',
      '/filter: at character 17:',
    ],
    [
      'patch',
      '/Users/a',
      patch({ op: 'add', path: 'emails[', value: 'x' }),
      400,
      'invalidPath',
      '/Operations/0/path',
    ],
    [
      'patch',
      '/Users/a',
      patch({ op: 'replace', path: 'id', value: 'x' }),
      400,
      'mutability',
      '/Operations/0/path',
    ],
    [
      'patch',
      '/Users/a',
      patch({ op: 'replace', path: 'groups', value: [] }),
      400,
      'mutability',
      '/Operations/0/path',
    ],
    [
      'patch',
      '/Users/a',
      patch({ op: 'replace', path: 'emails[type co "w"].value', value: 'x' }),
      400,
      'noTarget',
      '/Operations/0/path',
    ],
    [
      'patch',
      '/Users/a',
      // The first operation is good, and the second is not: neither is applied.
      patch({ op: 'add', path: 'title', value: 'x' }, { op: 'remove', path: 'userName' }),
      400,
      'invalidValue',
      '/userName',
    ],
    ['get', '/Users?filter=userName', undefined, 400, 'invalidFilter', '/filter'],
    ['get', '/Users?filter=shoeSize%20eq%207', undefined, 400, 'invalidFilter', 'shoeSize'],
    ['get', `/Users?filter=${'('.repeat(3000)}`, undefined, 400, 'invalidFilter', '/filter'],
    ['get', '/Users?count=many', undefined, 400, 'invalidValue', '/count'],
    ['get', '/Users?attributes=id&excludedAttributes=id', undefined, 400, 'invalidValue', ''],
    ['get', '/Users/nobody', undefined, 404, '', 'There is no User with this id.'],
    ['delete', '/Groups/nobody', undefined, 404, '', 'There is no Group with this id.'],
    ['put', '/Users/nobody', { userName: 'x' }, 404, '', 'There is no User with this id.'],
    ['post', '/Bulk', {}, 404, '', 'There is no such path.'],
    ['put', '/Users', {}, 405, '', 'This path takes GET, POST alone.'],
  ] as const) {
    const answer = await send(method, path, body);
    expect({ path, body, status: answer.status, told: answer.body }).toMatchObject({
      path,
      status,
      told: { status: String(status), ...(scimType !== '' && { scimType }) },
    });
    expect(answer.body.detail).toContain(detail);
  }
  expect([(await send('get', '/Users')).body, (await send('get', '/Groups')).body]).toEqual(before);
});

test('bodies that are no JSON object are refused', async () => {
  const { base } = await scimSource(service);
  for (const [text, scimType] of [
    ['{"userName":', 'invalidSyntax'],
    ['[]', 'invalidValue'],
    ['', 'invalidSyntax'],
  ] as const) {
    const sent = service
      .send('post', `${base}/Users`)
      .set('content-type', 'application/scim+json')
      .send(text);
    expect(await readScim(sent)).toMatchObject({ status: 400, body: { scimType } });
  }
});

test('filters and pages', async () => {
  const { send } = await scimSource(service);
  for (let at = 1; at <= 7; at += 1) {
    await send('post', '/Users', {
      userName: `user${at}@halden.example`,
      externalId: `u${at}`,
      active: at % 2 === 0,
      ...(at > 3 && { title: `Title ${at}` }),
      emails: [
        { value: `user${at}@halden.example`, type: 'work', primary: true },
        ...(at === 5 ? [{ value: 'five@home.example', type: 'home' }] : []),
      ],
    });
  }
  await send('post', '/Groups', {
    displayName: 'Even',
    externalId: 'even',
    members: [{ value: 'u2' }, { value: 'u4' }, { value: 'later' }],
  });
  const idsOf = async (list: string, filter: string): Promise<readonly unknown[]> => {
    const { body } = await send('get', `/${list}?filter=${encodeURIComponent(filter)}`);
    expect(body.totalResults).toBe((body.Resources as unknown[]).length);
    return (body.Resources as { id: string }[]).map(({ id }) => id);
  };
  for (const [filter, ids] of [
    ['userName eq "USER3@halden.example"', ['u3']],
    ['id eq "U3"', []],
    ['externalId eq "u3"', ['u3']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "user1"', ['u1']],
    ['title pr', ['u4', 'u5', 'u6', 'u7']],
    ['title pr and active eq true', ['u4', 'u6']],
    ['active eq "True" or userName eq "user1@halden.example"', ['u1', 'u2', 'u4', 'u6']],
    ['not (active eq true)', ['u1', 'u3', 'u5', 'u7']],
    ['emails[type eq "home"]', ['u5']],
    ['emails[type eq "home"].value co "HOME"', ['u5']],
    // Another email of the same user has this value.
    ['emails[type eq "home"].value eq "user5@halden.example"', []],
    ['emails co "five"', ['u5']],
    ['groups eq "even"', ['u2', 'u4']],
    ['userName ge "user6"', ['u6', 'u7']],
    ['meta.resourceType eq "user" and title eq null and active eq false', ['u1', 'u3']],
  ] as const) {
    expect([filter, await idsOf('Users', filter)]).toEqual([filter, ids]);
  }
  for (const [filter, ids] of [
    ['members eq "u2"', ['even']],
    ['members[value eq "later"]', ['even']],
    ['displayName eq "even" and members eq "u3"', []],
  ] as const) {
    expect([filter, await idsOf('Groups', filter)]).toEqual([filter, ids]);
  }
  const page = async (query: string): Promise<readonly unknown[]> => {
    const { body } = await send('get', `/Users?${query}`);
    return [body.totalResults, (body.Resources as { id: string }[]).map(({ id }) => id)];
  };
  expect(await page('startIndex=3&count=2')).toEqual([7, ['u3', 'u4']]);
  expect(await page('startIndex=0&count=-1')).toEqual([7, []]);
  expect(await page('startIndex=9')).toEqual([7, []]);
  expect(await page('filter=active%20eq%20false&startIndex=2&count=2')).toEqual([4, ['u3', 'u5']]);
  const { body } = await send('get', '/Users/u5?attributes=emails.value,meta.resourceType');
  expect(body).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: 'u5',
    emails: [{ value: 'user5@halden.example' }, { value: 'five@home.example' }],
    meta: { resourceType: 'User' },
  });
});

test('a member that nobody knows waits, and waits no more once it is removed', async () => {
  const { source, send } = await scimSource(service);
  const members = (ids: readonly string[]) => ids.map((value) => ({ value }));
  const group = await send('post', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Staff',
    members: members(['comes-later', 'never']),
  });
  expect(group.status).toBe(201);
  const path = `/Groups/${String(group.body.id)}`;
  const remove = async (id: string): Promise<void> => {
    const answer = await send('patch', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }],
    });
    expect([answer.status, answer.body]).toEqual([204, {}]);
  };
  await remove('never');
  // The last one, too.
  await remove('comes-later');
  const user = await send('post', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ann@halden.example',
    externalId: 'comes-later',
  });
  expect([user.status, user.body.id]).toEqual([201, 'comes-later']);
  expect((await send('get', path)).body.members ?? []).toEqual([]);
  const rows = await ask(
    service.graph,
    `MATCH (group:IdpGroup {name: 'Staff', data_source: $source}) RETURN keys(group) AS keys`,
    { source: source.data_source_id },
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('waiting_members');
});

test('changes of one group at once, by two processes, are all kept', async () => {
  const another = await serviceUnderTest({}, { keep: true });
  try {
    const { base, send } = await scimSource(service);
    const ids = Array.from({ length: 12 }, (_, at) => `m${at}`);
    for (const id of ids) await send('post', '/Users', { userName: id, externalId: id });
    await send('post', '/Groups', { displayName: 'all', externalId: 'g' });
    await Promise.all(
      ids.map(async (id, at) => {
        const Operations = [{ op: 'add', path: 'members', value: [{ value: id }] }];
        const process = at % 2 === 0 ? service : another;
        // Whoever is told to come back later does.
        for (;;) {
          const sent = process.send('patch', `${base}/Groups/g`, { Operations });
          const { status, headers } = await readScim(sent);
          if (status === 204) return;
          expect([status, headers['retry-after']]).toEqual([429, '5']);
        }
      }),
    );
    const { body } = await send('get', '/Groups/g');
    const members = (body.members as { value: string }[]).map(({ value }) => value);
    expect(members.sort()).toEqual([...ids].sort());
  } finally {
    await another.close();
  }
});

test('who joins, moves and leaves over SCIM gains and loses access, and every request is a push', async () => {
  const { source, send } = await scimSource(service);
  const application = await service.register('application');
  await service
    .post(application.path, {
      id: application.id,
      data_source_id: application.data_source_id,
      json_data: JSON.stringify({
        applications: [
          {
            name: 'wiki',
            application_type: 'wiki',
            resources: [{ name: 'handbook', resource_type: 'page' }],
          },
        ],
        permissions: [{ name: 'view', permission_type: ['DataRead'] }],
        identity_to_permissions: [
          {
            identity: 'Readers',
            identity_type: 'idp',
            application_permissions: [
              {
                application: 'wiki',
                permission: 'view',
                resources: ['handbook'],
              },
            ],
          },
        ],
      }),
    })
    .expect(200);
  await send('post', '/Users', { userName: 'ann@halden.example', externalId: 'ann', active: true });
  await send('post', '/Groups', { displayName: 'Readers', externalId: 'r' });
  const key = `${source.data_source_id}|IdpUser|ann`;
  const reached = async (): Promise<readonly unknown[]> => {
    const answer = await service.send('get', `/api/v1/access?principal=${encodeURIComponent(key)}`);
    return (answer.body as { values: { name: string }[] }).values.map(({ name }) => name);
  };
  const patchGroup = (op: string) =>
    send('patch', '/Groups/r', {
      Operations: [{ op, path: 'members', value: [{ value: 'ann' }] }],
    });
  expect(await reached()).toEqual([]);
  expect((await patchGroup('Add')).status).toBe(204);
  expect(await reached()).toEqual(['handbook']);
  await send('patch', '/Users/ann', { Operations: [{ op: 'replace', value: { active: false } }] });
  const told = await service.send('get', `/api/v1/entities/${encodeURIComponent(key)}`);
  expect(JSON.stringify(told.body)).toContain('"is_active":false');
  await patchGroup('Remove');
  expect(await reached()).toEqual([]);
  expect((await send('delete', '/Users/ann')).status).toBe(204);

  const pushes = await service.send('get', source.path.replace(/:push$/, '/pushes'));
  // The first push is the empty one.
  expect((pushes.body as { values: unknown[] }).values).toHaveLength(7);
  const events = await service.send('get', '/api/v1/events?page_size=100');
  const ours = (
    events.body as { values: { event_type: string; data_source_id?: string }[] }
  ).values.filter((event) => JSON.stringify(event).includes(source.data_source_id));
  const count = (type: string): number =>
    ours.filter(({ event_type }) => event_type === type).length;
  expect(count('PUSH_ACCEPTED')).toBe(7);
});
