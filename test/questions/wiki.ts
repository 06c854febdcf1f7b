/** The payload of a wiki in which each user may read a page by a permission of their own. */
export const wikiOf = (users: readonly string[], also: object = {}): string =>
  JSON.stringify({
    ...also,
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        local_users: users.map((name) => ({ name })),
        resources: [{ name: 'page', resource_type: 'page' }],
      },
    ],
    permissions: users.map((name) => ({ name: `${name} reads` })),
    identity_to_permissions: users.map((identity) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'wiki', permission: `${identity} reads`, resources: ['page'] },
      ],
    })),
  });
