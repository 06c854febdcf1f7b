import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Template } from '../arbitrary/repair';

const FIXTURES = join(__dirname, '../fixtures');

const read = (file: string): object =>
  JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as object;

/** Good payloads from which mutated ones come: what a push may hold, as small as that goes, and what clients in the field send. */
export const seedPayloads: { readonly [T in Template]: readonly object[] } = {
  identity_provider: [
    {
      name: 'Corp',
      idp_type: 'corp',
      custom_property_definition: { user_properties: { level: 'NUMBER', note: 'STRING' } },
      domains: [{ name: 'example.com' }],
      users: [
        {
          name: 'ann',
          identity: 'a1',
          email: 'ann@example.com',
          full_name: 'Ann A.',
          is_active: true,
          department: 'sales',
          manager_id: 'b1',
          groups: [{ identity: 'devs' }],
          app_assignments: [{ id: 'x', app_id: 'portal' }],
          assumed_role_arns: [{ identity: 'arn:aws:iam::1:role/admin' }],
          source_identity: { identity: 'ann', provider_type: 'okta' },
          custom_properties: { level: 3, note: 'n' },
          tags: [{ key: 'team', value: 'one' }],
        },
        { name: 'bob', identity: 'b1', groups: [{ identity: 'ops' }] },
      ],
      groups: [
        { name: 'devs', groups: [{ identity: 'ops' }] },
        { name: 'ops', is_security_group: true },
      ],
      apps: [{ id: 'portal', name: 'Portal', description: 'd' }],
    },
    read('clients/oaaclient-1.0.0-identity-provider.json'),
  ],
  hris: [
    {
      name: 'People',
      hris_type: 'workday',
      custom_property_definition: { employee_properties: { level: 'NUMBER' } },
      system: { id: 'hr', name: 'HR', url: 'https://hr.example', idp_providers: ['okta'] },
      employees: [
        {
          id: 'e1',
          name: 'Ann',
          employee_number: '1',
          first_name: 'Ann',
          last_name: 'A.',
          is_active: true,
          employment_status: 'ACTIVE',
          email: 'ann@example.com',
          department: { id: 'sales' },
          managers: [{ id: 'e1' }],
          groups: [{ id: 'sales' }],
          start_date: '2024-01-02T03:04:05Z',
          employment_types: ['FULL_TIME'],
          custom_properties: { level: 3 },
        },
      ],
      groups: [{ id: 'sales', name: 'Sales', group_type: 'department' }],
    },
  ],
  application: [
    {
      name: 'CRM',
      application_type: 'crm',
      custom_property_definition: {
        applications: [
          {
            application_type: 'crm',
            local_user_properties: { level: 'NUMBER', active: 'BOOLEAN' },
          },
        ],
      },
      applications: [
        {
          name: 'crm',
          application_type: 'crm',
          description: 'd',
          tags: [{ key: 'stage', value: 'test' }],
          local_users: [
            {
              name: 'ann',
              unique_id: 'u1',
              email: 'ann@example.com',
              identities: ['ann@example.com'],
              groups: ['team'],
              is_active: true,
              created_at: '2024-01-02T03:04:05Z',
              custom_properties: { level: 1, active: true },
            },
            { name: 'bob', identities: ['bob'] },
          ],
          local_groups: [{ name: 'team', identities: ['team@example.com'] }],
          local_roles: [
            { name: 'admin', permissions: ['write'], roles: ['reader'] },
            { name: 'reader' },
          ],
          local_agents: [{ name: 'helper', models: ['gp'], owners: [] }],
          local_models: [{ name: 'gp' }],
          local_access_creds: [{ name: 'key', id: 'k1' }],
          resources: [
            {
              name: 'wiki',
              resource_type: 'space',
              sub_resources: [{ name: 'page', resource_type: 'page' }],
            },
          ],
        },
      ],
      permissions: [
        { name: 'read', permission_type: ['DataRead'] },
        { name: 'write', permission_type: ['DataWrite'], apply_to_sub_resources: true },
      ],
      identity_to_permissions: [
        {
          identity: 'ann',
          identity_type: 'local_user',
          application_permissions: [
            { application: 'crm', permission: 'read', resources: ['wiki', 'wiki.page'] },
          ],
          role_assignments: [{ application: 'crm', role: 'admin' }],
        },
        {
          identity: 'cyd@example.com',
          identity_type: 'idp',
          application_permissions: [
            { application: 'crm', permission: 'write', apply_to_application: true },
          ],
        },
      ],
    },
    read('clients/oaaclient-1.0.0-application.json'),
  ],
};
