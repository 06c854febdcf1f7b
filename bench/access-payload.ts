import type { ApplicationPayload } from '../src/templates/application/payload';
import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import { upTo } from './up-to';

/** The path of the resource that nearly everybody can reach. */
export const WIDE = 'Wiki';
/** The account that can reach a thousand resources of one project. */
export const BUSY = 'h0';

/**
 * An account and a resource. Half a million paths of equal length lead from one to the other,
 * through groups of groups.
 */
export const LOST = 'lost';
export const CENTRE = 'Centre';

const FLOORS = 12;
const ROOMS = 3;
const PEOPLE_OF_WIDE = 2480;
const PLACES_OF_BUSY = 990;
const TEAMS = 40;

/** The logins of a person in the applications of the bench. */
const login = (person: number, application: number): string =>
  `person${person}.${application}@example.com`;

/**
 * A directory of the people whose logins the applications of the bench name. It has nested teams,
 * and managers.
 */
export const directoryPayload = (people: number): IdentityProviderPayload => ({
  name: 'Directory',
  idp_type: 'okta',
  domains: [{ name: 'example.com' }],
  users: upTo(people).map((at) => ({
    name: login(at, 0),
    email: login(at, 1),
    identity: login(at, 2),
    full_name: `Person ${at}`,
    is_active: at % 19 !== 0,
    manager_id: login(Math.floor(at / 8), 2),
    groups: [{ identity: `team-${at % TEAMS}` }, { identity: `site-${at % 7}` }],
  })),
  groups: [
    ...upTo(TEAMS).map((at) => ({
      name: `team-${at}`,
      groups: at === 0 ? [] : [{ identity: `team-${Math.floor(at / 3)}` }],
    })),
    ...upTo(7).map((at) => ({ name: `site-${at}` })),
  ],
});

/**
 * An application with a resource that 10,000 principals can reach, and an account that can reach
 * 1,000 resources.
 */
export const hubPayload = (): ApplicationPayload => ({
  applications: [
    {
      name: 'hub',
      application_type: 'hub',
      local_users: upTo(PEOPLE_OF_WIDE).map((at) => ({
        name: `h${at}`,
        identities: [login(at, 3), login(at, 0)],
        groups: [at % 2 === 0 ? 'even' : 'odd'],
      })),
      local_groups: [
        { name: 'all' },
        { name: 'even', groups: ['all'] },
        { name: 'odd', groups: ['all'] },
      ],
      local_roles: [
        { name: 'reader', permissions: ['read'] },
        { name: 'writer', permissions: ['write'], roles: ['reader'] },
      ],
      resources: [
        { name: WIDE, resource_type: 'space' },
        {
          name: 'Archive',
          resource_type: 'space',
          sub_resources: upTo(PLACES_OF_BUSY).map((at) => ({
            name: `page ${at}`,
            resource_type: 'page',
          })),
        },
      ],
    },
  ],
  permissions: [
    { name: 'read', permission_type: ['DataRead'], apply_to_sub_resources: true },
    { name: 'write', permission_type: ['DataWrite'], apply_to_sub_resources: true },
  ],
  identity_to_permissions: [
    {
      identity: 'all',
      identity_type: 'local_group',
      role_assignments: [{ application: 'hub', role: 'reader', resources: [WIDE] }],
    },
    ...upTo(PEOPLE_OF_WIDE)
      .filter((at) => at % 3 === 0)
      .map((at) => ({
        identity: `h${at}`,
        identity_type: 'local_user' as const,
        application_permissions: [{ application: 'hub', permission: 'write', resources: [WIDE] }],
        role_assignments:
          `h${at}` === BUSY ? [{ application: 'hub', role: 'writer', resources: ['Archive'] }] : [],
      })),
  ],
});

/**
 * An application in which paths branch. From the first person of the directory they have 16 steps,
 * the most that an explanation tells.
 */
export const mazePayload = (): ApplicationPayload => {
  const rooms = (floor: number): readonly string[] =>
    floor < FLOORS ? upTo(ROOMS).map((room) => `room ${floor} ${room}`) : [];
  return {
    applications: [
      {
        name: 'maze',
        application_type: 'maze',
        local_users: [{ name: LOST, identities: [login(0, 0)], groups: [...rooms(0)] }],
        local_groups: upTo(FLOORS).flatMap((floor) =>
          rooms(floor).map((name) => ({ name, groups: [...rooms(floor + 1)] })),
        ),
        resources: [{ name: CENTRE, resource_type: 'place' }],
      },
    ],
    permissions: [{ name: 'enter', permission_type: ['DataRead'] }],
    identity_to_permissions: rooms(FLOORS - 1).map((identity) => ({
      identity,
      identity_type: 'local_group',
      application_permissions: [{ application: 'maze', permission: 'enter', resources: [CENTRE] }],
    })),
  };
};
