import { accessCredentials } from './access-credentials';
import { localAgents } from './local-agents';
import { localGroups } from './local-groups';
import { localModels } from './local-models';
import { localRoles } from './local-roles';
import { localUsers } from './local-users';

/** Every kind that stands in an application's lists, in the order of a payload's fields. */
export const localKinds = [
  localUsers,
  localGroups,
  localRoles,
  accessCredentials,
  localAgents,
  localModels,
] as const;
