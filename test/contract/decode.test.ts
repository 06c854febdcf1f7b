import { decodePayload, decodeRequest } from '../../src/contract/decode';
import { CreateDataSourceRequest } from '../../src/registry/endpoints';
import { RegisterProviderRequest } from '../../src/contract/records/provider';

const right = <A>(result: { _tag: 'Left'; left: unknown } | { _tag: 'Right'; right: A }): A => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left));
  return result.right;
};

const left = <L>(result: { _tag: 'Left'; left: L } | { _tag: 'Right' }): L => {
  if (result._tag === 'Right') throw new Error('accepted');
  return result.left;
};

const nested = (levels: number): unknown => {
  let resource: object = { name: 'deepest', resource_type: 't' };
  for (let i = 1; i < levels; i += 1) {
    resource = { name: `r${i}`, resource_type: 't', sub_resources: [resource] };
  }
  return { applications: [{ name: 'a', application_type: 't', resources: [resource] }] };
};

describe('a payload of the right shape', () => {
  test('is handed on as it is', () => {
    const payload = {
      name: 'Corp',
      domains: [{ name: 'd' }],
      users: [{ name: 'ann', email: null }],
    };
    const decoded = right(decodePayload('identity_provider', payload));
    expect(decoded.payload).toBe(payload);
    expect(decoded.pointerAsSent('/users/0/name')).toBe('/users/0/name');
  });

  test('may be empty or all null', () => {
    right(decodePayload('identity_provider', {}));
    right(decodePayload('application', { applications: null, permissions: null }));
  });

  test('may spell fields in another case, which its pointers keep', () => {
    const decoded = right(
      decodePayload('identity_provider', {
        Users: [{ NAME: 'ann', tags: [{ Key: 'a', Value: 'b' }], Custom_Properties: { Level: 1 } }],
        groups: [{ name: 'g' }],
      }),
    );
    expect(decoded.payload).toEqual({
      users: [{ name: 'ann', tags: [{ key: 'a', value: 'b' }], custom_properties: { Level: 1 } }],
      groups: [{ name: 'g' }],
    });
    expect(decoded.pointerAsSent('/users/0/custom_properties/Level')).toBe(
      '/Users/0/Custom_Properties/Level',
    );
    expect(decoded.pointerAsSent('/users/0/tags/0/value')).toBe('/Users/0/tags/0/Value');
    expect(decoded.pointerAsSent('/users/0/manager_id')).toBe('/Users/0/manager_id');
    expect(decoded.pointerAsSent('/domains')).toBe('/domains');
    expect(decoded.pointerAsSent('')).toBe('');
  });

  test('keeps names of properties that look like fields or like properties of all objects', () => {
    const text =
      '{"Users":[{"name":"ann","custom_properties":{"Name":1,"name":2,"__proto__":3,"constructor":4}}]}';
    const { payload } = right(decodePayload('identity_provider', JSON.parse(text)));
    const properties = payload.users?.[0]?.custom_properties;
    expect(Object.entries(properties ?? {})).toEqual([
      ['Name', 1],
      ['name', 2],
      ['__proto__', 3],
      ['constructor', 4],
    ]);
  });

  test('may leave optional objects, enumerations and times unset by emptiness', () => {
    const { payload } = right(
      decodePayload('identity_provider', {
        custom_property_definition: {},
        users: [
          {
            name: 'ann',
            source_identity: {},
            entities_owned: {},
            assumed_role_arns: {},
            identity_type: '',
            operation: '',
            email: '',
          },
        ],
      }),
    );
    expect(payload.users?.[0]).toMatchObject({
      identity_type: null,
      operation: null,
      email: '',
    });
    const application = right(
      decodePayload('application', {
        applications: [
          { name: 'a', application_type: 't', local_users: [{ name: 'ann', created_at: '' }] },
        ],
      }),
    );
    expect(application.payload.applications?.[0]?.local_users?.[0]?.created_at).toBeNull();
  });

  test('may nest resources as deep as the limit', () => {
    right(decodePayload('application', nested(100)));
    right(decodePayload('application', nested(1000), 1000));
  });
});

