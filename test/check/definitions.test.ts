import { checkApplication } from '../../src/check/application';
import { Definitions, type Declaration } from '../../src/check/definitions';
import { checkIdentityProvider } from '../../src/check/identity-provider';

const level: Declaration = {
  kind: 'local_user',
  application_type: 'CRM',
  property: 'level',
  type: 'NUMBER',
};

test('types of application and resource are folded, names of properties are not', () => {
  const definitions = new Definitions([
    level,
    {
      kind: 'resource',
      application_type: 'CRM',
      resource_type: 'Café',
      property: 'x',
      type: 'STRING',
    },
  ]);
  expect(definitions.typeOf({ kind: 'local_user', application_type: 'crm' }, 'level')).toBe(
    'NUMBER',
  );
  expect(
    definitions.typeOf({ kind: 'local_user', application_type: 'crm' }, 'Level'),
  ).toBeUndefined();
  expect(
    definitions.typeOf({ kind: 'local_group', application_type: 'crm' }, 'level'),
  ).toBeUndefined();
  expect(
    definitions.typeOf({ kind: 'local_user', application_type: 'erp' }, 'level'),
  ).toBeUndefined();
  expect(
    definitions.typeOf(
      { kind: 'resource', application_type: 'Crm', resource_type: 'CAFE\u0301' },
      'x',
    ),
  ).toBe('STRING');
});

test('names of properties of all objects are declared like any other', () => {
  const types = JSON.parse('{"__proto__":"STRING","constructor":"NUMBER"}') as Record<
    string,
    'STRING'
  >;
  const { definitions } = checkIdentityProvider(
    { custom_property_definition: { user_properties: types } },
    Definitions.none,
  );
  expect(definitions.typeOf({ kind: 'user' }, '__proto__')).toBe('STRING');
  expect(definitions.typeOf({ kind: 'user' }, 'constructor')).toBe('NUMBER');
  expect(definitions.typeOf({ kind: 'user' }, 'toString')).toBeUndefined();
});

test('an earlier type stays when later definitions are merged', () => {
  const earlier = new Definitions([level]);
  const later = new Definitions([
    { ...level, application_type: 'crm', type: 'STRING' },
    { ...level, property: 'title', type: 'STRING' },
  ]);
  const merged = earlier.merge(later);
  const owner = { kind: 'local_user', application_type: 'crm' } as const;
  expect(merged.typeOf(owner, 'level')).toBe('NUMBER');
  expect(merged.typeOf(owner, 'title')).toBe('STRING');
});

test('definitions survive JSON, and equal ones are written alike', () => {
  const declarations: Declaration[] = [level, { kind: 'domain', property: 'a', type: 'BOOLEAN' }];
  const text = JSON.stringify(new Definitions(declarations));
  const read = new Definitions(JSON.parse(text) as Declaration[]);
  expect(JSON.stringify(read)).toBe(text);
  expect(JSON.stringify(new Definitions([...declarations].reverse()))).toBe(text);
  expect(read.typeOf(level, 'level')).toBe('NUMBER');
});

test('the same definitions as before are no problem', () => {
  const payload = {
    custom_property_definition: {
      applications: [
        { application_type: 'crm', local_user_properties: { level: 'NUMBER' as const } },
        { application_type: 'Crm', local_user_properties: { level: 'NUMBER' as const } },
      ],
    },
    applications: [
      {
        name: 'CRM',
        application_type: 'CRM',
        local_users: [{ name: 'ann', custom_properties: { level: 1 } }],
      },
    ],
  };
  const { problems, definitions } = checkApplication(payload, new Definitions([level]));
  expect(problems).toEqual({ problems: [], total: 0 });
  expect(definitions.typeOf(level, 'level')).toBe('NUMBER');
});
