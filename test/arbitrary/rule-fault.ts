import type { Template } from './repair';
import { json } from './optional';

type Item = Record<string, unknown>;

/** A way to break a rule of docs/rules.md: Problems in an otherwise good payload; `n` chooses where. */
export interface RuleFault {
  readonly code: string;
  readonly template: Template;
  readonly apply: (payload: Item, n: number) => void;
}

const inIdp = (code: string, apply: RuleFault['apply']): RuleFault => ({
  code,
  template: 'identity_provider',
  apply,
});
const inHris = (code: string, apply: RuleFault['apply']): RuleFault => ({
  code,
  template: 'hris',
  apply,
});
const inApplication = (
  code: string,
  apply: (application: Item, n: number, payload: Item) => void,
): RuleFault => ({
  code,
  template: 'application',
  apply: (payload, n) => {
    const applications = listIn(payload, 'applications');
    const chosen = applications[n % applications.length];
    if (chosen !== undefined) apply(chosen, n, payload);
  },
});

/** Every rule that a payload can break, each code at least once for each template that has it. */
export const ruleFaults: readonly RuleFault[] = [
  inIdp('DOMAIN_COUNT', (payload, n) => {
    payload.domains = [[], null, [{ name: 'one' }, { name: 'two' }]][n % 3];
  }),
  inIdp('UNKNOWN_REFERENCE', (payload, n) => {
    const user = someone(payload, 'users', n);
    listIn(user, 'groups').push({ identity: 'nobody knows' });
    listIn(user, 'app_assignments').push({ id: 'new', app_id: 'no app' });
  }),
  inIdp('AMBIGUOUS_REFERENCE', (payload, n) => {
    listIn(payload, 'groups').push(
      { name: 'twin' },
      { name: 'Twin', groups: [{ TWIN: 'parent' }] },
    );
    listIn(someone(payload, 'users', n), 'groups').push({ identity: 'tWIN' });
  }),
  inIdp('DUPLICATE_ID', (payload, n) => {
    const field = ['users', 'groups', 'apps'][n % 3] ?? '';
    const one = someone(payload, field, n);
    listIn(payload, field).push(json(one));
  }),
  inIdp('DUPLICATE_ID', (payload, n) => {
    const assignments = listIn(someone(payload, 'users', n), 'app_assignments');
    listIn(payload, 'apps').push({ id: 'both', name: 'both' });
    assignments.push({ id: 'two', app_id: 'both' }, { id: 'two', app_id: 'BOTH' });
  }),
  inIdp('SELF_REFERENCE', (payload) => {
    listIn(payload, 'groups').push({
      name: 'a/~b',
      identity: 'me',
      groups: [{ 'A/~B': 'parent' }],
    });
  }),
  inIdp('UNDECLARED_PROPERTY', (payload, n) => {
    propertiesOf(someone(payload, 'users', n)).undeclared = 0;
    propertiesOf(someone(payload, 'groups', n)).undeclared = 'x';
  }),
  inIdp('PROPERTY_TYPE', (payload, n) => {
    const [type, value] = wrong[n % wrong.length] ?? wrong[0];
    const definition = (payload.custom_property_definition ??= {}) as Item;
    definition.user_properties = { ...(definition.user_properties as Item), wrong: type };
    propertiesOf(someone(payload, 'users', n)).wrong = value;
  }),
  inIdp('PROPERTY_TYPE_CHANGED', (payload) => {
    const definition = (payload.custom_property_definition ??= {}) as Item;
    definition.user_properties = { level: 'STRING', note: 'NUMBER' };
    definition.group_properties = { level: 'STRING', note: 'NUMBER' };
  }),
  inIdp('TOO_MANY_DYNAMIC_PROPERTIES', (payload, n) => {
    someone(payload, ['users', 'groups', 'domains'][n % 3] ?? '', n).dynamic_properties = six;
  }),
  inIdp('OPERATION_IN_FULL_PUSH', (payload, n) => {
    someone(payload, ['users', 'groups', 'apps', 'domains'][n % 4] ?? '', n).operation = 'delete';
  }),

  inHris('UNKNOWN_REFERENCE', (payload, n) => {
    const employee = someone(payload, 'employees', n);
    employee.cost_center = { id: 'no center' };
    employee.department = { id: 'no department' };
    listIn(employee, 'managers').push({ id: 'nobody knows' });
    listIn(employee, 'groups').push({ id: 'no group' });
  }),
  inHris('AMBIGUOUS_REFERENCE', (payload, n) => {
    listIn(payload, 'groups').push({ id: 'twin 1', name: 'twin' }, { id: 'twin 2', name: 'Twin' });
    listIn(someone(payload, 'employees', n), 'groups').push({ id: 'tWIN' });
  }),
  inHris('DUPLICATE_ID', (payload, n) => {
    const field = ['employees', 'groups'][n % 2] ?? '';
    listIn(payload, field).push(json(someone(payload, field, n)));
  }),
  inHris('UNDECLARED_PROPERTY', (payload, n) => {
    propertiesOf(payload.system as Item).undeclared = 0;
    propertiesOf(someone(payload, 'employees', n)).undeclared = 'x';
  }),
  inHris('PROPERTY_TYPE', (payload, n) => {
    const [type, value] = wrong[n % wrong.length] ?? wrong[0];
    const definition = (payload.custom_property_definition ??= {}) as Item;
    definition.group_properties = { ...(definition.group_properties as Item), wrong: type };
    propertiesOf(someone(payload, 'groups', n)).wrong = value;
  }),
  inHris('PROPERTY_TYPE_CHANGED', (payload) => {
    const definition = (payload.custom_property_definition ??= {}) as Item;
    definition.employee_properties = { level: 'STRING', note: 'NUMBER' };
  }),
  inHris('OPERATION_IN_FULL_PUSH', (payload, n) => {
    (payload.system as Item).operation = 'modify';
    someone(payload, ['employees', 'groups'][n % 2] ?? '', n).operation = 'delete';
  }),
  // Last, as it takes away what others are about.
  inHris('MISSING_FIELD', (payload) => {
    payload.system = null;
  }),

  inApplication('UNKNOWN_REFERENCE', (application, n) => {
    listOf(someone(application, 'local_users', n), 'groups').push('nobody');
    listOf(someone(application, 'local_roles', n), 'permissions').push('no permission');
    listOf(someone(application, 'local_agents', n), 'models').push('no model');
    listOf(someone(application, 'local_agents', n), 'access_creds').push('no credential');
  }),
  inApplication('UNKNOWN_REFERENCE', (application, _n, payload) => {
    listIn(payload, 'identity_to_permissions').push({
      identity: 'nobody',
      identity_type: 'local_user',
      application_permissions: [
        { application: application.name, permission: 'none', resources: ['nothing'] },
        { application: 'no application', permission: 'none', resources: ['nothing'] },
      ],
      role_assignments: [{ application: application.name, role: 'none' }],
    });
  }),
  inApplication('AMBIGUOUS_REFERENCE', (application, _n, payload) => {
    listIn(application, 'resources').push(
      {
        name: 'outer',
        resource_type: 'Box',
        sub_resources: [{ name: 'in', resource_type: 'Box' }],
      },
      { name: 'outer.in', resource_type: 'Box' },
    );
    listIn(application, 'local_users').push({ name: 'twin', id: 'm' }, { name: 'Twin', id: 'n' });
    listIn(payload, 'permissions').push({ name: 'peek' });
    listIn(payload, 'identity_to_permissions').push({
      identity: 'TWIN',
      identity_type: 'local_user',
      application_permissions: [
        {
          application: application.name,
          permission: 'peek',
          resources: ['outer', 'outer.in', 'in'],
        },
      ],
    });
  }),
  inApplication('DUPLICATE_ID', (application, n, payload) => {
    const field = ['local_users', 'local_groups', 'local_roles', 'local_access_creds'][n % 4] ?? '';
    listIn(application, field).push(json(someone(application, field, n)));
    listIn(payload, 'permissions').push({ name: 'peek' }, { name: 'peek' });
  }),
  inApplication('DUPLICATE_ID', (application) => {
    const box = { name: 'box', resource_type: 'Box' };
    listIn(application, 'resources').push(box, { ...box, resource_type: 'BOX' });
  }),
  inApplication('MIXED_IDS', (application, _n) => {
    listIn(application, 'resources').push(
      { name: 'with', id: 'it', resource_type: 'Mixed' },
      { name: 'without', resource_type: 'mixed' },
      { name: 'around', id: '', resource_type: 'MIXED' },
    );
  }),
  inApplication('SELF_REFERENCE', (application) => {
    listIn(application, 'local_groups').push({ name: 'self', groups: ['SELF'] });
    listIn(application, 'local_roles').push({ name: 'self', unique_id: 'own', roles: ['own'] });
  }),
  inApplication('UNDECLARED_PROPERTY', (application, n) => {
    propertiesOf(application).undeclared = false;
    propertiesOf(someone(application, 'local_agents', n)).undeclared = '';
    propertiesOf(someone(application, 'resources', n)).undeclared = '';
  }),
  inApplication('PROPERTY_TYPE', (application, n, payload) => {
    const [type, value] = wrong[n % wrong.length] ?? wrong[0];
    definitions(payload).push({
      application_type: String(application.application_type).toUpperCase(),
      local_group_properties: { wrong: type },
    });
    propertiesOf(someone(application, 'local_groups', n)).wrong = value;
  }),
  inApplication('PROPERTY_TYPE_CHANGED', (application, _n, payload) => {
    const types = { level: 'STRING', note: 'NUMBER', active: 'STRING' };
    payload.custom_property_definition = {
      applications: [
        {
          application_type: application.application_type,
          application_properties: types,
          local_user_properties: types,
        },
      ],
    };
  }),
  inApplication('CONFLICTING_DEFINITION', (_application, _n, payload) => {
    definitions(payload).push(
      { application_type: 'SaaS', local_model_properties: { both: 'STRING' } },
      { application_type: 'SAAS', local_model_properties: { both: 'NUMBER' } },
    );
  }),
  inApplication('OPERATION_IN_FULL_PUSH', (application, n, payload) => {
    const field = [...locals, 'local_models', 'resources'][n % 7] ?? '';
    someone(application, field, n).operation = 'add';
    const entry = listIn(payload, 'identity_to_permissions')[0];
    if (entry !== undefined) entry.operation = 'delete';
  }),
  // Last, so that nothing else happens in a second application of one name: its entities would be second ones, too.
  inApplication('DUPLICATE_ID', (application, _n, payload) => {
    listIn(payload, 'applications').push({ name: application.name, application_type: 'empty' });
  }),
  // Last, as they take away what others are about.
  {
    code: 'NO_APPLICATION',
    template: 'application',
    apply: (payload) => (payload.applications = []),
  },
  {
    code: 'NO_IDENTITY',
    template: 'application',
    apply: (payload) => {
      payload.identity_to_permissions = null;
      for (const application of listIn(payload, 'applications')) {
        for (const field of locals) application[field] = [];
      }
      someone(payload, 'applications', 0).local_models = [{ name: 'alone' }];
    },
  },
];

