import { ask } from '../../src/neo4j/ask';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { allowing } from '../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { scimSource } from './scim-server/directory';
import { importing } from './scim-importing';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PROVIDERS = '/api/v1/providers/custom';
const CONTROL = ['\u0000', '\u0007', '\t', '\n', '\u001b', '\u007f', '\u0085', '\u009b'];
const BAD = 'an\u0000n';

let application: MisbehavingServer;
let service: ServiceUnderTest;

beforeAll(async () => {
  application = await misbehavingServer();
  const allowed = allowing(application.port);
  const transport = httpTransport(allowed, { mostBytes: 1e6 });
  service = await serviceUnderTest({}, { provisioning: { allowed, transport } });
});
afterAll(async () => {
  await service.close();
  await application.close();
});

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const told = async (sent: PromiseLike<Answer>): Promise<readonly string[]> => {
  const { status, body } = await sent;
  const details = (body.details ?? []) as readonly {
    readonly field_violations: readonly { readonly pointer: string; readonly code: string }[];
  }[];
  const problems = details.flatMap(({ field_violations }) => field_violations);
  return [String(status), ...problems.map(({ pointer, code }) => `${pointer} ${code}`)];
};

const directory = (user: object) => ({
  name: 'Directory',
  idp_type: 'test',
  domains: [{ name: 'halden.example' }],
  users: [user],
});

const push = ({ path, ...ids }: RegisteredIds, payload: object) =>
  service.post(path, { ...ids, json_data: JSON.stringify(payload) });

/** Nothing of the graph holds a control character. */
const expectClean = async (): Promise<void> => {
  const rows = await ask(
    service.graph,
    `MATCH (n) UNWIND keys(n) AS key WITH n, key
     WHERE any(text IN CASE WHEN n[key] IS :: STRING THEN [n[key]] ELSE [] END
       WHERE text =~ '(?s).*[\\\\x00-\\\\x08\\\\x0b\\\\x0c\\\\x0e-\\\\x1f\\\\x7f-\\\\x9f].*')
     RETURN labels(n) AS labels, key`,
  );
  expect(rows).toEqual([]);
};
afterEach(expectClean);

