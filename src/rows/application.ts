import type { Definitions } from '../check/definitions';
import { Names, type Named } from '../check/names';
import type { ApplicationEntity, ApplicationPayload } from '../templates/application/payload';
import { nfc } from '../model/fold';
import { idOf, keyOf } from '../model/key';
import { Application, applications } from '../templates/application/applications';
import { localKinds } from '../templates/application/local-kinds';
import type { EntityKind } from '../templates/kind';
import { CUSTOM_PREFIX } from '../model/property-name';
import { DataSource } from '../model/service-nodes';
import { relationshipKind } from '../templates/graph/relationships';
import { type Subject, titleOf } from '../warning';
import { RowContext } from './row/context';
import { Draft } from './row/draft';
import { distinctFolded, putPrefixed } from './row/custom-values';
import type { AnyEntity } from './field-writer';
import { isEmptyRole } from './empty-role';
import { writersOf } from './kind-writers';
import { lookupsOf } from './row/lookups';
import { enterPermissions, permissionRows } from './permission';
import { enterResources, resourceRows } from './resource';
import type { Place } from './row/place';
import type { Row } from './row/row';
import type { Rows } from './row/rows';
import { statementRows } from './statement';

interface LocalCommon {
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
  readonly custom_properties?: object | null;
}

type Visit = (kind: EntityKind, entities: readonly (LocalCommon & AnyEntity)[]) => void;

/** Calls `visit` for each local kind with its entities in an application. */
const visitLocals = (application: ApplicationEntity, visit: Visit): void => {
  for (const kind of localKinds) visit(kind, application[kind.list] ?? []);
};

const subjectOf = (
  { word, node }: EntityKind,
  entity: LocalCommon,
  application: string,
): Subject => ({
  kind: word,
  name: entity.name || idOf(node, entity),
  application,
});

const placeOfLocal = (
  kind: EntityKind,
  entity: LocalCommon,
  at: number,
  { name }: ApplicationEntity,
  { pointer, application }: Place,
): Place => ({
  pointer: `${pointer}/${kind.list}/${at}`,
  subject: () => subjectOf(kind, entity, name),
  application,
});

const otherIds = (entity: LocalCommon): readonly string[] =>
  entity.unique_id && entity.id ? [nfc(entity.id)] : [];

/** The entities that references in the payload can name. */
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
    visitLocals(application, (kind, entities) => {
      const { list, node } = kind;
      entities.forEach((entity, at) => {
        const own = idOf(node, entity);
        const found: Named = {
          id: own,
          name: nfc(entity.name || own),
          pointer: `${pointer}/${list}/${at}`,
          steps: [[own], otherIds(entity), entity.name ? [nfc(entity.name)] : []],
          keys: [keyOf(node.label, id, own)],
          title: () => titleOf(subjectOf(kind, entity, application.name)),
        };
        names.add(node.label, id, found);
      });
    });
    enterResources(names, application, pointer);
  });
  return names;
};

const placeOfApplication = ({ name }: ApplicationEntity, pointer: string): Place => ({
  pointer,
  subject: () => ({ kind: applications.word, name }),
  application: nfc(name),
});

/** The rows of an application payload (docs/rules.md: Nodes, Relationships). */
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
    const place = placeOfApplication(application, pointer);
    for (const writer of writersOf(applications)) writer.write(draft, application, place, context);
    draft.relate(from, '');
    putPrefixed(
      draft.properties,
      CUSTOM_PREFIX,
      application.custom_properties,
      definitions.typesOf({ kind: 'application', application_type: type }),
    );
    finish(draft);

    visitLocals(application, (kind, entities) => {
      const { node, definition } = kind;
      const writers = writersOf(kind);
      const types = definitions.typesOf({ kind: definition ?? '', application_type: type });
      entities.forEach((entity, at) => {
        const local = new Draft(node, keyOf(node.label, id, idOf(node, entity)));
        const where = placeOfLocal(kind, entity, at, application, place);
        for (const writer of writers) writer.write(local, entity, where, context);
        if (isEmptyRole(local)) context.remarkEmptyRole(where);
        putPrefixed(local.properties, CUSTOM_PREFIX, entity.custom_properties, types);
        finish(local);
      });
    });
    resourceRows({ application, place, definitions, context, finish });
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
