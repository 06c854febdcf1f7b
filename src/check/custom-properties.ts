import type { Step } from '../codec/pointer';
import type { ProblemCollector } from '../codec/problem-collector';
import type {
  CustomProperties,
  DynamicProperties,
  PropertyType,
  PropertyTypes,
  PropertyValue,
} from '../codec/shared';
import { isInstant } from '../model/instant';
import { timeInstead } from '../codec/epoch';
import { declarationLine } from './declaration-line';
import { type Declaration, Definitions } from './definitions';
import type { PropertyOwner } from './property-owner';

/** The most dynamic properties that an entity may have (docs/rules.md: Limits). */
export const MOST_DYNAMIC = 5;

const IN_WORDS: { readonly [T in PropertyType]: string } = {
  BOOLEAN: 'true or false',
  NUMBER: 'a number',
  STRING: 'a string',
  STRING_LIST: 'a list of strings',
  TIMESTAMP: 'an RFC 3339 time',
};

const isOfType = (value: PropertyValue, type: PropertyType): boolean => {
  switch (type) {
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'NUMBER':
      return typeof value === 'number';
    case 'STRING':
      return typeof value === 'string';
    case 'STRING_LIST':
      return Array.isArray(value);
    case 'TIMESTAMP':
      return typeof value === 'string' && isInstant(value);
  }
};

/**
 * One `…_properties` object of a definition: the owner of the properties, its place and the
 * declared types.
 */
export interface DeclaredTypes {
  readonly owner: PropertyOwner;
  readonly steps: readonly Step[];
  readonly types: PropertyTypes | null | undefined;
}

/**
 * Reads the declarations of a payload. It is a problem to declare a property with two types, or
 * with another type than an earlier push did (docs/rules.md: Custom properties).
 */
export const checkDeclarations = (
  declared: readonly DeclaredTypes[],
  remembered: Definitions,
  problems: ProblemCollector,
): Definitions => {
  const declarations: Declaration[] = [];
  for (const { owner, types } of declared) {
    for (const [property, type] of Object.entries(types ?? {})) {
      if (type !== null) declarations.push({ ...owner, property, type });
    }
  }
  const definitions = new Definitions(declarations, declared);
  for (const { owner, steps, types } of declared) {
    for (const [property, type] of Object.entries(types ?? {})) {
      if (type === null) continue;
      const first = definitions.typesOf(owner).get(property) ?? type;
      if (first !== type) {
        problems.add(
          [...steps, property],
          'CONFLICTING_DEFINITION',
          () => `is declared as ${first} before and as ${type} here`,
        );
      }
      const earlier = remembered.typesOf(owner).get(property) ?? type;
      if (earlier !== type) {
        problems.add(
          [...steps, property],
          'PROPERTY_TYPE_CHANGED',
          () =>
            `was declared as ${earlier} by an earlier push; the type remains until a full push no longer declares the property`,
        );
      }
    }
  }
  return definitions;
};

/**
 * Checks that the payload declares each custom property that is set, and that the value has the
 * declared type (docs/rules.md: Custom properties).
 */
export const checkCustomProperties = (
  properties: CustomProperties | null | undefined,
  owner: PropertyOwner,
  definitions: Definitions,
  steps: readonly Step[],
  problems: ProblemCollector,
): void => {
  if (properties === null || properties === undefined) return;
  const types = definitions.typesOf(owner);
  for (const name of Object.keys(properties)) {
    const value = properties[name];
    if (value === null || value === undefined) continue;
    const type = types.get(name);
    if (type !== undefined && isOfType(value, type)) continue;
    const place = [...steps, 'custom_properties', name];
    if (type === undefined) {
      problems.add(
        place,
        'UNDECLARED_PROPERTY',
        (hints) =>
          `is not declared in this payload: ${declarationLine(owner, name, value, definitions.places)}${hints.didYouMean(name, types.keys())}`,
      );
    } else {
      const instead =
        type === 'TIMESTAMP' && typeof value === 'number' ? `: ${timeInstead(value)}` : '';
      problems.add(
        place,
        'PROPERTY_TYPE',
        () => `is declared ${type}: expected ${IN_WORDS[type]}${instead}`,
      );
    }
  }
};

/** Checks that at most five dynamic properties are set (docs/rules.md: Limits). */
export const checkDynamicProperties = (
  properties: DynamicProperties | null | undefined,
  steps: readonly Step[],
  problems: ProblemCollector,
): void => {
  if (properties === null || properties === undefined) return;
  const count = Object.values(properties).filter((value) => value !== null).length;
  if (count <= MOST_DYNAMIC) return;
  problems.add(
    [...steps, 'dynamic_properties'],
    'TOO_MANY_DYNAMIC_PROPERTIES',
    () => `holds ${count} properties: at most ${MOST_DYNAMIC} are allowed`,
  );
};