describe('a control character in a name is refused where it comes', () => {
  test.each(CONTROL)('in a push, with its place: %j', async (control) => {
    const ids = await service.register();
    const name = `an${control}n`;
    expect(await told(push(ids, directory({ name })))).toEqual([
      '400',
      '/users/0/name CONTROL_CHARACTER',
    ]);
    expect(await told(push(ids, directory({ name: 'ann', full_name: name })))).toEqual([
      '400',
      '/users/0/full_name CONTROL_CHARACTER',
    ]);
  });

  test('in an increment', async () => {
    const ids = await service.register();
    await push(ids, directory({ name: 'ann' })).expect(200);
    const users = [{ operation: 'add', name: 'bob', groups: [{ identity: BAD }] }];
    expect(await told(push(ids, { incremental_change: true, users }))).toEqual([
      '400',
      '/users/0/groups/0/identity CONTROL_CHARACTER',
    ]);
  });

  test('in a CSV file', async () => {
    const { path, ...ids } = await service.register('application');
    const csv_data = Buffer.from(`name,email\n"a\nb",x@y.example\nbo\u0000b,\n`).toString('base64');
    const system = { system_name: 'Wiki', system_type: 'wiki' };
    expect(await told(service.post(`${path}_csv`, { ...ids, ...system, csv_data }))).toEqual([
      '400',
      expect.stringContaining('CONTROL_CHARACTER'),
      expect.stringContaining('CONTROL_CHARACTER'),
    ]);
    expect(
      await told(
        service.post(`${path}_csv`, { ...ids, ...system, system_name: BAD, csv_data: 'bmFtZQo=' }),
      ),
    ).toEqual(['400', '/system_name CONTROL_CHARACTER']);
  });

  test('in a push of parts', async () => {
    const ids = await service.register();
    const path = ids.path.replace(/:push$/, ':parts');
    const { body } = (await service.post(path, { operation: 'start' })) as Answer;
    const upload_id = body.upload_id;
    const data = Buffer.from(JSON.stringify(directory({ name: BAD }))).toString('base64');
    const part = { operation: 'upload', upload_id, sequence_number: 1, data };
    await service.post(path, part).expect(200);
    const complete = { operation: 'complete', upload_id, sequence_count: 1 };
    expect(await told(service.post(path, complete))).toEqual([
      '400',
      '/users/0/name CONTROL_CHARACTER',
    ]);
    expect(await told(service.post(path, { ...part, upload_id: BAD }))).toEqual([
      '400',
      '/upload_id CONTROL_CHARACTER',
    ]);
  });

  test('in users and groups that come through SCIM', async () => {
    const { send } = await scimSource(service);
    const [USERS, GROUPS] = ['/Users', '/Groups'];
    const ann = await send('post', USERS, { userName: 'ann', emails: [{ value: 'a@x.example' }] });
    const user = `${USERS}/${String(ann.body.id)}`;
    const made = await send('post', GROUPS, { displayName: 'Staff' });
    const group = `${GROUPS}/${String(made.body.id)}`;
    const patch = (...Operations: readonly object[]) => ({ Operations });
    const tries: readonly (readonly ['post' | 'put' | 'patch', string, object])[] = [
      ['post', USERS, { userName: BAD }],
      ['post', USERS, { userName: 'bob', name: { formatted: BAD } }],
      ['post', USERS, { userName: 'bob', title: BAD }],
      ['post', USERS, { userName: 'bob', externalId: BAD }],
      ['post', USERS, { userName: 'bob', emails: [{ value: 'b@x.example', type: BAD }] }],
      ['post', GROUPS, { displayName: BAD }],
      ['post', GROUPS, { displayName: 'More', members: [{ value: BAD }] }],
      ['put', user, { userName: BAD }],
      ['put', group, { displayName: BAD }],
      ['patch', user, patch({ op: 'replace', path: 'displayName', value: BAD })],
      ['patch', user, patch({ op: 'add', value: { emails: [{ value: BAD }] } })],
      [
        'patch',
        user,
        patch({ op: 'add', path: 'emails[type eq "h\\u0000m"].value', value: 'x@x.example' }),
      ],
      ['patch', group, patch({ op: 'add', path: 'members', value: [{ value: BAD }] })],
    ];
    for (const [method, path, body] of tries) {
      const answer = await send(method, path, body);
      const { status, body: shown } = answer;
      expect({ body, status, detail: shown.detail }).toEqual({
        body,
        status: 400,
        detail: expect.stringContaining('control character') as string,
      });
    }
  });

  test('in what is registered and set', async () => {
    const application_ = { custom_template: 'application', provisioning: true };
    const made = (await service.post(PROVIDERS, {
      name: 'Wiki with settings',
      external_lifecycle_management_type: 'SCIM',
      ...application_,
    })) as Answer;
    const { id } = made.body.value as { id: string };
    const path = `${PROVIDERS}/${id}`;
    const authentication = { type: 'basic', user: BAD, password: 'some password' };
    const who = [{ in: ['d'], department: BAD }];
    const tries: readonly (readonly ['post' | 'put' | 'patch', string, object, string])[] = [
      ['post', PROVIDERS, { ...application_, name: BAD }, '/name'],
      [
        'post',
        PROVIDERS,
        { ...application_, name: 'B', external_lifecycle_management_type: BAD },
        '/external_lifecycle_management_type',
      ],
      ['post', `${path}/datasources`, { id, name: BAD }, '/name'],
      ['post', '/api/preview/teamkeys', { name: BAD, scopes: ['read'] }, '/name'],
      [
        'put',
        `${path}/scim`,
        { base_url: application.base, authentication },
        '/authentication/user',
      ],
      ['put', `${path}/scim/import`, { data_source: BAD }, '/data_source'],
      ['put', `${path}/scim/import`, { leave_out: `userName eq "${BAD}"` }, '/leave_out'],
      ['post', `${path}/policies`, { name: BAD, who }, '/name'],
      ['post', `${path}/policies`, { name: 'Staff', who }, '/who/0/department'],
      ['post', '/api/v1/erase', { principal: BAD }, '/principal'],
      ['post', '/api/v1/query', { cypher: 'RETURN "\u0000"' }, '/cypher'],
    ];
    for (const [method, to, body, pointer] of tries) {
      const [status, ...problems] = await told(service.send(method, to, body));
      expect({ to, body, status, problems }).toMatchObject({ to, body, status: '400' });
      expect(problems).toContain(`${pointer} CONTROL_CHARACTER`);
    }
  });
});

