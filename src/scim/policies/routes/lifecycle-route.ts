import type { Access } from '../../../web/routing/route';

/** The path of the policies of a provider. */
export const POLICIES = '/api/v1/providers/custom/:providerId/policies';

/** Policies look at the people of all directories, so keys that are limited to some may not. */
export const POLICIES_ACCESS: Access = { scopes: ['admin'], limitedKeys: 'never' };