/** A whole payload as an increment: all in it is context, unless it is the first push. */
const all = ['identity_provider', 'hris', 'application'] as const;
export const increment: readonly RuleFault[] = all.map((template) => ({
  code: 'INCREMENTAL_FIRST_PUSH',
  template,
  apply: (payload) => (payload.incremental_change = true),
}));

const locals = ['local_users', 'local_groups', 'local_roles', 'local_agents', 'local_access_creds'];
/** An employee with no more than is needed. */
function employee(id: string): Item {
  return {
    id,
    name: id,
    employee_number: id,
    first_name: id,
    last_name: id,
    is_active: true,
    employment_status: 'ACTIVE',
  };
}

const six = { a: 1, b: 'x', c: true, d: ['x'], e: 0, f: '' };
const wrong: readonly [readonly [string, unknown], ...(readonly [string, unknown])[]] = [
  ['NUMBER', '1'],
  ['STRING', 1],
  ['BOOLEAN', 'true'],
  ['TIMESTAMP', '2024-02-30T00:00:00Z'],
  ['STRING_LIST', 'x'],
];

function definitions(payload: Item): unknown[] {
  return listOf((payload.custom_property_definition ??= {}) as Item, 'applications');
}

function propertiesOf(entity: Item): Item {
  return (entity.custom_properties ??= {}) as Item;
}

/** One of a list's items; a new one when the list is empty. */
function someone(of: Item, field: string, n: number): Item {
  const list = listIn(of, field);
  if (list.length === 0) list.push(fresh(field, of));
  return list[n % list.length] ?? {};
}

function fresh(field: string, of: Item): Item {
  if (field === 'applications') return { name: 'new', application_type: 'new' };
  if (field === 'apps') return { id: 'new', name: 'new' };
  // A group of an HR system must have an id; one of an identity provider has none.
  if (field === 'groups' && 'system' in of) return { id: 'new', name: 'new' };
  if (field === 'employees') return { ...employee('new') };
  return field === 'resources' ? { name: 'new', resource_type: 'New' } : { name: 'new' };
}

function listIn(of: Item, field: string): Item[] {
  return listOf(of, field) as Item[];
}

function listOf(of: Item, field: string): unknown[] {
  return (of[field] ??= []) as unknown[];
}
