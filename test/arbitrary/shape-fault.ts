import type { Problem } from '../mirror/pointer';
import type { Template } from './repair';

type Item = Record<string, unknown>;

/** A way to break a payload's shape (docs/rules.md: Problems), with the problem that it makes. */
export interface ShapeFault {
  readonly code: string;
  readonly template: Template;
  /** Breaks the payload, or returns its text broken; says what is wrong. */
  readonly apply: (payload: Item) => Problem & { readonly text?: (json: string) => string };
}

const notFinite = '@@ not finite @@';

/** Each shape's code, in a new entity of its own, so that faults never meet. */
export const shapeFaults: readonly ShapeFault[] = [
  {
    code: 'NOT_JSON',
    template: 'identity_provider',
    apply: () => ({ pointer: '', code: 'NOT_JSON', text: (json) => json.slice(0, -1) }),
  },
  inUser('WRONG_TYPE', { name: 'x', is_active: 'yes' }, '/is_active'),
  inUser('WRONG_TYPE', { name: 'x', groups: 'devs' }, '/groups'),
  inUser('MISSING_FIELD', { name: null }, '/name'),
  inUser(
    'MISSING_FIELD',
    { name: 'x', source_identity: { identity: 'y' } },
    '/source_identity/provider_type',
  ),
  inUser('UNKNOWN_FIELD', { name: 'x', e_mail: 'y' }, '/e_mail'),
  inUser('REPEATED_FIELD', { name: 'x', email: 'y', Email: 'z' }, '/Email'),
  inUser('TOO_LONG', { name: 'x', full_name: '\u00e9'.repeat(129) }, '/full_name'),
  inUser('ILL_FORMED_TEXT', { name: 'x', full_name: 'half \ud83d' }, '/full_name'),
  inUser('CONTROL_CHARACTER', { name: 'x', full_name: 'bell \u0007' }, '/full_name'),
  inUser('EMPTY', { name: '' }, '/name'),
  inUser(
    'UNKNOWN_VALUE',
    { name: 'x', source_identity: { identity: 'y', provider_type: 'Okta' } },
    '/source_identity/provider_type',
  ),
  inUser('BAD_NAME', { name: 'x', tags: [{ key: 'two words' }] }, '/tags/0/key'),
  inUser(
    'NOT_FINITE',
    { name: 'x', dynamic_properties: { n: notFinite } },
    '/dynamic_properties/n',
  ),
  inGroup('MISSING_FIELD', { id: 'x' }, '/name'),
  inGroup('EMPTY', { id: '', name: 'x' }, '/id'),
  inGroup('UNKNOWN_FIELD', { id: 'x', name: 'x', tags: [] }, '/tags'),
  inEmployee('WRONG_TYPE', { department: 'sales' }, '/department'),
  inEmployee('WRONG_TYPE', { is_active: 'yes' }, '/is_active'),
  inEmployee('MISSING_FIELD', { employment_status: null }, '/employment_status'),
  inEmployee('MISSING_FIELD', { managers: [{}] }, '/managers/0/id'),
  inEmployee('BAD_TIME', { start_date: '2024-02-30' }, '/start_date'),
  inApplication('WRONG_TYPE', { application_type: 'a', name: 1 }, '/name'),
  inApplication('MISSING_FIELD', { name: 'x' }, '/application_type'),
  inApplication(
    'UNKNOWN_FIELD',
    { name: 'x', application_type: 'a', local_user: [] },
    '/local_user',
  ),
  inApplication(
    'TOO_DEEP',
    { name: 'x', application_type: 'a', resources: [nested(101)] },
    `/resources/0${'/sub_resources/0'.repeat(100)}`,
  ),
  inLocalUser('BAD_TIME', { name: 'x', created_at: '2024-02-30T00:00:00Z' }, '/created_at'),
  inLocalUser('BAD_TIME', { name: 'x', created_at: '2024-02-28T23:59:60Z' }, '/created_at'),
  inLocalUser('EMPTY', { name: 'x', groups: [''] }, '/groups/0'),
  inLocalUser('TOO_LONG', { name: 'x'.repeat(257) }, '/name'),
  appended(
    'UNKNOWN_VALUE',
    'application',
    'permissions',
    { name: 'x', permission_type: ['NonData', 'Everything'] },
    '/permission_type/1',
  ),
  inApplication(
    'TOO_LONG',
    {
      name: 'x',
      application_type: 'a',
      resources: [{ name: 'r', resource_type: 't', description: '\u{1f600}'.repeat(256) }],
    },
    '/resources/0/description',
  ),
];

/** A resource in which others are nested, so many levels deep. */
function nested(levels: number): Item {
  const inside = levels === 1 ? {} : { sub_resources: [nested(levels - 1)] };
  return { name: 'r', resource_type: 't', ...inside };
}

function inUser(code: string, user: Item, below: string): ShapeFault {
  return appended(code, 'identity_provider', 'users', user, below);
}

function inGroup(code: string, group: Item, below: string): ShapeFault {
  return appended(code, 'hris', 'groups', group, below);
}

function inEmployee(code: string, fields: Item, below: string): ShapeFault {
  const employee = {
    id: 'x',
    name: 'x',
    employee_number: 'x',
    first_name: 'x',
    last_name: 'x',
    is_active: true,
    employment_status: 'ACTIVE',
  };
  return appended(code, 'hris', 'employees', { ...employee, ...fields }, below);
}

function inApplication(code: string, application: Item, below: string): ShapeFault {
  return appended(code, 'application', 'applications', application, below);
}

function inLocalUser(code: string, user: Item, below: string): ShapeFault {
  const application = { name: 'x', application_type: 'a', local_users: [user] };
  return inApplication(code, application, `/local_users/0${below}`);
}

function appended(
  code: string,
  template: Template,
  field: string,
  item: Item,
  below: string,
): ShapeFault {
  const apply: ShapeFault['apply'] = (payload) => {
    const list = (payload[field] ?? []) as Item[];
    payload[field] = [...list, item];
    const problem = { pointer: `/${field}/${list.length}${below}`, code };
    if (code !== 'NOT_FINITE') return problem;
    return { ...problem, text: (json) => json.replace(`"${notFinite}"`, '1e999') };
  };
  return { code, template, apply };
}
