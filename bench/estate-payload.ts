import type { ApplicationPayload } from '../src/templates/application/payload';
import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import { upTo } from './up-to';

/** The domain whose people all reach the resources of one project. */
export const STAFF_DOMAIN = 'staff.example.com';

const PAGES = 10;

const mail = (at: number): string => `staff${at}@${STAFF_DOMAIN}`;

/** How many projects the workshop has for so many people. */
const projectsFor = (people: number): number => Math.max(2, Math.ceil(people / 20));

/** A directory in which guests, robots and inactive users stand beside the staff. */
export const staffPayload = (people: number): IdentityProviderPayload => ({
  name: 'Staff',
  idp_type: 'okta',
  domains: [{ name: STAFF_DOMAIN }],
  users: upTo(people).map((at) => ({
    name: `staff ${at}`,
    email: mail(at),
    identity: mail(at),
    is_active: at % 23 !== 1,
    is_guest: at % 29 === 2,
    identity_type: at % 31 === 3 ? 'NONHUMAN' : 'HUMAN',
    manager_id: at % 37 === 4 ? 'nobody' : mail(Math.floor(at / 8)),
    groups: [{ identity: 'everyone' }, { identity: at % 2 === 0 ? 'even' : 'odd' }],
  })),
  groups: [{ name: 'everyone' }, { name: 'even' }, { name: 'odd' }],
});

/** An HR system with most of the staff: some have left, and some have no account. */
export const hrPayload = (people: number): object => ({
  name: 'People',
  hris_type: 'people',
  system: { id: 'people', name: 'People', idp_providers: ['custom'] },
  employees: upTo(people).map((at) => ({
    id: `hr-${at}`,
    name: `Employee ${at}`,
    employee_number: String(at),
    first_name: 'Employee',
    last_name: String(at),
    is_active: at % 10 !== 0,
    employment_status: at % 10 === 0 ? 'TERMINATED' : 'ACTIVE',
    idp_id: at % 17 === 5 ? `unknown-${at}` : mail(at),
    managers: [{ id: `hr-${Math.floor(at / 8)}` }],
  })),
});

/**
 * An application with service accounts, agents, credentials, and accounts of the staff. Groups of the
 * directory hold a role on its first project and on the application.
 */
export const workshopPayload = (people: number): ApplicationPayload => {
  const application = 'workshop';
  const projects = upTo(projectsFor(people)).map((at) => `Project ${at}`);
  const project = (at: number): string => projects[at % projects.length] ?? '';
  const few = upTo(Math.ceil(people / 10));
  const agents = few.map((at) => `agent ${at}`);
  const credentials = few.map((at) => `key ${at}`);
  const services = few.map((at) => `service ${at}`);
  return {
    applications: [
      {
        name: application,
        application_type: application,
        local_users: [
          ...upTo(people).map((at) => ({
            name: `s${at}`,
            identities: [mail(at)],
            is_active: at % 13 !== 0,
            groups: [`team ${at % few.length}`],
          })),
          ...services.map((name) => ({ name, user_type: 'service_account' as const })),
        ],
        local_groups: [
          { name: 'all', identities: ['everyone'] },
          { name: 'even', identities: ['even'] },
          { name: 'odd', identities: ['odd'] },
          { name: 'empty' },
          ...few.map((at) => ({ name: `team ${at}` })),
        ],
        local_access_creds: credentials.map((name, at) => ({
          name,
          id: name,
          is_active: at % 7 !== 0,
          can_expire: at % 3 !== 0,
        })),
        local_agents: agents.map((name, at) => ({
          name,
          id: name,
          access_creds: [`key ${at}`],
          groups: [`team ${at}`],
        })),
        local_roles: [
          { name: 'reader', permissions: ['read'] },
          { name: 'editor', permissions: ['edit'], roles: ['reader'] },
          { name: 'unheld', permissions: ['edit'] },
        ],
        resources: projects.map((name) => ({
          name,
          resource_type: 'project',
          sub_resources: upTo(PAGES).map((at) => ({ name: `page ${at}`, resource_type: 'page' })),
        })),
      },
    ],
    permissions: [
      { name: 'read', permission_type: ['DataRead'], apply_to_sub_resources: true },
      { name: 'edit', permission_type: ['DataWrite'], apply_to_sub_resources: true },
      { name: 'set up', permission_type: ['MetadataWrite'] },
    ],
    identity_to_permissions: [
      {
        identity: 'all',
        identity_type: 'local_group',
        role_assignments: [{ application, role: 'reader', resources: [project(0)] }],
      },
      ...['even', 'odd'].map((identity) => ({
        identity,
        identity_type: 'local_group' as const,
        role_assignments: [{ application, role: 'editor', resources: [project(1)] }],
      })),
      ...few.map((at) => ({
        identity: `team ${at}`,
        identity_type: 'local_group' as const,
        role_assignments: [
          { application, role: 'editor', resources: [project(at), project(at + 1)] },
        ],
      })),
      ...(
        [
          ['local_agent', agents],
          ['local_access_creds', credentials],
          ['local_user', services],
        ] as const
      ).flatMap(([identity_type, names]) =>
        names.map((identity, at) => ({
          identity,
          identity_type,
          application_permissions: [
            { application, permission: 'edit', resources: [project(at), project(at + 5)] },
            ...(at % 10 === 0 ? [{ application, permission: 'set up' }] : []),
          ],
        })),
      ),
    ],
  };
};
