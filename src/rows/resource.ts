import type { Definitions } from '../check/definitions';
import type { Names } from '../check/names';
import type { ApplicationEntity } from '../templates/application/payload';
import type { ResourceEntity } from '../templates/application/resources';
import { fold, nfc } from '../model/fold';
import { keyBelow, keyOf, keyOfTyped } from '../model/key';
import { Application } from '../templates/application/applications';
import { Resource, resources } from '../templates/application/resources';
import { CUSTOM_PREFIX } from '../model/property-name';
import { relationshipKind } from '../templates/graph/relationships';
import type { RowContext } from './row/context';
import { Draft } from './row/draft';
import { putPrefixed } from './row/custom-values';
import { writersOf } from './kind-writers';
import type { Place } from './row/place';

/** A resource with its place in the tree. */
interface PlacedResource {
  readonly resource: ResourceEntity;
  readonly pointer: string;
  readonly key: string;
  readonly parent: PlacedResource | null;
  /** The names from the top of the application down, joined by dots. */
  readonly path: string;
  /** The same path with the id of each step that has one. */
  readonly idPath: string;
}

/**
 * The local key of a resource. `parent` is the key of the resource that contains it, or `null` at
 * the top of the application (docs/rules.md: Keys).
 */
export const resourceKey = (
  application: string,
  resource: Pick<ResourceEntity, 'id' | 'name' | 'resource_type'>,
  parent: string | null,
): string => {
  const type = fold(resource.resource_type);
  if (resource.id) return keyOfTyped(Resource.label, application, type, nfc(resource.id));
  return parent === null
    ? keyOf(Resource.label, application, `/${type}`, nfc(resource.name))
    : keyBelow(parent, `/${type}`, nfc(resource.name));
};

/** Every resource of an application, parents before what they contain, in payload order. */
function* placedResources(
  { resources }: ApplicationEntity,
  { application, pointer }: Pick<Place, 'application' | 'pointer'>,
): Generator<PlacedResource> {
  // The loop has its own stack, because a payload may nest deeper than function calls can.
  const open: {
    list: readonly ResourceEntity[];
    next: number;
    pointer: string;
    parent: PlacedResource | null;
  }[] = [{ list: resources ?? [], next: 0, pointer: `${pointer}/resources`, parent: null }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const resource = level.list[level.next];
    if (resource === undefined) {
      open.pop();
      continue;
    }
    const { parent } = level;
    const name = nfc(resource.name);
    const step = resource.id ? nfc(resource.id) : name;
    const placed: PlacedResource = {
      resource,
      pointer: `${level.pointer}/${level.next}`,
      key: resourceKey(application, resource, parent?.key ?? null),
      parent,
      path: parent === null ? name : `${parent.path}.${name}`,
      idPath: parent === null ? step : `${parent.idPath}.${step}`,
    };
    level.next += 1;
    yield placed;
    const below = resource.sub_resources ?? [];
    if (below.length > 0) {
      open.push({
        list: below,
        next: 0,
        pointer: `${placed.pointer}/sub_resources`,
        parent: placed,
      });
    }
  }
}

/**
 * Adds the resources that references can name: by id, then by the two spellings of the path, then
 * by name (docs/rules.md: References).
 */
export const enterResources = (
  names: Names,
  application: ApplicationEntity,
  pointer: string,
): void => {
  const id = nfc(application.name);
  for (const placed of placedResources(application, { application: id, pointer })) {
    const { resource, key, path, idPath } = placed;
    const name = nfc(resource.name);
    names.add(Resource.label, id, {
      id: resource.id ? nfc(resource.id) : key,
      name,
      pointer: placed.pointer,
      steps: [
        resource.id ? [nfc(resource.id)] : [],
        path === idPath ? [path] : [path, idPath],
        [name],
      ],
      keys: [key],
      title: () =>
        `resource ${JSON.stringify(path)}${resource.id ? ` (id ${JSON.stringify(resource.id)})` : ''}`,
    });
  }
};

const containedInApplication = relationshipKind(Application, 'CONTAINS', Resource);
const containedInResource = relationshipKind(Resource, 'CONTAINS', Resource);

/** States what contains a resource: another resource, or its application. */
export const place = (draft: Draft, application: string, parent: string | null): void => {
  if (parent === null) draft.relate(containedInApplication, keyOf(Application.label, application));
  else draft.relate(containedInResource, parent);
};

/** The place of a resource in the payload, for messages. */
const placeOfResource = (
  { resource, pointer }: PlacedResource,
  { name }: ApplicationEntity,
  { application }: Place,
): Place => ({
  pointer,
  subject: () => ({ kind: resources.word, name: resource.name, application: name }),
  application,
});

interface ResourceWords {
  readonly application: ApplicationEntity;
  /** The place of the application in the payload. */
  readonly place: Place;
  readonly definitions: Definitions;
  readonly context: RowContext;
  readonly finish: (draft: Draft, idPath: string) => void;
}

/** Makes the rows of an application's resources at any depth. */
export const resourceRows = ({
  application,
  place: holder,
  definitions,
  context,
  finish,
}: ResourceWords): void => {
  for (const placed of placedResources(application, holder)) {
    const { resource, key, parent, path, idPath } = placed;
    const draft = new Draft(Resource, key);
    const where = placeOfResource(placed, application, holder);
    for (const field of writersOf(resources)) field.write(draft, resource, where, context);
    draft.text('path', path);
    place(draft, holder.application, parent?.key ?? null);
    putPrefixed(
      draft.properties,
      CUSTOM_PREFIX,
      resource.custom_properties,
      definitions.typesOf({
        kind: 'resource',
        application_type: application.application_type,
        resource_type: resource.resource_type,
      }),
    );
    finish(draft, idPath);
  }
};
