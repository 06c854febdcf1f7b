import type { Entity, Reference, Stated } from './entity';
import type { Label, Values } from './graph';
import { allGiven, firstGiven } from './reference';
import type { Entry } from './operations';

/** What is left of an entity's references, and what it now says. */
export interface Merged {
  readonly entity: Entity;
  readonly references: readonly Reference[];
}

/** The relationships that a field becomes (docs/rules.md: Relationships). */
const linkTypes = new Map([
  ['groups', 'MEMBER_OF'],
  ['access_creds', 'HAS_CREDENTIAL'],
  ['models', 'USES_MODEL'],
  ['permissions', 'ALLOWS'],
  ['roles', 'INCLUDES'],
  ['identities', 'IDENTITY_OF'],
  ['owners', 'OWNED_BY'],
  ['connections', 'CONNECTS_TO'],
  ['assumed_role_arns', 'ASSUMES_ROLE'],
  ['entities_owned', 'OWNS'],
  ['app_assignments', 'ASSIGNED_TO'],
  ['managers', 'MANAGED_BY'],
  // Of an employee; a user of an identity provider has a property of that name.
  ['department', 'IN_DEPARTMENT'],
  ['cost_center', 'IN_COST_CENTER'],
]);

const propertyPrefixes = new Map([
  ['custom_properties', 'customprop_'],
  ['dynamic_properties', 'dynprop_'],
]);

/** An entity after a merge patch of its own fields: what is absent stays (docs/rules.md: Increments). */
export function mergePatch(
  before: Entity,
  references: readonly Reference[],
  sent: Entry,
  stated: Stated,
): Merged {
  // An empty object patches nothing (RFC 7386).
  const fields = Object.keys(sent).filter((field) => !isEmptyObject(sent[field]));
  const types = fields.map((field) => linkTypes.get(field));
  const isKept = ({ type }: { readonly type: string }): boolean => !types.includes(type);
  const isNew = ({ type }: { readonly type: string }): boolean => types.includes(type);
  return {
    entity: {
      ...before,
      values: fields.reduce(
        (values, field) => withField(values, before.kind, field, sent[field], stated.values),
        before.values,
      ),
      resourceTypes: fields.includes('resource_types')
        ? stated.resourceTypes
        : before.resourceTypes,
      links: [...before.links.filter(isKept), ...stated.links.filter(isNew)],
    },
    references: [...references.filter(isKept), ...stated.references.filter(isNew)],
  };
}

/** The own id that an entity would have after a merge patch (docs/rules.md: Keys). */
export function idAfter(before: Entity, idFields: readonly string[], sent: Entry): string {
  return firstGiven(
    ...idFields.map((field) =>
      Object.hasOwn(sent, field)
        ? (sent[field] as string | null)
        : (before.values[field] as string | undefined),
    ),
  );
}

/** Values after one field of the patch: what it stood for leaves, what it stands for comes. */
function withField(
  values: Values,
  kind: Label,
  field: string,
  sent: unknown,
  stated: Values,
): Values {
  const prefix = propertyPrefixes.get(field);
  const isReplaced = (name: string): boolean => {
    if (prefix === undefined) return valueNames(kind, field).includes(name);
    // Custom and dynamic properties merge one by one; null for all of them unsets all.
    return name.startsWith(prefix) && (sent === null || isNamed(sent, name.slice(prefix.length)));
  };
  const entries = (of: Values, test: (name: string) => boolean) =>
    Object.entries(of).filter(([name]) => test(name));
  return Object.fromEntries([
    ...entries(values, (name) => !isReplaced(name)),
    ...entries(stated, isReplaced),
  ]);
}

/** The properties that a field is stored as (docs/rules.md: Own properties). */
function valueNames(kind: Label, field: string): readonly string[] {
  if (field === 'source_identity') return ['source_identity', 'source_identity_provider_type'];
  if (field === 'application_type' && kind === 'Permission') return ['application_types'];
  return allGiven(field);
}

function isNamed(sent: unknown, name: string): boolean {
  return typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name);
}

function isEmptyObject(sent: unknown): boolean {
  return (
    typeof sent === 'object' &&
    sent !== null &&
    !Array.isArray(sent) &&
    Object.keys(sent).length === 0
  );
}
