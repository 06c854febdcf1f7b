import { checkApplication } from '../../src/check/application';
import { Definitions, type Declaration } from '../../src/check/definitions';
import { checkFlat } from '../../src/check/flat';
import { identityProvider } from '../../src/templates/identity-provider/template';

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
  expect(definitions.typesOf({ kind: 'local_user', application_type: 'crm' }).get('level')).toBe(
    'NUMBER',
  );
  expect(
    definitions.typesOf({ kind: 'local_user', application_type: 'crm' }).get('Level'),
  ).toBeUndefined();
  expect(
    definitions.typesOf({ kind: 'local_group', application_type: 'crm' }).get('level'),
  ).toBeUndefined();
  expect(
    definitions.typesOf({ kind: 'local_user', application_type: 'erp' }).get('level'),
  ).toBeUndefined();
  expect(
    definitions
      .typesOf({ kind: 'resource', application_type: 'Crm', resource_type: 'CAFE\u0301' })
      .get('x'),
  ).toBe('STRING');
});

test('names of properties of all objects are declared like any other', () => {
  const types = JSON.parse('{"__proto__":"STRING","constructor":"NUMBER"}') as Record<
    string,
    'STRING'
  >;
  const { definitions } = checkFlat(
    identityProvider,
    { custom_property_definition: { user_properties: types } },
    Definitions.none,
  );
  expect(definitions.typesOf({ kind: 'user' }).get('__proto__')).toBe('STRING');
  expect(definitions.typesOf({ kind: 'user' }).get('constructor')).toBe('NUMBER');
  expect(definitions.typesOf({ kind: 'user' }).get('toString')).toBeUndefined();
});

test('an earlier type stays when later definitions are merged', () => {
  const earlier = new Definitions([level]);
  const later = new Definitions([
    { ...level, application_type: 'crm', type: 'STRING' },
    { ...level, property: 'title', type: 'STRING' },
  ]);
  const merged = earlier.merge(later);
  const owner = { kind: 'local_user', application_type: 'crm' } as const;
  expect(merged.typesOf(owner).get('level')).toBe('NUMBER');
  expect(merged.typesOf(owner).get('title')).toBe('STRING');
});

test('definitions survive JSON, and equal ones are written alike', () => {
  const declarations: Declaration[] = [level, { kind: 'domain', property: 'a', type: 'BOOLEAN' }];
  const text = JSON.stringify(new Definitions(declarations));
  const read = new Definitions(JSON.parse(text) as Declaration[]);
  expect(JSON.stringify(read)).toBe(text);
  expect(JSON.stringify(new Definitions([...declarations].reverse()))).toBe(text);
  expect(read.typesOf(level).get('level')).toBe('NUMBER');
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
  expect(definitions.typesOf(level).get('level')).toBe('NUMBER');
});
