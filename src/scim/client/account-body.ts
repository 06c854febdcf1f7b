import { type Attributes, type AttributeValue, entryOf, parsePath, withValue } from './attribute';
import { fieldOf, isJsonObject, type Json, objectsOf, spelled } from './json';
import type { Profile } from './profile';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const withAll = (resource: Json, attributes: Attributes): Json =>
  [...attributes].reduce((changed, [path, value]) => withValue(changed, path, value), resource);

/** The body that creates an account. */
export const creationOf = (attributes: Attributes): Json =>
  withAll({ schemas: [USER] }, attributes);

/** The attributes that only the application writes (RFC 7643, 3.1 and 4.1). */
const READ_ONLY = new Set(['meta', 'groups']);

/** The body of a PUT: the present resource, with these attributes changed. */
export const replacementOf = (resource: Json, changes: Attributes): Json =>
  withAll(
    Object.fromEntries(
      Object.entries(resource).filter(([name]) => !READ_ONLY.has(name.toLowerCase())),
    ),
    changes,
  );

/** The body of a PATCH. */
export const patchOf = (operations: readonly Json[]): Json => ({
  schemas: [PATCH_OP],
  Operations: operations,
});

const operationOf = (resource: Json, path: string, value: AttributeValue): Json => {
  const parts = parsePath(path);
  const { schema = null, name = '', type = null, sub = null } = parts ?? {};
  if (type === null) return { op: 'replace', path, value };
  const extension = schema === null ? resource : fieldOf(resource, schema);
  const entries = (isJsonObject(extension) ? objectsOf(extension, name) : null) ?? [];
  const entry = entryOf(entries, type);
  const listPath = schema === null ? name : `${schema}:${name}`;
  if (entry !== undefined && fieldOf(entry, 'type') !== undefined) {
    return { op: 'replace', path, value };
  }
  const changed = objectsOf(
    withValue({ [name]: entries }, `${name}[type eq "${type}"].${sub}`, value),
    name,
  );
  return entry === undefined
    ? { op: 'add', path: listPath, value: changed?.slice(-1) }
    : { op: 'replace', path: listPath, value: changed };
};

/** The body of the PATCH that changes these attributes of an account. */
export const changeOf = (resource: Json, changes: Attributes, profile: Profile): Json => {
  if (profile.patch_paths) {
    return patchOf([...changes].map(([path, value]) => operationOf(resource, path, value)));
  }
  const changed = withAll(resource, changes);
  const tops = [...changes.keys()].map((path) => {
    const { schema = null, name = '' } = parsePath(path) ?? {};
    return spelled(changed, schema ?? name);
  });
  return patchOf([
    {
      op: 'replace',
      value: Object.fromEntries([...new Set(tops)].map((top) => [top, changed[top]])),
    },
  ]);
};
