import type {
  App,
  Domain,
  Group,
  IdentityProviderPayload,
  User,
} from '../contract/identity-provider';
import type { Definitions, PropertyOwner } from '../check/definitions';
import { pointerOf } from '../contract/pointer';
import { Names } from '../check/names';
import { federatedId } from '../model/entity-id';
import { nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { IdpApp, IdpDomain, IdpGroup, IdpUser } from '../model/identity-provider-nodes';
import { DataSource } from '../model/service-nodes';
import { CloudRole, ExternalEntity } from '../model/shared-nodes';
import { relationshipKind } from '../model/relationships';
import type { NodeKind } from '../model/table';
import { RowContext } from './context';
import { Draft } from './draft';
import {
  assumedRoles,
  externalEntities,
  type Field,
  flag,
  type Place,
  prefixed,
  references,
  tags,
  text,
} from './field';
import { lookupsOf } from './lookups';
import type { Row, Value } from './row';
import type { Rows } from './rows';

const sourceIdentity: Field<Pick<User, 'source_identity'>> = {
  name: 'source_identity',
  write: (draft, { source_identity: source }) => {
    draft.text('source_identity', source?.identity);
    draft.text('source_identity_provider_type', source?.provider_type);
  },
};

const department: Field<Pick<User, 'department'>> = {
  name: 'department',
  write: (draft, entity) =>
    draft.set(
      'department',
      [entity.department ?? []]
        .flat()
        .filter((name) => name !== '')
        .map(nfc),
    ),
};

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

const assignments = (
  from: NodeKind,
  definitions: Definitions,
): Field<Pick<User, 'app_assignments'>> => {
  const kind = relationshipKind(from, 'ASSIGNED_TO', IdpApp);
  return {
    name: 'app_assignments',
    write: (draft, entity, place, context) => {
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
          ...prefixed('customprop_', assignment.custom_properties, (name) =>
            definitions.typeOf({ kind: 'app_assignment' }, name),
          ),
        };
        for (const key of app?.keys ?? []) draft.relate(kind, key, properties);
      });
    },
  };
};

const userFields: readonly Field<User>[] = [
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
];

const groupFields: readonly Field<Group>[] = [
  text('name'),
  text('identity'),
  text('full_name'),
  flag('is_security_group'),
  sourceIdentity,
  parents,
  externalEntities('entities_owned', IdpGroup, 'OWNS', ExternalEntity),
  assumedRoles(IdpGroup, CloudRole),
  tags,
];

const appFields: readonly Field<App>[] = [
  text('id'),
  text('name'),
  text('description'),
  assumedRoles(IdpApp, CloudRole),
  tags,
];

const domainFields: readonly Field<Domain>[] = [text('name'), tags];

const enter = (
  names: Names,
  kind: NodeKind,
  pointer: string,
  id: string,
  name: string,
  title: () => string,
): void => {
  names.add(kind.label, '', {
    id,
    name: nfc(name),
    pointer,
    steps: [[id], [], [nfc(name)]],
    keys: [keyOf(kind.label, id)],
    title,
  });
};

/** The entities that references of the payload may name. */
const namesOf = ({ groups, apps }: IdentityProviderPayload): Names => {
  const names = new Names();
  (groups ?? []).forEach((group, index) => {
    enter(
      names,
      IdpGroup,
      `/groups/${index}`,
      federatedId(group),
      group.name,
      () => `group ${JSON.stringify(group.name)}`,
    );
  });
  (apps ?? []).forEach((app, index) => {
    enter(
      names,
      IdpApp,
      `/apps/${index}`,
      nfc(app.id),
      app.name,
      () => `app ${JSON.stringify(app.id)}`,
    );
  });
  return names;
};

/** The rows of an identity provider payload (graph.md 2 and 3). */
export const identityProviderRows = (
  payload: IdentityProviderPayload,
  definitions: Definitions,
): Rows => {
  const context = new RowContext(namesOf(payload));
  const domains = payload.domains ?? [];
  const rows: Row[] = [];

  const add = <
    E extends {
      readonly custom_properties?: object | null;
      readonly dynamic_properties?: object | null;
    },
  >(
    kind: NodeKind,
    id: string,
    entity: E,
    fields: readonly Field<E>[],
    place: Place,
    definition: PropertyOwner,
    finish?: (draft: Draft) => void,
  ): void => {
    const draft = new Draft(kind, keyOf(kind.label, id));
    for (const field of fields) field.write(draft, entity, place, context);
    draft.text('domain', domains[0]?.name);
    draft.text('idp_type', payload.idp_type);
    finish?.(draft);
    Object.assign(
      draft.properties,
      prefixed('customprop_', entity.custom_properties, (name) =>
        definitions.typeOf(definition, name),
      ),
      prefixed('dynprop_', entity.dynamic_properties, () => undefined),
    );
    rows.push(draft.row(lookupsOf(kind, draft.properties)));
  };
  const placed = (list: string, index: number, word: string, name: string): Place => ({
    pointer: `/${list}/${index}`,
    title: () => `${word} ${JSON.stringify(name)}`,
    application: '',
  });

  const from = relationshipKind(IdpDomain, 'FROM', DataSource);
  domains.forEach((domain, index) => {
    const place = placed('domains', index, 'domain', domain.name);
    add(IdpDomain, nfc(domain.name), domain, domainFields, place, { kind: 'domain' }, (draft) => {
      draft.text('idp_description', payload.idp_description);
      draft.text('idp_name', payload.name);
      draft.relate(from, '');
    });
  });
  const userAssignments = assignments(IdpUser, definitions);
  const groupAssignments = assignments(IdpGroup, definitions);
  (payload.users ?? []).forEach((user, index) => {
    const place = placed('users', index, 'user', user.name);
    add(IdpUser, federatedId(user), user, [...userFields, userAssignments], place, {
      kind: 'user',
    });
  });
  (payload.groups ?? []).forEach((group, index) => {
    const place = placed('groups', index, 'group', group.name);
    add(IdpGroup, federatedId(group), group, [...groupFields, groupAssignments], place, {
      kind: 'group',
    });
  });
  (payload.apps ?? []).forEach((app, index) => {
    const place = placed('apps', index, 'app', app.name);
    add(IdpApp, nfc(app.id), app, appFields, place, { kind: 'app' });
  });

  return {
    rows,
    shared: context.shared,
    problems: context.problems.list(),
    mentions: context.mentions,
    remarks: context.remarks,
    types: {
      application_types: [],
      resource_types: [],
      idp_types: payload.idp_type ? [nfc(payload.idp_type)] : [],
    },
  };
};
