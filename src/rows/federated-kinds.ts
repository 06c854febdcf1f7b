import type { App, Domain, Group, User } from '../contract/identity-provider';
import { pointerOf } from '../contract/pointer';
import { IdpApp, IdpDomain, IdpGroup, IdpUser } from '../model/identity-provider-nodes';
import { nfc } from '../model/fold';
import { relationshipKind } from '../model/relationships';
import { CloudRole, ExternalEntity } from '../model/shared-nodes';
import type { NodeKind } from '../model/table';
import type { EntityKind } from './entity-kind';
import {
  assumedRoles,
  customProperties,
  externalEntities,
  type Field,
  flag,
  references,
  relating,
  tags,
  text,
  valued,
} from './field';
import type { Value } from './row';

const sourceIdentity: Field<Pick<User, 'source_identity'>> = valued(
  'source_identity',
  (draft, { source_identity: source }) => {
    draft.text('source_identity', source?.identity);
    draft.text('source_identity_provider_type', source?.provider_type);
  },
  'source_identity_provider_type',
);

const department: Field<Pick<User, 'department'>> = valued('department', (draft, entity) =>
  draft.set(
    'department',
    [entity.department ?? []]
      .flat()
      .filter((name) => name !== '')
      .map(nfc),
  ),
);

const memberships = references<User>('groups', IdpUser, 'MEMBER_OF', IdpGroup, ({ groups }) =>
  (groups ?? []).map(({ identity }, index) => ({
    reference: identity,
    step: `/${index}/identity`,
  })),
);

// Both shapes: `{identity: parent}`, and the specification's `{parent: "parent"}`.
const parents = references<Group>('groups', IdpGroup, 'MEMBER_OF', IdpGroup, ({ groups }) =>
  (groups ?? []).flatMap((parent, index) =>
    Object.hasOwn(parent, 'identity')
      ? [{ reference: String(parent.identity), step: `/${index}/identity` }]
      : Object.keys(parent).map((reference) => ({
          reference,
          step: pointerOf(index, reference),
        })),
  ),
);

const assignments = (from: NodeKind): Field<Pick<User, 'app_assignments'>> => {
  const kind = relationshipKind(from, 'ASSIGNED_TO', IdpApp);
  return relating('app_assignments', kind, (draft, entity, place, context) => {
    (entity.app_assignments ?? []).forEach((assignment, index) => {
      const app = context.resolve(
        IdpApp,
        '',
        assignment.app_id,
        () => `${place.pointer}/app_assignments/${index}/app_id`,
      );
      const properties: Record<string, Value> = {
        id: nfc(assignment.id),
        ...(assignment.name ? { name: nfc(assignment.name) } : {}),
        ...customProperties(
          assignment.custom_properties,
          context.definitions.typesOf({ kind: 'app_assignment' }),
        ),
      };
      for (const key of app?.keys ?? []) draft.relate(kind, key, properties);
    });
  });
};

/** Users (spec: User). */
export const users: EntityKind<User> = {
  list: 'users',
  node: IdpUser,
  definition: 'user',
  word: 'user',
  fields: [
    text('name'),
    text('email'),
    text('identity'),
    text('full_name'),
    department,
    flag('is_active'),
    flag('is_guest'),
    text('identity_type'),
    text('manager_id'),
    sourceIdentity,
    memberships,
    assumedRoles(IdpUser, CloudRole),
    externalEntities('entities_owned', IdpUser, 'OWNS', ExternalEntity),
    tags,
    assignments(IdpUser),
  ],
};

/** Groups (spec: Group). */
export const groups: EntityKind<Group> = {
  list: 'groups',
  node: IdpGroup,
  definition: 'group',
  word: 'group',
  fields: [
    text('name'),
    text('identity'),
    text('full_name'),
    flag('is_security_group'),
    sourceIdentity,
    parents,
    externalEntities('entities_owned', IdpGroup, 'OWNS', ExternalEntity),
    assumedRoles(IdpGroup, CloudRole),
    tags,
    assignments(IdpGroup),
  ],
};

/** Apps (spec: App). */
export const apps: EntityKind<App> = {
  list: 'apps',
  node: IdpApp,
  definition: 'app',
  word: 'app',
  fields: [text('id'), text('name'), text('description'), assumedRoles(IdpApp, CloudRole), tags],
};

/** The domain (spec: Domain). */
export const domains: EntityKind<Domain> = {
  list: 'domains',
  node: IdpDomain,
  definition: 'domain',
  word: 'domain',
  fields: [text('name'), tags],
};
