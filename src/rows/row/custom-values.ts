import { NO_TYPES, type TypesByName } from '../../check/definitions';
import type { PropertyType } from '../../codec/shared';
import { fold, nfc } from '../../model/fold';
import { parseInstant } from '../../model/instant';
import { type ChosenPrefix, CUSTOM_PREFIX } from '../../model/property-name';
import { NO_PROPERTIES, type PropertyValues, type Value } from './row';

/**
 * The value of a custom or dynamic property as the graph stores it, or `null` if it is unset
 * (docs/rules.md: Values).
 */
const customValue = (value: unknown, type: PropertyType | undefined): Value | null => {
  if (type === 'TIMESTAMP') return typeof value === 'string' ? parseInstant(value) : null;
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return Array.isArray(value) && value.length > 0 ? (value as readonly string[]) : null;
};

/**
 * Sets properties under a prefix, so that no text of a payload becomes a property name without a
 * prefix (docs/rules.md: Nodes).
 */
export const putPrefixed = (
  properties: Record<string, Value>,
  prefix: ChosenPrefix,
  values: object | null | undefined,
  types: TypesByName = NO_TYPES,
): void => {
  if (values === null || values === undefined) return;
  for (const name of Object.keys(values)) {
    const stored = customValue(values[name as keyof typeof values], types.get(name));
    if (stored !== null) properties[`${prefix}${name}`] = stored;
  }
};

/** Custom properties under their prefix, as properties of a relationship or statement. */
export const customProperties = (
  values: object | null | undefined,
  types: TypesByName,
): PropertyValues => {
  if (values === null || values === undefined) return NO_PROPERTIES;
  const properties: Record<string, Value> = {};
  putPrefixed(properties, CUSTOM_PREFIX, values, types);
  return properties;
};

/** Drops texts that fold alike. Of these, the spelling remains that is first by code units. */
export const distinctFolded = (texts: readonly string[]): readonly string[] => {
  const spelled = new Map<string, string>();
  for (const text of texts.map(nfc).sort()) {
    if (!spelled.has(fold(text))) spelled.set(fold(text), text);
  }
  return [...spelled.values()];
};
