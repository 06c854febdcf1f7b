import type { UseCases } from '../../service/use-cases';
import type { Handle } from '../exchange/handle';
import type { Access } from '../routing/route';

/** What the endpoints of provisioning need. */
export interface ProvisioningRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findProvider' | 'provisioning' | 'scimImports'>;
}

/** The path of the connection of a provider. */
export const SCIM = '/api/v1/providers/custom/:providerId/scim';

/** Whoever may do this gives people accounts, so it takes the strongest scope. */
export const SCIM_ACCESS: Access = { scopes: ['admin'], limitedKeys: 'own provider' };
