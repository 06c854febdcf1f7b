import { fold } from '../model/fold';
import {
  Permission,
  Resource,
  Application,
  Grant,
  RoleAssignment,
} from '../model/application-nodes';
import { IdpDomain, IdpApp, IdpGroup, IdpUser } from '../model/identity-provider-nodes';
import type { NodeKind } from '../model/table';
import type { PropertyValues, Row } from './row';

type Lookups = Record<string, string | readonly string[]>;

/** A provider type as `source_identity` compares it: folded, without `_`, `-` and spaces (graph.md 5). */
const foldProviderType = (type: string): string => fold(type).replace(/[_\- ]/g, '');

const textOf = (properties: PropertyValues, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

// No reference and no entity's id is longer, and an index holds no more than 8 kB: nobody can look for what is.
const LONGEST = 2_048;

const put = (lookups: Lookups, name: string, value: string | null): void => {
  if (value === null || value.length > LONGEST) return;
  lookups[name] = fold(value);
};

const federated = (properties: PropertyValues, lookups: Lookups): void => {
  const name = textOf(properties, 'name');
  put(lookups, 'fold_id', textOf(properties, 'identity') ?? name);
  put(lookups, 'fold_name', name);
  put(lookups, 'fold_source_identity', textOf(properties, 'source_identity'));
  const wanted = foldProviderType(textOf(properties, 'source_identity_provider_type') ?? 'any');
  if (wanted !== 'any' && wanted !== 'custom') lookups.fold_source_type = wanted;
  const type = textOf(properties, 'idp_type');
  if (type !== null) lookups.fold_idp_type = foldProviderType(type);
};

const local = (properties: PropertyValues, lookups: Lookups): void => {
  const [unique, id, name] = ['unique_id', 'id', 'name'].map((field) => textOf(properties, field));
  put(lookups, 'fold_id', unique ?? id ?? name ?? null);
  if (unique !== null) put(lookups, 'fold_other_id', id ?? null);
  put(lookups, 'fold_name', name ?? null);
};

// An indexed value may not exceed 8 kB (graph.md 4). No text that names a path is longer than 256 bytes, which folding
// makes at most three times as long, so that longer paths are never looked up.
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
};

const permission = (properties: PropertyValues, lookups: Lookups): void => {
  put(lookups, 'fold_name', textOf(properties, 'name'));
  put(lookups, 'fold_resource_type', textOf(properties, 'resource_type'));
  const types = properties.application_types;
  if (Array.isArray(types))
    lookups.fold_application_types = types.map((type: string) => fold(type));
};

/** The `fold_…` properties of a row, which follow from what it says; `idPath` is a resource's path in ids. */
export const lookupsOf = (
  kind: NodeKind,
  properties: PropertyValues,
  idPath: string | null = null,
): Row['lookups'] => {
  const lookups: Lookups = {};
  put(lookups, 'fold_application_type', textOf(properties, 'application_type'));
  switch (kind) {
    case IdpUser:
      federated(properties, lookups);
      put(lookups, 'fold_email', textOf(properties, 'email'));
      put(lookups, 'fold_manager_id', textOf(properties, 'manager_id'));
      return lookups;
    case IdpGroup:
      federated(properties, lookups);
      return lookups;
    case IdpApp:
      put(lookups, 'fold_id', textOf(properties, 'id'));
      put(lookups, 'fold_name', textOf(properties, 'name'));
      return lookups;
    case IdpDomain:
    case Application:
      put(lookups, 'fold_name', textOf(properties, 'name'));
      return lookups;
    case Resource:
      resource(properties, lookups, idPath);
      return lookups;
    case Permission:
      permission(properties, lookups);
      return lookups;
    case Grant:
    case RoleAssignment:
      return lookups;
    default:
      local(properties, lookups);
      return lookups;
  }
};
