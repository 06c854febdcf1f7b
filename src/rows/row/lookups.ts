import { fold } from '../../model/fold';
import { addFoldedTexts } from '../../model/folded-texts';
import type { NodeKind } from '../../model/table';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import type { PropertyValues, Row } from './row';

type Lookups = Record<string, string | readonly string[]>;

const textOf = (properties: PropertyValues, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

// No reference and no id of an entity is longer than this. Neo4j cannot index values above 8 kB, so
// longer values get no look-up.
const LONGEST = 2_048;

const put = (lookups: Lookups, name: string, value: string | null): void => {
  if (value === null || value.length > LONGEST) return;
  lookups[name] = fold(value);
};

// A text that names a path has at most 256 bytes, and folding makes it at most three times as long.
// So nothing ever looks up a longer path. Neo4j could not index values above 8 kB anyway.
const LONGEST_PATH = 768;

const putPath = (lookups: Lookups, name: string, path: string | null): void => {
  if (path === null || path.length > LONGEST_PATH) return;
  const folded = fold(path);
  if (Buffer.byteLength(folded) <= LONGEST_PATH) lookups[name] = folded;
};

const resource = (properties: PropertyValues, lookups: Lookups, idPath: string | null): void => {
  const name = textOf(properties, 'name');
  put(lookups, 'fold_id', textOf(properties, 'id') ?? name);
  put(lookups, 'fold_name', name);
  putPath(lookups, 'fold_path', textOf(properties, 'path'));
  putPath(lookups, 'fold_id_path', idPath);
  if (lookups.fold_id_path === lookups.fold_path) delete lookups.fold_id_path;
  put(lookups, 'fold_resource_type', textOf(properties, 'resource_type'));
  put(lookups, 'fold_application_type', textOf(properties, 'application_type'));
};

const permission = (properties: PropertyValues, lookups: Lookups): void => {
  put(lookups, 'fold_name', textOf(properties, 'name'));
  put(lookups, 'fold_resource_type', textOf(properties, 'resource_type'));
  const types = properties.application_types;
  if (Array.isArray(types))
    lookups.fold_application_types = types.map((type: string) => fold(type));
};

/**
 * The `fold_…` properties of a row (docs/rules.md: Folding). `idPath` is a resource's path with ids
 * in place of names.
 */
export const lookupsOf = (
  kind: NodeKind,
  properties: PropertyValues,
  idPath: string | null = null,
): Row['lookups'] => {
  const lookups: Lookups = {};
  if (kind === Resource) resource(properties, lookups, idPath);
  else if (kind === Permission) permission(properties, lookups);
  else {
    const read = (name: string): string | null => textOf(properties, name);
    for (const name in kind.lookups) put(lookups, name, kind.lookups[name]?.of?.(read) ?? null);
  }
  addFoldedTexts(kind, properties, lookups);
  return lookups;
};
