import { addMembers, deprovision, provision, removeMembers, update } from './act';
import { findConnection, removeConnection, setConnection } from './connections';
import type { ProvisioningDependencies } from './dependencies';
import { testConnection } from './test-connection';

/** What the service does in the applications of providers (docs/provisioning.md). */
export const provisioning = (dependencies: ProvisioningDependencies) => ({
  setConnection: setConnection(dependencies),
  findConnection: findConnection(dependencies),
  removeConnection: removeConnection(dependencies),
  testConnection: testConnection(dependencies),
  provision: provision(dependencies),
  update: update(dependencies),
  deprovision: deprovision(dependencies),
  addMembers: addMembers(dependencies),
  removeMembers: removeMembers(dependencies),
});
export type Provisioning = ReturnType<typeof provisioning>;
