import type { Template } from './repair';
import { itemsOf } from './standing';

type Item = Record<string, unknown>;

/** A way to break a rule of docs/rules.md: Increments or 8 in an otherwise good increment. */
export interface IncrementRuleFault {
  readonly code: string;
  readonly template: Template;
  /** Breaks the increment; `standing` says what it is an increment of. */
  readonly apply: (payload: Item, standing: Item) => void;
}

const inIdp = (code: string, apply: IncrementRuleFault['apply']): IncrementRuleFault => {
  return { code, template: 'identity_provider', apply };
};

const inHris = (code: string, apply: IncrementRuleFault['apply']): IncrementRuleFault => {
  return { code, template: 'hris', apply };
};

/** A fault inside the first application that stands. */
const inApplication = (
  code: string,
  inside: (application: Item, payload: Item) => Item,
): IncrementRuleFault => ({
  code,
  template: 'application',
  apply: (payload, standing) => {
    const [application] = itemsOf(standing, 'applications');
    if (application === undefined) return;
    const { name } = application;
    append(payload, 'applications', { name, ...inside(application, payload) });
  },
});

const add = 'add';
const six = { a: 1, b: 'x', c: true, d: ['x'], e: 0, f: '' };

/** Rules that an increment can break, beside those that random ones break anyway. */
export const incrementRuleFaults: readonly IncrementRuleFault[] = [
  inIdp('DOMAIN_COUNT', (payload, standing) => {
    for (const { name } of itemsOf(standing, 'domains')) {
      append(payload, 'domains', { name, operation: 'delete' });
    }
  }),
  inIdp('DOMAIN_COUNT', (payload) => {
    append(payload, 'domains', { name: 'another', operation: add });
  }),
  inIdp('TOO_MANY_DYNAMIC_PROPERTIES', (payload) => {
    append(payload, 'users', { name: 'six', operation: add, dynamic_properties: six });
    append(payload, 'groups', { name: 'six', operation: add, dynamic_properties: { a: 1 } });
    append(payload, 'groups', { name: 'six', operation: 'modify', dynamic_properties: six });
  }),
  inIdp('UNDECLARED_PROPERTY', (payload) => {
    const custom_properties = { undeclared: 1 };
    append(payload, 'apps', { id: 'u', name: 'u', operation: add, custom_properties });
  }),
  inIdp('PROPERTY_TYPE_CHANGED', (payload) => {
    payload.custom_property_definition = {
      user_properties: { level: 'STRING', note: 'NUMBER' },
      group_properties: { level: 'STRING', note: 'NUMBER' },
    };
  }),
  inIdp('DUPLICATE_ID', (payload) => {
    const assignment = { id: 'two', app_id: 'both' };
    append(payload, 'apps', { id: 'both', name: 'both', operation: add });
    const app_assignments = [assignment, assignment];
    append(payload, 'users', { name: 'both', operation: add, app_assignments });
  }),
  inIdp('DUPLICATE_ID', (payload) => {
    append(payload, 'groups', { name: 'twice', operation: add });
    append(payload, 'groups', { name: 'x', identity: 'twice', operation: add });
  }),
  inIdp('SELF_REFERENCE', (payload) => {
    append(payload, 'groups', { name: 'me', operation: add, groups: [{ ME: 'parent' }] });
  }),
  inIdp('UNKNOWN_REFERENCE', (payload, standing) => {
    const [group] = itemsOf(standing, 'groups');
    if (group === undefined) return;
    const { identity, name } = group;
    append(payload, 'groups', { identity, name, operation: 'delete' });
    const groups = [{ identity: identity ?? name }];
    append(payload, 'users', { name: 'left behind', operation: add, groups });
  }),
  inIdp('AMBIGUOUS_REFERENCE', (payload) => {
    append(payload, 'users', { name: 'twins', identity: 'a twin', operation: add });
    append(payload, 'users', { name: 'twins', identity: 'its twin', operation: add });
    append(payload, 'users', { name: 'twins', operation: 'delete' });
  }),
  inHris('MISSING_FIELD', (payload, standing) => {
    const [system] = itemsOf(standing, 'system');
    payload.system = { id: system?.id, operation: 'delete' };
  }),
  inHris('MISSING_FIELD', (payload) => {
    payload.system = { id: 'another', name: 'another', operation: add };
  }),
  inHris('OPERATION_NOT_ALLOWED', (payload, standing) => {
    const [{ id } = {}] = itemsOf(standing, 'employees');
    append(payload, 'employees', { id: id ?? 'x', operation: 'add_tag' });
  }),
  inHris('UNKNOWN_REFERENCE', (payload) => {
    append(payload, 'employees', { ...employee('lost'), operation: add, managers: [{ id: '-' }] });
  }),
  inHris('UNKNOWN_ENTITY', (payload) => {
    append(payload, 'groups', { id: 'nobody knows', name: 'x', operation: 'modify' });
  }),
  inHris('DUPLICATE_ID', (payload) => {
    append(payload, 'employees', { ...employee('twice'), operation: add });
    append(payload, 'employees', { ...employee('twice'), operation: add });
  }),
  inHris('PROPERTY_TYPE_CHANGED', (payload) => {
    payload.custom_property_definition = {
      employee_properties: { level: 'STRING', note: 'NUMBER' },
      group_properties: { level: 'STRING', note: 'NUMBER' },
      system_properties: { level: 'STRING', note: 'NUMBER' },
    };
  }),
  inApplication('MIXED_IDS', () => ({
    operation: 'add_resource',
    resources: [
      { name: 'with', id: 'it', resource_type: 'Mixed' },
      { name: 'without', resource_type: 'mixed' },
    ],
  })),
  inApplication('MIXED_IDS', (application) => ({
    resources: itemsOf(application, 'resources')
      .filter(({ id }) => id === undefined)
      .map(({ resource_type }) => ({
        id: 'suddenly',
        name: 'suddenly',
        resource_type,
        operation: add,
      })),
  })),
  inApplication('SELF_REFERENCE', () => ({
    local_groups: [{ name: 'self', operation: add, groups: ['SELF'] }],
    local_roles: [{ name: 'self', operation: add, roles: ['self'] }],
    resources: [
      {
        name: 'self',
        id: 'self',
        resource_type: 'Self',
        operation: add,
        sub_resources: [
          {
            name: 'in',
            resource_type: 'In',
            sub_resources: [
              { name: 'self', id: 'self', resource_type: 'SELF', operation: 'modify' },
            ],
          },
        ],
      },
    ],
  })),
  inApplication('TOO_DEEP', () => ({
    resources: [
      {
        name: 'deep',
        id: 'deep',
        resource_type: 'Deep',
        operation: add,
        sub_resources: [chain(60)],
      },
      { ...chain(60), operation: add },
      nested(chain(60), {
        name: 'deep',
        id: 'deep',
        resource_type: 'Deep',
        operation: 'modify',
      }),
    ],
  })),
  inApplication('PROPERTY_TYPE', ({ application_type }, payload) => {
    const definition = {
      application_type,
      local_group_properties: { text: 'STRING', number: 'NUMBER', when: 'TIMESTAMP' },
    };
    const definitions = (payload.custom_property_definition ??= {}) as Item;
    append(definitions, 'applications', definition);
    const custom_properties = { text: 1, number: '1', when: 'soon' };
    return { local_groups: [{ name: 'typed', operation: add, custom_properties }] };
  }),
  inApplication('UNDECLARED_PROPERTY', () => ({
    operation: add,
    application_type: 'SaaS',
    custom_properties: { undeclared: '' },
    resources: [{ name: 'u', resource_type: 'U', custom_properties: { undeclared: false } }],
  })),
  inApplication('CONFLICTING_DEFINITION', (_application, payload) => {
    const definitions = (payload.custom_property_definition ??= {}) as Item;
    for (const both of ['STRING', 'NUMBER']) {
      append(definitions, 'applications', {
        application_type: 'Both',
        local_model_properties: { both },
      });
    }
    return {};
  }),
  inApplication('DUPLICATE_ID', () => ({
    local_users: [
      { name: 'one', operation: add },
      { name: 'two', id: 'one', operation: add },
    ],
  })),
  inApplication('UNKNOWN_ENTITY', () => ({
    local_agents: [{ name: 'nobody', operation: 'modify', is_active: true }],
    resources: [
      {
        name: 'nowhere',
        resource_type: 'N',
        sub_resources: [{ name: 'x', resource_type: 'N', operation: 'add_tag' }],
      },
    ],
  })),
  // Last, as it takes away what others are about.
  {
    code: 'NO_APPLICATION',
    template: 'application',
    apply: (payload, standing) => {
      for (const { name } of itemsOf(standing, 'applications')) {
        append(payload, 'applications', { name, operation: 'delete' });
      }
    },
  },
  {
    code: 'NO_IDENTITY',
    template: 'application',
    apply: (payload, standing) => {
      const kinds = ['local_users', 'local_groups', 'local_roles', 'local_agents'];
      for (const application of itemsOf(standing, 'applications')) {
        const gone = [...kinds, 'local_access_creds'].map((kind) => {
          const all = itemsOf(application, kind);
          return [kind, all.map((one) => ({ ...idsOf(one), operation: 'delete' }))];
        });
        const { name } = application;
        append(payload, 'applications', { name, ...(Object.fromEntries(gone) as Item) });
      }
      payload.identity_to_permissions = itemsOf(standing, 'identity_to_permissions').map(
        ({ identity, identity_type }) => ({ identity, identity_type, operation: 'delete' }),
      );
    },
  },
];

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

/** Context, so many levels deep. */
function chain(levels: number): Item {
  const inside = levels === 1 ? {} : { sub_resources: [chain(levels - 1)] };
  return { name: 'link', resource_type: 'Chain', ...inside };
}

/** A chain with a last link. */
function nested(of: Item, last: Item): Item {
  const [inside] = itemsOf(of, 'sub_resources');
  return { ...of, sub_resources: [inside === undefined ? last : nested(inside, last)] };
}

function idsOf({ unique_id, id, name }: Item): Item {
  return { unique_id, id, name };
}

function append(of: Item, field: string, item: Item): void {
  of[field] = [...itemsOf(of, field), item];
}
