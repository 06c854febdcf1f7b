import type { Definitions } from '../check/definitions';
import { Names, type Named } from '../check/names';
import type { Application as ApplicationEntity, ApplicationPayload } from '../contract/application';
import { localId } from '../model/entity-id';
import { nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { Application } from '../model/application-nodes';
import { DataSource } from '../model/service-nodes';
import { relationshipKind } from '../model/relationships';
import { RowContext } from './context';
import { Draft } from './draft';
import type { EntityKind } from './entity-kind';
import { distinctFolded, type Place, prefixed } from './field';
import {
  accessCredentials,
  applications,
  isEmptyRole,
  localAgents,
  localGroups,
  localModels,
  localRoles,
  localUsers,
} from './local-kinds';
import { lookupsOf } from './lookups';
import { enterPermissions, permissionRows } from './permission';
import { enterResources, resourceRows } from './resource';
import type { Row } from './row';
import type { Rows } from './rows';
import { statementRows } from './statement';

interface LocalCommon {
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
  readonly custom_properties?: object | null;
}

type Visit = <E extends LocalCommon>(kind: EntityKind<E>, entities: readonly E[]) => void;

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
  const context = new RowContext(namesOf(payload), definitions);
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
    for (const field of applications.fields) field.write(draft, application, place, context);
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
        if (isEmptyRole(local)) context.remarkEmptyRole(where);
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
