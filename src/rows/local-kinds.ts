import type {
  AccessCredential as AccessCredentialEntity,
  Application as ApplicationEntity,
  LocalAgent as LocalAgentEntity,
  LocalGroup as LocalGroupEntity,
  LocalModel as LocalModelEntity,
  LocalRole as LocalRoleEntity,
  LocalUser as LocalUserEntity,
} from '../contract/application';
import {
  AccessCredential,
  Application,
  LocalAgent,
  LocalGroup,
  LocalModel,
  LocalRole,
  LocalUser,
  Permission,
} from '../model/application-nodes';
import { Identity } from '../model/shared-nodes';
import type { Draft } from './draft';
import type { EntityKind } from './entity-kind';
import { flag, identities, owners, referenceList, tags, text, time } from './field';

const named = [text('name'), text('id'), text('unique_id')] as const;

/** Accounts (spec: Local user). */
export const localUsers: EntityKind<LocalUserEntity> = {
  list: 'local_users',
  node: LocalUser,
  definition: 'local_user',
  word: 'local user',
  fields: [
    ...named,
    text('email'),
    text('user_type'),
    flag('is_active'),
    time('created_at'),
    time('last_login_at'),
    time('password_last_changed_at'),
    time('deactivated_at'),
    identities(LocalUser, Identity),
    referenceList('groups', LocalUser, 'MEMBER_OF', LocalGroup),
    referenceList('access_creds', LocalUser, 'HAS_CREDENTIAL', AccessCredential),
    owners(LocalUser, Identity),
    tags,
  ],
};

/** Groups (spec: Local group). */
export const localGroups: EntityKind<LocalGroupEntity> = {
  list: 'local_groups',
  node: LocalGroup,
  definition: 'local_group',
  word: 'local group',
  fields: [
    ...named,
    time('created_at'),
    identities(LocalGroup, Identity),
    referenceList('groups', LocalGroup, 'MEMBER_OF', LocalGroup),
    owners(LocalGroup, Identity),
    tags,
  ],
};

/** Roles (spec: Local role). */
export const localRoles: EntityKind<LocalRoleEntity> = {
  list: 'local_roles',
  node: LocalRole,
  definition: 'local_role',
  word: 'local role',
  fields: [
    ...named,
    referenceList('permissions', LocalRole, 'ALLOWS', Permission),
    referenceList('roles', LocalRole, 'INCLUDES', LocalRole),
    owners(LocalRole, Identity),
    tags,
  ],
};

/** AI agents (api.md 4). */
export const localAgents: EntityKind<LocalAgentEntity> = {
  list: 'local_agents',
  node: LocalAgent,
  definition: 'local_agent',
  word: 'agent',
  fields: [
    ...named,
    text('ai_platform'),
    text('ai_agent_publisher'),
    flag('is_active'),
    time('created_at'),
    referenceList('groups', LocalAgent, 'MEMBER_OF', LocalGroup),
    referenceList('access_creds', LocalAgent, 'HAS_CREDENTIAL', AccessCredential),
    referenceList('models', LocalAgent, 'USES_MODEL', LocalModel),
    owners(LocalAgent, Identity),
    tags,
  ],
};

/** Models that agents use (api.md 4). */
export const localModels: EntityKind<LocalModelEntity> = {
  list: 'local_models',
  node: LocalModel,
  definition: 'local_model',
  word: 'model',
  fields: [
    ...named,
    text('ai_platform'),
    text('ai_model_publisher'),
    text('ai_model_family'),
    text('ai_model_series'),
    time('created_at'),
    owners(LocalModel, Identity),
    tags,
  ],
};

/** Keys, tokens and the like (api.md 4). */
export const accessCredentials: EntityKind<AccessCredentialEntity> = {
  list: 'local_access_creds',
  node: AccessCredential,
  definition: 'local_access_creds',
  word: 'access credential',
  fields: [
    ...named,
    flag('is_active'),
    flag('can_expire'),
    time('created_at'),
    time('expires_at'),
    time('last_used_at'),
    owners(AccessCredential, Identity),
    tags,
  ],
};

/** Every kind that stands in an application's lists. */
export const localKinds = [
  localUsers,
  localGroups,
  localRoles,
  accessCredentials,
  localAgents,
  localModels,
] as const;

/** Applications themselves (spec: Application). */
export const applications: EntityKind<ApplicationEntity> = {
  list: 'applications',
  node: Application,
  definition: 'application',
  word: 'application',
  fields: [text('name'), text('description'), owners(Application, Identity), tags],
};

/** Whether a role of a good payload, in which each name means something, allows nothing and includes no role. */
export const isListedEmpty = ({
  permissions,
  roles,
}: Pick<LocalRoleEntity, 'permissions' | 'roles'>): boolean =>
  !permissions?.length && !roles?.length;

/** Whether a draft is of a role that allows nothing and includes no role, about which a push warns (graph.md 8). */
export const isEmptyRole = ({ kind, stated }: Draft): boolean =>
  kind === LocalRole &&
  !stated.some(({ kind: { type } }) => type === 'ALLOWS' || type === 'INCLUDES');
