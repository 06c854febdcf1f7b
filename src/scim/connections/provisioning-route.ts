import type { Access } from '../../web/routing/route';

/** The path of the connection of a provider. */
export const SCIM = '/api/v1/providers/custom/:providerId/scim';

/** A caller who may do this gives people accounts, so it needs the strongest scope. */
export const SCIM_ACCESS: Access = { scopes: ['admin'], limitedKeys: 'own provider' };
