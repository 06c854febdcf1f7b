import type { Problem } from '../mirror/pointer';
import type { Template } from './repair';

type Item = Record<string, unknown>;

/** A way to break the shape of an increment (docs/increments.md 1), with the problem that it makes. */
export interface IncrementShapeFault {
  readonly template: Template;
  readonly apply: (payload: Item) => Problem;
}

/** What other operations than `add` ask of an entry, each broken in an entry of its own. */
export const incrementShapeFaults: readonly IncrementShapeFault[] = [
  idp('users', { name: null, operation: 'add' }, 'MISSING_FIELD', '/name'),
  idp('users', { email: 'x', operation: 'modify' }, 'MISSING_FIELD', '/name'),
  idp('users', { identity: 'x', name: null, operation: 'modify' }, 'MISSING_FIELD', '/name'),
  idp('users', { identity: 'x', name: '', operation: 'delete' }, 'EMPTY', '/name'),
  idp('users', { name: 'x', operation: 'remove' }, 'UNKNOWN_VALUE', '/operation'),
  idp('groups', { full_name: 'x' }, 'MISSING_FIELD', '/name'),
  idp(
    'groups',
    { name: 'x', operation: 'delete', groups: [{}] },
    'MISSING_FIELD',
    '/groups/0/identity',
  ),
  idp('apps', { name: 'x', operation: 'delete' }, 'MISSING_FIELD', '/id'),
  idp('apps', { id: 'x', name: null, operation: 'modify' }, 'MISSING_FIELD', '/name'),
  idp('users', { name: 'x', operation: 'add_tag', tags: [{}] }, 'MISSING_FIELD', '/tags/0/key'),
  idp(
    'users',
    { name: 'x', operation: 'add_tag', is_active: false },
    'UNKNOWN_FIELD',
    '/is_active',
  ),
  hris('employees', { name: 'x', operation: 'delete' }, 'MISSING_FIELD', '/id'),
  hris('groups', { id: 'x', operation: 'add' }, 'MISSING_FIELD', '/name'),
  hris('groups', { id: 'x', name: null, operation: 'modify' }, 'MISSING_FIELD', '/name'),
  hris(
    'employees',
    { id: 'x', operation: 'modify', is_active: null },
    'MISSING_FIELD',
    '/is_active',
  ),
  application(
    'applications',
    { name: 'x', operation: 'add' },
    'MISSING_FIELD',
    '/application_type',
  ),
  application('applications', { operation: 'delete' }, 'MISSING_FIELD', '/name'),
  application(
    'applications',
    { name: 'x', application_type: null, operation: 'modify' },
    'MISSING_FIELD',
    '/application_type',
  ),
  application(
    'applications',
    { name: 'x', application_type: 'y', operation: 'add_tag' },
    'UNKNOWN_FIELD',
    '/application_type',
  ),
  inside('local_users', { email: 'x' }, 'MISSING_FIELD', '/name'),
  inside('local_access_creds', { is_active: true }, 'MISSING_FIELD', '/id'),
  inside('resources', { id: 'x', operation: 'delete' }, 'MISSING_FIELD', '/resource_type'),
  inside('resources', { resource_type: 'x', operation: 'modify' }, 'MISSING_FIELD', '/name'),
  inside(
    'resources',
    {
      id: 'x',
      resource_type: 'x',
      operation: 'remove_tag',
      sub_resources: [{ name: 'y', resource_type: 'x' }],
    },
    'UNKNOWN_FIELD',
    '/sub_resources',
  ),
  inside(
    'resources',
    {
      name: 'x',
      resource_type: 'x',
      operation: 'add',
      sub_resources: [{ id: 'y', resource_type: 'x' }],
    },
    'MISSING_FIELD',
    '/sub_resources/0/name',
  ),
  application(
    'permissions',
    { permission_type: [], operation: 'modify' },
    'MISSING_FIELD',
    '/name',
  ),
  application('identity_to_permissions', { operation: 'delete' }, 'MISSING_FIELD', '/identity'),
  application(
    'identity_to_permissions',
    { identity: 'x', application_permissions: [{ application: 'x', operation: 'delete' }] },
    'MISSING_FIELD',
    '/application_permissions/0/permission',
  ),
];

function idp(field: string, entry: Item, code: string, below: string): IncrementShapeFault {
  return appended('identity_provider', field, entry, code, below);
}

function hris(field: string, entry: Item, code: string, below: string): IncrementShapeFault {
  return appended('hris', field, entry, code, below);
}

function application(field: string, entry: Item, code: string, below: string): IncrementShapeFault {
  return appended('application', field, entry, code, below);
}

function inside(field: string, entry: Item, code: string, below: string): IncrementShapeFault {
  return application('applications', { name: 'x', [field]: [entry] }, code, `/${field}/0${below}`);
}

function appended(
  template: Template,
  field: string,
  entry: Item,
  code: string,
  below: string,
): IncrementShapeFault {
  return {
    template,
    apply: (payload) => {
      const list = (payload[field] ?? []) as Item[];
      payload[field] = [...list, entry];
      return { pointer: `/${field}/${list.length}${below}`, code };
    },
  };
}
