import type { Definitions } from '../check/definitions';
import { Names, type Named } from '../check/names';
import type {
  AccessCredential as AccessCredentialEntity,
  Application as ApplicationEntity,
  ApplicationPayload,
  LocalAgent as LocalAgentEntity,
  LocalGroup as LocalGroupEntity,
  LocalModel as LocalModelEntity,
  LocalRole as LocalRoleEntity,
  LocalUser as LocalUserEntity,
} from '../contract/application';
import { localId } from '../model/entity-id';
import { nfc } from '../model/fold';
import { keyOf } from '../model/key';
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
import { DataSource } from '../model/service-nodes';
import { Identity } from '../model/shared-nodes';
import { relationshipKind } from '../model/relationships';
import type { NodeKind } from '../model/table';
import { RowContext } from './context';
import { Draft } from './draft';
import {
  type Field,
  distinctFolded,
  flag,
  identities,
  owners,
  type Place,
  prefixed,
  referenceList,
  tags,
  text,
  time,
} from './field';
import { lookupsOf } from './lookups';
import { enterPermissions, permissionRows } from './permission';
import { enterResources, resourceRows } from './resource';
import type { Row } from './row';
import type { Rows } from './rows';
import { statementRows } from './statement';

/** A kind of entity that stands in one list of an application. */
interface LocalKind<E> {
  readonly list: keyof ApplicationEntity;
  readonly node: NodeKind;
  /** How definitions of custom properties and messages call it. */
  readonly definition: LocalDefinition;
  readonly word: string;
  readonly fields: readonly Field<E>[];
}

type LocalDefinition =
  | 'local_user'
  | 'local_group'
  | 'local_role'
  | 'local_access_creds'
  | 'local_agent'
  | 'local_model';

const named = [text('name'), text('id'), text('unique_id')] as const;

const localUsers: LocalKind<LocalUserEntity> = {
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

const localGroups: LocalKind<LocalGroupEntity> = {
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

const remarkEmptyRole: Field<LocalRoleEntity> = {
  name: 'permissions',
  write: (_draft, { permissions, roles }, place, context) => {
    if ((permissions ?? []).length + (roles ?? []).length > 0) return;
    context.remarks.push({
      pointer: place.pointer,
      message: `Role is missing permission (${place.title()})`,
    });
  },
};

const localRoles: LocalKind<LocalRoleEntity> = {
  list: 'local_roles',
  node: LocalRole,
  definition: 'local_role',
  word: 'local role',
  fields: [
    ...named,
    referenceList('permissions', LocalRole, 'ALLOWS', Permission),
    referenceList('roles', LocalRole, 'INCLUDES', LocalRole),
    remarkEmptyRole,
    owners(LocalRole, Identity),
    tags,
  ],
};

const localAgents: LocalKind<LocalAgentEntity> = {
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

const localModels: LocalKind<LocalModelEntity> = {
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

const accessCredentials: LocalKind<AccessCredentialEntity> = {
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

const applicationFields: readonly Field<ApplicationEntity>[] = [
  text('name'),
  text('description'),
  owners(Application, Identity),
  tags,
];

interface LocalCommon {
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
  readonly custom_properties?: object | null;
}

type Visit = <E extends LocalCommon>(kind: LocalKind<E>, entities: readonly E[]) => void;

/** Each local kind of an application with its entities. */
const visitLocals = (application: ApplicationEntity, visit: Visit): void => {
  visit(localUsers, application.local_users ?? []);
  visit(localGroups, application.local_groups ?? []);
  visit(localRoles, application.local_roles ?? []);
  visit(localAgents, application.local_agents ?? []);
  visit(localModels, application.local_models ?? []);
  visit(accessCredentials, application.local_access_creds ?? []);
};

// A function: few entities are ever named in a message.
const titleOf = (word: string, entity: LocalCommon, application: string) => (): string =>
  `${word} ${JSON.stringify(entity.name || localId(entity))} of application ${JSON.stringify(application)}`;

const otherIds = (entity: LocalCommon): readonly string[] =>
  entity.unique_id && entity.id ? [nfc(entity.id)] : [];

/** The entities that references of the payload may name. */
const namesOf = (payload: ApplicationPayload): Names => {
  const names = new Names();
  enterPermissions(names, payload.permissions ?? []);
  (payload.applications ?? []).forEach((application, index) => {
    const pointer = `/applications/${index}`;
    const id = nfc(application.name);
    names.add(Application.label, '', {
      id,
      name: id,
      pointer,
      steps: [[id]],
      keys: [keyOf(Application.label, id)],
      title: () => `application ${JSON.stringify(application.name)}`,
    });
    visitLocals(application, ({ list, node, word }, entities) => {
      entities.forEach((entity, at) => {
        const own = localId(entity);
        const found: Named = {
          id: own,
          name: nfc(entity.name || own),
          pointer: `${pointer}/${list}/${at}`,
          steps: [[own], otherIds(entity), entity.name ? [nfc(entity.name)] : []],
          keys: [keyOf(node.label, id, own)],
          title: titleOf(word, entity, application.name),
        };
        names.add(node.label, id, found);
      });
    });
    enterResources(names, application, pointer);
  });
  return names;
};

/** The rows of an application payload (graph.md 2 and 3). */
export const applicationRows = (payload: ApplicationPayload, definitions: Definitions): Rows => {
  const context = new RowContext(namesOf(payload));
  const from = relationshipKind(Application, 'FROM', DataSource);
  const rows: Row[] = [];

  (payload.applications ?? []).forEach((application, index) => {
    const id = nfc(application.name);
    const type = application.application_type;
    const pointer = `/applications/${index}`;
    const finish = (draft: Draft, idPath: string | null = null): void => {
      draft.text('application', application.name);
      draft.text('application_type', type);
      rows.push(draft.row(lookupsOf(draft.kind, draft.properties, idPath)));
    };

    const draft = new Draft(Application, keyOf(Application.label, id));
    const place: Place = {
      pointer,
      title: () => `application ${JSON.stringify(application.name)}`,
      application: id,
    };
    for (const field of applicationFields) field.write(draft, application, place, context);
    draft.relate(from, '');
    Object.assign(
      draft.properties,
      prefixed('customprop_', application.custom_properties, (name) =>
        definitions.typeOf({ kind: 'application', application_type: type }, name),
      ),
    );
    finish(draft);

    visitLocals(application, ({ list, node, definition, word, fields }, entities) => {
      entities.forEach((entity, at) => {
        const local = new Draft(node, keyOf(node.label, id, localId(entity)));
        const where: Place = {
          pointer: `${pointer}/${list}/${at}`,
          title: titleOf(word, entity, application.name),
          application: id,
        };
        for (const field of fields) field.write(local, entity, where, context);
        Object.assign(
          local.properties,
          prefixed('customprop_', entity.custom_properties, (name) =>
            definitions.typeOf({ kind: definition, application_type: type }, name),
          ),
        );
        finish(local);
      });
    });
    resourceRows({ application, id, pointer, definitions, context, finish });
  });

  rows.push(...permissionRows(payload.permissions ?? []));
  rows.push(...statementRows(payload, definitions, context));

  return {
    rows,
    shared: context.shared,
    problems: context.problems.list(),
    mentions: context.mentions,
    remarks: context.remarks,
    types: {
      application_types: distinctFolded(
        (payload.applications ?? []).map(({ application_type }) => application_type),
      ),
      resource_types: distinctFolded(
        rows.flatMap(({ properties: { resource_type } }) =>
          typeof resource_type === 'string' ? [resource_type] : [],
        ),
      ),
      idp_types: [],
    },
  };
};
