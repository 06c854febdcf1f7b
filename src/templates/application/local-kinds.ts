import { accessCredentials } from './access-credentials';
import { localAgents } from './local-agents';
import { localGroups } from './local-groups';
import { localModels } from './local-models';
import { localRoles } from './local-roles';
import { localUsers } from './local-users';

/** The kinds in the lists of an application, in the order of a payload's fields. */
export const localKinds = [
  localUsers,
  localGroups,
  localRoles,
  accessCredentials,
  localAgents,
  localModels,
] as const;
