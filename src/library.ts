/**
 * What `import … from 'grantgraph'` offers to connectors in TypeScript (docs/connectors.md: The
 * library).
 */
import type { IncrementOf, PayloadOf } from './templates/templates';
import type { EntityOf } from './templates/kind';
import type { accessCredentials } from './templates/application/access-credentials';
import type { localAgents } from './templates/application/local-agents';
import type { localModels } from './templates/application/local-models';
import type { localRoles } from './templates/application/local-roles';
import type { localGroups } from './templates/application/local-groups';
import type { localUsers } from './templates/application/local-users';
import type { employees } from './templates/hris/employees';
import type { hrisGroups } from './templates/hris/hris-groups';
import type { apps } from './templates/identity-provider/apps';
import type { groups } from './templates/identity-provider/groups';
import type { users } from './templates/identity-provider/users';

export type { Template } from './templates/templates';

/** Payloads of full pushes, by template. */
export type ApplicationPayload = PayloadOf['application'];
export type IdentityProviderPayload = PayloadOf['identity_provider'];
export type HrisPayload = PayloadOf['hris'];

/** Payloads of increments, by template. */
export type ApplicationIncrement = IncrementOf['application'];
export type IdentityProviderIncrement = IncrementOf['identity_provider'];
export type HrisIncrement = IncrementOf['hris'];

/** Entities of an application. */
export type LocalUser = EntityOf<typeof localUsers>;
export type LocalGroup = EntityOf<typeof localGroups>;
export type LocalRole = EntityOf<typeof localRoles>;
export type AccessCredential = EntityOf<typeof accessCredentials>;
export type LocalAgent = EntityOf<typeof localAgents>;
export type LocalModel = EntityOf<typeof localModels>;
export type { ApplicationEntity as Application } from './templates/application/payload';
export type { ResourceEntity as Resource } from './templates/application/resources';
export type { PermissionEntity as Permission } from './templates/application/permissions';
export type { IdentityToPermissions } from './templates/application/statements';

/** Entities of an identity provider. */
export type IdpUser = EntityOf<typeof users>;
export type IdpGroup = EntityOf<typeof groups>;
export type IdpApp = EntityOf<typeof apps>;

/** Entities of an HR system. */
export type Employee = EntityOf<typeof employees>;
export type HrisGroup = EntityOf<typeof hrisGroups>;

export { ApplicationBuilder, type Holder, type Scope } from './builder/application-builder';
export { HrisBuilder, IdentityProviderBuilder } from './builder/flat-builder';

export {
  type CsvCheck,
  type PayloadCheck,
  type PlacedProblem,
  validateCsv,
  validatePayload,
} from './client/validate-payload';
export type { CsvSystem } from './csv/payload';

export { Client, type ClientOptions, RefusedRequest, Unreachable } from './client/client';
export { planPayload, pushPayload, type PushOptions } from './client/push-payload';
export { findTarget, NotRegistered, type Target, type TargetNames } from './client/registered';
export type { Problem } from './problem';
export type { PlanAnswer } from './contract/answers/plan';
export type { PushAnswer } from './contract/answers/pushes';
