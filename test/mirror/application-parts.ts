import { keyBelow, keyOf, keyOfTyped } from './key';
import type { Application, ApplicationPayload, LocalEntity, Permission, Resource } from './payload';
import { below } from './pointer';
import { allGiven, firstGiven, type Known, type Referable } from './reference';
import { fold, given, listed, nfc } from './text';

/** Something of an application payload that references may lead to. */
export interface KnownInApplication extends Known {
  /** The id of its application; `""` for a permission. */
  readonly application: string;
  readonly applicationType: string;
}

/** All that statements may lead to. */
export interface KnownParts {
  readonly applications: readonly KnownInApplication[];
  readonly locals: readonly KnownInApplication[];
  readonly resources: readonly KnownInApplication[];
  readonly permissions: readonly KnownInApplication[];
}

/** An entity of an application payload before its references are bound. */
export interface Part<T> extends KnownInApplication {
  readonly pointer: string;
  readonly sent: T;
}

/** A resource with what contains it. */
export interface ResourcePart extends Part<Resource> {
  readonly parent: string | null;
}

/** Every entity of an application payload, in payload order. */
export interface Parts {
  readonly applications: readonly Part<Application>[];
  readonly locals: readonly Part<LocalEntity>[];
  readonly resources: readonly ResourcePart[];
  readonly permissions: readonly Part<Permission>[];
}

/** The lists of an application that hold its local entities (spec, docs/rules.md: Application payloads). */
export const localLists = [
  ['local_users', 'LocalUser'],
  ['local_groups', 'LocalGroup'],
  ['local_roles', 'LocalRole'],
  ['local_agents', 'LocalAgent'],
  ['local_models', 'LocalModel'],
  ['local_access_creds', 'AccessCredential'],
] as const;

/** Finds the entities of a payload, with their keys and all texts that name them (docs/rules.md: Keys). */
export function partsOf(payload: ApplicationPayload, dataSource: string): Parts {
  const applications = listed(payload.applications).map((sent, at): Part<Application> => {
    const id = nfc(sent.name ?? '');
    return {
      kind: 'Application',
      id,
      application: id,
      sent,
      applicationType: nfc(sent.application_type),
      key: keyOf(dataSource, 'Application', id),
      pointer: below('/applications', at),
      ...namedBy([id]),
    };
  });
  const permissions = listed(payload.permissions).map((sent, at): Part<Permission> => {
    const id = nfc(sent.name ?? '');
    return {
      kind: 'Permission',
      id,
      application: '',
      applicationType: '',
      sent,
      key: keyOf(dataSource, 'Permission', id),
      pointer: below('/permissions', at),
      ...namedBy([id]),
    };
  });
  return {
    applications,
    permissions,
    locals: applications.flatMap((application) => localsOf(application, dataSource)),
    resources: applications.flatMap((application) => {
      const pointer = below(application.pointer, 'resources');
      return resourcesOf(application.sent.resources, null, pointer, application, dataSource);
    }),
  };
}

function localsOf(of: Part<Application>, dataSource: string): readonly Part<LocalEntity>[] {
  return localLists.flatMap(([field, kind]) =>
    listed(of.sent[field]).map((sent, at) => {
      const id = firstGiven(sent.unique_id, sent.id, sent.name);
      return {
        kind,
        id,
        application: of.id,
        applicationType: of.applicationType,
        sent,
        key: keyOf(dataSource, kind, of.id, id),
        pointer: below(of.pointer, field, at),
        ...namedBy([id], allGiven(sent.unique_id, sent.id), [], allGiven(sent.name)),
      };
    }),
  );
}

/** Resources and sub-resources; a resource's id is its `id`, else its parent's and its name (docs/rules.md: Keys). */
function resourcesOf(
  list: readonly Resource[] | null | undefined,
  parent: ResourcePart | null,
  pointer: string,
  of: Part<Application>,
  dataSource: string,
): readonly ResourcePart[] {
  return listed(list).flatMap((sent, at) => {
    const id = given(sent.id);
    const name = nfc(sent.name ?? '');
    const type = fold(sent.resource_type);
    const key =
      id !== null
        ? keyOfTyped(dataSource, of.id, type, id)
        : parent === null
          ? keyOf(dataSource, 'Resource', of.id, `/${type}`, name)
          : keyBelow(dataSource, parent.key, `/${type}`, name);
    const [parentPath, parentIdPath] = parent?.paths ?? [];
    const paths = [
      parentPath === undefined ? name : `${parentPath}.${name}`,
      parentIdPath === undefined ? (id ?? name) : `${parentIdPath}.${id ?? name}`,
    ];
    const resource: ResourcePart = {
      kind: 'Resource',
      id: id ?? name,
      key,
      parent: parent?.key ?? null,
      sent,
      application: of.id,
      applicationType: of.applicationType,
      pointer: below(pointer, at),
      ...namedBy(id === null ? [] : [id], [], paths, [name]),
    };
    const inside = below(resource.pointer, 'sub_resources');
    return [resource, ...resourcesOf(sent.sub_resources, resource, inside, of, dataSource)];
  });
}

function namedBy(
  ids: readonly string[],
  otherIds: readonly string[] = [],
  paths: readonly string[] = [],
  names: readonly string[] = [],
): Omit<Referable, 'key'> {
  return { ids, otherIds, paths, names };
}
