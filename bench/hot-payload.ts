import type { ApplicationPayload } from '../src/templates/application/payload';
import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import type { ApplicationIncrement } from '../src/templates/application/payload';

/** How much is shared by whom (issue 6, Speed). */
export interface Heat {
  /** Nodes that carry the one tag. */
  readonly tagged: number;
  /** Statements of the one identity. */
  readonly statements: number;
}

/** The tag and the identity; those of another heat are others. */
const tagOf = ({ tagged }: Heat) => ({ key: 'everywhere', value: `on ${tagged}` });
const identityOf = ({ statements }: Heat): string => `everywhere-${statements}@example.com`;

const APPLICATION = 'hot';
/** Accounts without the tag, which increments give it to. */
const UNTAGGED = 40;
const PERMISSIONS_TO_COME = 10;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** An application in which one tag stands on many accounts and one identity holds many grants. */
export const hotPayload = (heat: Heat): ApplicationPayload => ({
  applications: [
    {
      name: APPLICATION,
      application_type: 'hot',
      local_users: [
        ...upTo(heat.tagged).map((at) => ({ name: `tagged ${at}`, tags: [tagOf(heat)] })),
        ...upTo(UNTAGGED).map((at) => ({ name: `plain ${at}` })),
      ],
      resources: upTo(heat.statements).map((at) => ({
        name: `place ${at}`,
        resource_type: 'place',
      })),
    },
  ],
  permissions: [
    ...upTo(heat.statements).map((at) => ({ name: `may ${at}` })),
    ...upTo(PERMISSIONS_TO_COME).map((at) => ({ name: `may then ${at}` })),
  ],
  identity_to_permissions: [
    {
      identity: identityOf(heat),
      identity_type: 'idp',
      application_permissions: upTo(heat.statements).map((at) => ({
        application: APPLICATION,
        permission: `may ${at}`,
        resources: [`place ${at}`],
      })),
    },
  ],
});

/** The person behind the identity, so that what it names binds. */
export const hotDirectory = (heat: Heat): IdentityProviderPayload => ({
  name: 'Hot',
  idp_type: 'okta',
  domains: [{ name: 'hot.example.com' }],
  users: [{ name: 'everybody', email: identityOf(heat) }],
});

const statement = (permission: string, operation: 'add' | 'delete') => ({
  application: APPLICATION,
  permission,
  resources: ['place 0'],
  operation,
});

/**
 * Increments of a hundred entities that touch the tag and the identity: what one does the other takes back. Accounts and resources change, get
 * the tag and lose it, come and go, some of them named by the identity; statements of the identity come and go.
 */
export const hotIncrements = (
  heat: Heat,
): readonly [ApplicationIncrement, ApplicationIncrement] => {
  const [tag, identity] = [tagOf(heat), identityOf(heat)];
  const increment = (there: boolean): ApplicationIncrement => ({
    incremental_change: true,
    applications: [
      {
        name: APPLICATION,
        local_users: [
          ...upTo(20).map((at) => ({
            name: `tagged ${at}`,
            operation: 'modify' as const,
            email: there ? `tagged${at}@example.com` : null,
          })),
          ...upTo(UNTAGGED).map((at) => ({
            name: `plain ${at}`,
            operation: there ? ('add_tag' as const) : ('remove_tag' as const),
            tags: [tag],
          })),
          ...upTo(20).map((at) =>
            there
              ? {
                  name: `new ${at}`,
                  operation: 'add' as const,
                  identities: [identity],
                  tags: [tag],
                }
              : { name: `new ${at}`, operation: 'delete' as const },
          ),
        ],
        resources: upTo(10).map((at) => ({
          name: `new place ${at}`,
          resource_type: 'place',
          operation: there ? ('add' as const) : ('delete' as const),
          ...(there
            ? { tags: [tag], owners: [{ external_id: identity, owner_type: 'user' }] }
            : {}),
        })),
      },
    ],
    identity_to_permissions: [
      {
        identity,
        identity_type: 'idp',
        application_permissions: upTo(PERMISSIONS_TO_COME).map((at) =>
          statement(`may then ${at}`, there ? 'add' : 'delete'),
        ),
      },
    ],
  });
  return [increment(true), increment(false)];
};
