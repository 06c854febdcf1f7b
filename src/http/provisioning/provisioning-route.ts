import * as E from 'fp-ts/Either';

import type { Provider } from '../../contract/answers/registry';
import type { Failure } from '../../problem';
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

/** Refuses to change the application of a provider that is being deleted. */
export const notLeaving = ({ state }: Provider): E.Either<Failure, void> =>
  state === 'DELETING'
    ? E.left({ _tag: 'Conflict', message: 'The provider is being deleted.' })
    : E.right(undefined);
