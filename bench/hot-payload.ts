import type { ApplicationPayload } from '../src/templates/application/payload';
import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import type { ApplicationIncrement } from '../src/templates/application/payload';
import { upTo } from './up-to';

/** How many nodes share one tag, and how many statements one identity. */
export interface Heat {
  /** The number of nodes with the tag. */
  readonly tagged: number;
  /** The number of statements of the identity. */
  readonly statements: number;
}

/** The tag and the identity. Each heat has its own. */
const tagOf = ({ tagged }: Heat) => ({ key: 'everywhere', value: `on ${tagged}` });
const identityOf = ({ statements }: Heat): string => `everywhere-${statements}@example.com`;

const APPLICATION = 'hot';
/** Accounts without the tag. The increments add it to them. */
const UNTAGGED = 40;
const PERMISSIONS_TO_COME = 10;

/** An application in which many accounts have one tag, and one identity holds many grants. */
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

/** A directory with the person of the identity, so that derived relationships lead to it. */
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
 * Two increments of a hundred entities that touch the tag and the identity. The second one undoes
 * the first. Accounts and resources are added, changed and removed, get the tag and lose it, and
 * some name the identity. Statements of the identity are added and removed.
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