test('descriptions and values of properties may have tabs and line breaks', async () => {
  const ids = await service.register('application');
  const payload = {
    custom_property_definition: {
      applications: [{ application_type: 'wiki', application_properties: { about: 'STRING' } }],
    },
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        description: 'one\n\ttwo\r\nthree',
        custom_properties: { about: 'a\nb' },
        local_users: [{ name: 'ann' }],
      },
    ],
  };
  expect(await told(push(ids, payload))).toEqual(['200']);
  const description = 'one\u0000two';
  const [first] = payload.applications;
  const wrong = { ...payload, applications: [{ ...first, description }] };
  expect(await told(push(ids, wrong))).toEqual([
    '400',
    '/applications/0/description CONTROL_CHARACTER',
  ]);
});

test('what repeats a secret of the connection is not imported, in whatever form', async () => {
  const imports = importing(application, service);
  application.reset();
  const token = 'hush-hush';
  const packed = Buffer.from(`Bearer ${token}`).toString('base64');
  const user = (id: string, more: object) =>
    application.users.set(id, { id, userName: `${id}@halden.example`, active: true, ...more });
  user('u1', { displayName: `Bearer ${token}` });
  user('u2', { title: packed });
  user(token, { displayName: 'Carl' });
  const to = await imports.connected();
  const { read } = await imports.run(to);
  expect(read).toMatchObject({
    remarks: [
      'The displayName of account u1 is left out: it repeats a secret.',
      'The title of account u2 is left out: it repeats a secret.',
      'The id of account *** is left out: it repeats a secret.',
      'The account *** is left out.',
    ],
  });
  const rows = await ask(
    service.graph,
    `MATCH (n) WHERE any(key IN keys(n) WHERE n[key] IS :: STRING
       AND (n[key] CONTAINS $token OR n[key] CONTAINS $packed)) RETURN labels(n) AS labels`,
    { token, packed },
  );
  expect(rows).toEqual([]);
});

test('an application that sends them is imported without them, and told', async () => {
  const imports = importing(application, service);
  application.reset();
  const user = (id: string, more: object) =>
    application.users.set(id, { id, userName: `${id}@halden.example`, active: true, ...more });
  user('u1', { displayName: 'Ann' });
  user('u2', { displayName: 'Bo\u001b[2Jb', title: 'A\tB' });
  user('u\u00003', { displayName: 'Carl' });
  application.groups.set('g1', {
    id: 'g1',
    displayName: 'St\u0000aff',
    members: [{ value: 'u1' }, { value: 'u\u00003' }],
  });
  const to = await imports.connected();
  const { read } = await imports.run(to);
  const { remarks } = read as { remarks: unknown };
  expect(remarks).toEqual([
    'The id of a member of group g1 is left out: it has the control character U+0000.',
    'The displayName of group g1 is left out: it has the control character U+0000.',
    'The displayName of account u2 is left out: it has the control character U+001B.',
    'The title of account u2 is left out: it has the control character U+0009.',
    'The id of account u\u00003 is left out: it has the control character U+0000.',
    'The account u\u00003 is left out.',
  ]);
});