describe('a payload of the wrong shape', () => {
  test('is explained in payload order, missing fields after those of their object', () => {
    const { problems, total } = left(
      decodePayload('identity_provider', {
        zebra: 1,
        groups: [{ identity: 1 }],
        Users: [{ emial: 'x', email: 2 }],
        name: 3,
      }),
    );
    expect(total).toBe(7);
    expect(problems.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/zebra', 'UNKNOWN_FIELD'],
      ['/groups/0/identity', 'WRONG_TYPE'],
      ['/groups/0/name', 'MISSING_FIELD'],
      ['/Users/0/emial', 'UNKNOWN_FIELD'],
      ['/Users/0/email', 'WRONG_TYPE'],
      ['/Users/0/name', 'MISSING_FIELD'],
      ['/name', 'WRONG_TYPE'],
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'identity provider payload has no field "zebra"',
      'expected a string, got a number',
      'group needs "name"',
      'user has no field "emial"; did you mean "email"?',
      'expected a string, got a number',
      'user needs "name"',
      'expected a string, got a number',
    ]);
  });

  test('may nest deeper than any stack', () => {
    expect(left(decodePayload('application', nested(101))).problems).toMatchObject([
      { code: 'TOO_DEEP' },
    ]);
    expect(left(decodePayload('application', nested(200_000))).problems).toMatchObject([
      { code: 'TOO_DEEP' },
    ]);
    const lists = JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)) as unknown;
    expect(left(decodePayload('application', lists)).problems).toMatchObject([
      { pointer: '', code: 'WRONG_TYPE' },
    ]);
    expect(left(decodePayload('identity_provider', { users: [lists], name: lists }))).toMatchObject(
      {
        total: 2,
      },
    );
  });

  test('counts a million problems and lists the first', () => {
    const users = Array.from({ length: 1_000_000 }, () => 0);
    const { problems, total } = left(decodePayload('identity_provider', { users }));
    expect(total).toBe(1_000_000);
    expect(problems.length).toBeGreaterThanOrEqual(100);
    expect(problems.slice(0, 100).map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 100 }, (_, index) => `/users/${index}`),
    );
  });
});

describe('an increment', () => {
  const operate = (operation: string, fields: object) => ({
    incremental_change: true,
    users: [{ operation, ...fields }],
  });

  test('is known by incremental_change in any case', () => {
    expect(right(decodePayload('identity_provider', { Incremental_Change: true }))._tag).toBe(
      'Increment',
    );
  });

  test('needs what a whole entity needs in what it adds alone', () => {
    right(decodePayload('identity_provider', operate('delete', { identity: 'u1' })));
    right(decodePayload('identity_provider', operate('modify', { identity: 'u1' })));
    const added = left(decodePayload('identity_provider', operate('add', { identity: 'u1' })));
    expect(added.problems).toMatchObject([{ pointer: '/users/0/name', code: 'MISSING_FIELD' }]);
  });

  test('says nothing by an empty object, and unsets by null', () => {
    const { payload } = right(
      decodePayload(
        'identity_provider',
        operate('modify', { name: 'ann', source_identity: {}, manager_id: null }),
      ),
    );
    expect(payload.users).toEqual([{ operation: 'modify', name: 'ann', manager_id: null }]);
  });

  test('is none when incremental_change is false or null', () => {
    right(decodePayload('identity_provider', { incremental_change: false }));
    right(decodePayload('application', { incremental_change: null }));
  });
});

describe('a request', () => {
  test('may have keys that are no fields', () => {
    const body = {
      name: 'Corp',
      custom_template: 'application',
      icon: 1,
      external_lifecycle_management_type: null,
    };
    expect(right(decodeRequest(RegisterProviderRequest, body))).toEqual(body);
  });

  test.each([
    [{ name: 'Corp', custom_template: 'principal' }, '/custom_template', 'UNKNOWN_VALUE'],
    [{ custom_template: 'application' }, '/name', 'MISSING_FIELD'],
    [{ name: 'a/b', custom_template: 'application' }, '/name', 'BAD_NAME'],
    [{ name: 'a'.repeat(257), custom_template: 'application' }, '/name', 'TOO_LONG'],
    [null, '', 'WRONG_TYPE'],
    ['{}', '', 'WRONG_TYPE'],
  ])('is refused when it is %j', (body, pointer, code) => {
    expect(left(decodeRequest(RegisterProviderRequest, body)).problems).toMatchObject([
      { pointer, code },
    ]);
  });

  test('to create a data source names its provider', () => {
    expect(left(decodeRequest(CreateDataSourceRequest, { name: 'Main' })).problems).toMatchObject([
      { pointer: '/id', code: 'MISSING_FIELD' },
    ]);
  });
});
