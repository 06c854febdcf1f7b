import type { UseCases } from '../../service/use-cases';
import type { Handle } from '../exchange/handle';
import type { Access } from '../routing/route';

/** What the endpoints of policies need. */
export interface LifecycleRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findProvider' | 'lifecycle'>;
}

/** The path of the policies of a provider. */
export const POLICIES = '/api/v1/providers/custom/:providerId/policies';

/** Policies look at the people of all directories, so keys that are limited to some may not. */
export const POLICIES_ACCESS: Access = { scopes: ['admin'], limitedKeys: 'never' };
