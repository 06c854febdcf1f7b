import type {
  ApplicationIncrement,
  ApplicationPayload,
} from '../src/templates/application/payload';
import { upTo } from './up-to';

/** An application in which everybody holds one grant, on many resources. */
export interface Scopes {
  readonly grants: number;
  /** The number of resources in the scope of each grant. */
  readonly scope: number;
  /** How many resources an increment takes from each grant, and as many others it gives. */
  readonly moved: number;
}

const APPLICATION = 'scopes';

/** Resources that every scope holds. */
const shared = ({ scope, moved }: Scopes): readonly string[] =>
  upTo(scope - moved).map((at) => `r ${at}`);

/** Resources that only one grant is ever given: those that it has at first, and the others. */
const own = (grant: number, moved: number): readonly [readonly string[], readonly string[]] => [
  upTo(moved).map((at) => `of ${grant}, ${at}`),
  upTo(moved).map((at) => `for ${grant}, ${at}`),
];

/** The whole application. */
export const scopePayload = (scopes: Scopes): ApplicationPayload => ({
  permissions: [{ name: 'view', permission_type: ['DataRead'] }],
  applications: [
    {
      name: APPLICATION,
      application_type: 'scopes',
      local_users: upTo(scopes.grants).map((at) => ({ name: `u ${at}` })),
      resources: [
        ...shared(scopes),
        ...upTo(scopes.grants).flatMap((grant) => own(grant, scopes.moved).flat()),
      ].map((name) => ({ name, resource_type: 'r' })),
    },
  ],
  identity_to_permissions: upTo(scopes.grants).map((grant) => ({
    identity: `u ${grant}`,
    identity_type: 'local_user',
    application_permissions: [
      {
        application: APPLICATION,
        permission: 'view',
        resources: [...shared(scopes), ...own(grant, scopes.moved)[0]],
      },
    ],
  })),
});

/**
 * Two increments that give each grant some resources and take others from it. The second one undoes
 * the first.
 */
export const scopeIncrements = (
  scopes: Scopes,
): readonly [ApplicationIncrement, ApplicationIncrement] => {
  const increment = (there: boolean): ApplicationIncrement => ({
    incremental_change: true,
    identity_to_permissions: upTo(scopes.grants).map((grant) => {
      const element = { application: APPLICATION, permission: 'view' };
      const [taken, given] = own(grant, scopes.moved);
      return {
        identity: `u ${grant}`,
        identity_type: 'local_user',
        application_permissions: [
          { ...element, operation: 'delete_resource', resources: there ? taken : given },
          { ...element, operation: 'add_resource', resources: there ? given : taken },
        ],
      };
    }),
  });
  return [increment(true), increment(false)];
};

/**
 * Two increments that change three rows: an account, a resource and a grant. The second one undoes
 * the first.
 */
export const smallIncrements = (
  scopes: Scopes,
): readonly [ApplicationIncrement, ApplicationIncrement] => {
  const increment = (there: boolean): ApplicationIncrement => ({
    incremental_change: true,
    applications: [
      {
        name: APPLICATION,
        local_users: [{ name: 'u 1', operation: 'modify', email: there ? 'u1@example.com' : null }],
        resources: [
          {
            name: 'of 1, 0',
            resource_type: 'r',
            operation: 'modify',
            description: there ? 'first' : null,
          },
        ],
      },
    ],
    identity_to_permissions: [
      {
        identity: 'u 0',
        identity_type: 'local_user',
        application_permissions: [
          {
            application: APPLICATION,
            permission: 'view',
            operation: there ? 'add_resource' : 'delete_resource',
            resources: own(0, scopes.moved)[1].slice(0, 1),
          },
        ],
      },
    ],
  });
  return [increment(true), increment(false)];
};
