import type { KnownInApplication, KnownParts } from './application-parts';
import type { Entity } from './entity';
import type { Value } from './graph';
import { allGiven } from './reference';

/** The entities of a data source by key, as they stand. */
type Entities = ReadonlyMap<string, Entity>;

/** An entity that stands, with all texts that name it (docs/rules.md: Keys). */
export function knownOf(entity: Entity, all: Entities): KnownInApplication {
  const { kind, key, id, application, values } = entity;
  const own = {
    kind,
    key,
    id,
    application: application ?? '',
    applicationType: applicationType(application, all),
  };
  const text = (name: string): readonly string[] => allGiven(textOf(values[name]));
  const plain = { ids: [id], otherIds: [], paths: [], names: text('name') };
  if (kind === 'Resource') {
    return { ...own, ...plain, ids: text('id'), paths: pathsOf(entity, all) };
  }
  return { ...own, ...plain, otherIds: [...text('unique_id'), ...text('id')] };
}

/** All entities of an application data source, as statements look for them. */
export function knownParts(all: Entities): KnownParts {
  const known = [...all.values()].map((entity) => knownOf(entity, all));
  return {
    applications: known.filter(({ kind }) => kind === 'Application'),
    permissions: known.filter(({ kind }) => kind === 'Permission'),
    resources: known.filter(({ kind }) => kind === 'Resource'),
    locals: known.filter(
      ({ kind }) => kind !== 'Application' && kind !== 'Permission' && kind !== 'Resource',
    ),
  };
}

/** The type of the application of an id as it stands. */
export function applicationType(id: string | null, all: Entities): string {
  const of = [...all.values()].find((one) => one.kind === 'Application' && one.id === id);
  return textOf(of?.values.application_type) ?? '';
}

/** A resource's path by names, and with the id of each step that has one (docs/rules.md: References). */
function pathsOf(resource: Entity, all: Entities): readonly [string, string] {
  const name = textOf(resource.values.name) ?? '';
  const id = textOf(resource.values.id) ?? name;
  const parent = resource.parent === null ? undefined : all.get(resource.parent);
  if (parent === undefined) return [name, id];
  const [names, ids] = pathsOf(parent, all);
  return [`${names}.${name}`, `${ids}.${id}`];
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
