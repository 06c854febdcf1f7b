import type { Value, Values } from './graph';
import { instantOf } from './instant';
import type {
  ApplicationPayload,
  FlatPayload,
  Optional,
  PropertyTypes,
  PropertyValues,
} from './payload';
import { below, type Problem } from './pointer';
import { fold, listed } from './text';

/** One property declared by a `custom_property_definition` (spec), and where. */
export interface Declaration {
  /** What it is declared for: a kind of entity of an identity provider or of an application type. */
  readonly scope: string;
  readonly name: string;
  readonly type: string;
  readonly pointer: string;
}

/** The scope of what is declared for a kind in an identity provider or an HR system, such as `user_properties`. */
export function flatScope(field: string): string {
  return field;
}

/** The scope of what is declared for a kind in an application type (docs/rules.md: Custom properties). */
export function applicationScope(applicationType: string, field: string): string {
  return JSON.stringify([fold(applicationType), field]);
}

/** The scope of what is declared for a resource type in an application type (docs/rules.md: Custom properties). */
export function resourceScope(applicationType: string, resourceType: string): string {
  return JSON.stringify([fold(applicationType), 'resources', fold(resourceType)]);
}

/** Everything that a payload of an identity provider or an HR system declares. */
export function flatDeclarations(payload: FlatPayload): readonly Declaration[] {
  return Object.entries(payload.custom_property_definition ?? {}).flatMap(([field, types]) =>
    declared(flatScope(field), types, below('/custom_property_definition', field)),
  );
}

/** Everything that an application payload declares. */
export function applicationDeclarations(payload: ApplicationPayload): readonly Declaration[] {
  const definitions = listed(payload.custom_property_definition?.applications);
  return definitions.flatMap((definition, at) => {
    const pointer = below('/custom_property_definition/applications', at);
    const type = definition.application_type;
    const kinds = Object.entries(definition).filter(([field]) => field.endsWith('_properties'));
    return [
      ...kinds.flatMap(([field, types]) =>
        declared(
          applicationScope(type, field),
          types as Optional<PropertyTypes>,
          below(pointer, field),
        ),
      ),
      ...listed(definition.resources).flatMap((resource, i) =>
        declared(
          resourceScope(type, resource.resource_type),
          resource.properties,
          below(pointer, 'resources', i, 'properties'),
        ),
      ),
    ];
  });
}

function declared(
  scope: string,
  types: Optional<PropertyTypes>,
  pointer: string,
): readonly Declaration[] {
  return Object.entries(types ?? {}).map(([name, type]) => ({
    scope,
    name,
    type,
    pointer: below(pointer, name),
  }));
}

/** The first declaration of a property for a scope. */
export function declarationOf(
  declarations: readonly Declaration[],
  scope: string,
  name: string,
): Declaration | undefined {
  return declarations.find((one) => one.scope === scope && one.name === name);
}

/** Declarations at odds with each other, or with those of earlier pushes (docs/rules.md: Problems). */
export function declarationProblems(
  declarations: readonly Declaration[],
  remembered: readonly Declaration[],
): readonly Problem[] {
  const differsIn = (others: readonly Declaration[], { scope, name, type }: Declaration): boolean =>
    (declarationOf(others, scope, name)?.type ?? type) !== type;
  const conflicting = declarations.filter((one) => differsIn(declarations, one));
  const changed = declarations.filter((one) => differsIn(remembered, one));
  return [
    ...conflicting.map(({ pointer }) => ({ pointer, code: 'CONFLICTING_DEFINITION' })),
    ...changed.map(({ pointer }) => ({ pointer, code: 'PROPERTY_TYPE_CHANGED' })),
  ];
}

/** Custom properties that are not declared, or not of their declared type (docs/rules.md: Problems). */
export function customPropertyProblems(
  sent: Optional<PropertyValues>,
  scope: string,
  declarations: readonly Declaration[],
  pointer: string,
): readonly Problem[] {
  return Object.entries(sent ?? {}).flatMap(([name, value]) => {
    if (value === null) return [];
    const declaration = declarationOf(declarations, scope, name);
    const at = below(pointer, name);
    if (declaration === undefined) return [{ pointer: at, code: 'UNDECLARED_PROPERTY' }];
    return isOfType(value, declaration.type) ? [] : [{ pointer: at, code: 'PROPERTY_TYPE' }];
  });
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'STRING') return typeof value === 'string';
  if (type === 'NUMBER') return typeof value === 'number';
  if (type === 'BOOLEAN') return typeof value === 'boolean';
  if (type === 'TIMESTAMP') return instantOf(value) !== null;
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Custom properties in their stored form; nulls and empty lists are unset (docs/rules.md: Values). */
export function customValues(
  sent: Optional<PropertyValues>,
  scope: string,
  declarations: readonly Declaration[],
): Values {
  return storedValues('customprop_', sent, (name, value) =>
    declarationOf(declarations, scope, name)?.type === 'TIMESTAMP' ? instantOf(value) : value,
  );
}

/** Dynamic properties in their stored form; they are undeclared (docs/rules.md: Nodes). */
export function dynamicValues(sent: Optional<PropertyValues>): Values {
  return storedValues('dynprop_', sent, (_name, value) => value);
}

function storedValues(
  prefix: string,
  sent: Optional<PropertyValues>,
  stored: (name: string, value: unknown) => unknown,
): Values {
  const set = Object.entries(sent ?? {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [prefix + name, withoutMinusZero(stored(name, value)) as Value]);
  return Object.fromEntries(set) as Values;
}

function withoutMinusZero(value: unknown): unknown {
  return value === 0 ? 0 : value;
}
