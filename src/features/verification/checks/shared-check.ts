import { keyOf, unescapePart } from '../../../model/key';
import { addFoldedTexts } from '../../../model/folded-texts';
import type { NodeKind } from '../../../model/table';
import type { Value } from '../../../rows/row/row';
import type { Find } from './finding';
import type { FoundNode } from './row-check';

/**
 * Reads the properties of a shared node out of its key; `null` if the key was shortened
 * (docs/rules.md: Keys).
 */
const propertiesInKey = (
  { label, properties }: NodeKind,
  key: string,
): Record<string, string> | null => {
  const values = key.split('|').slice(1).map(unescapePart);
  const names = Object.keys(properties);
  if (keyOf(label, ...values) !== key || values.length !== names.length) return null;
  return Object.fromEntries(
    names.map((name, at) => [name, values[at] ?? '']).filter(([, value]) => value !== ''),
  ) as Record<string, string>;
};

/** The repair of a shared node that does not say what its key says; `null` if it is right. */
export const checkShared = (
  kind: NodeKind,
  { key, labels, properties }: FoundNode,
  find: Find,
): {
  readonly set: Readonly<Record<string, Value | null>>;
  readonly labels: readonly string[];
} | null => {
  const set: Record<string, Value | null> = {};
  const expectedLabels = [kind.label, ...kind.also];
  const extra = labels.filter((label) => !expectedLabels.includes(label));
  const lacks = expectedLabels.some((label) => !labels.includes(label));
  if (lacks || extra.length > 0) {
    find({
      what: 'LABELS_CHANGED',
      node: key,
      found: labels.toSorted(),
      expected: expectedLabels.toSorted(),
      remedy: 'REPAIR',
    });
  }
  const stated = propertiesInKey(kind, key);
  const lookups: Record<string, string | readonly string[]> = {};
  addFoldedTexts(kind, stated ?? properties, lookups);
  for (const name of new Set([...Object.keys(properties), ...Object.keys(kind.properties)])) {
    if (name === 'key') continue;
    const found = properties[name];
    if (lookups[name] !== undefined && lookups[name] === found) continue;
    if (!Object.hasOwn(kind.properties, name)) {
      set[name] = null;
      find({
        what: 'PROPERTY_ADDED',
        node: key,
        property: name,
        found: found ?? null,
        remedy: 'REPAIR',
      });
    } else if (stated !== null && found !== stated[name]) {
      const expected = stated[name] ?? null;
      set[name] = expected;
      find({
        what: 'PROPERTY_CHANGED',
        node: key,
        property: name,
        found: found ?? null,
        expected,
        remedy: 'REPAIR',
      });
    }
  }
  if (stated === null && !tellsItsKey(kind, key, properties)) {
    find({ what: 'CONTENT_CHANGED', node: key, remedy: 'NONE' });
  }
  return Object.keys(set).length > 0 || lacks || extra.length > 0 ? { set, labels: extra } : null;
};

const tellsItsKey = (kind: NodeKind, key: string, properties: FoundNode['properties']): boolean =>
  keyOf(
    kind.label,
    ...Object.keys(kind.properties).map((name) => {
      const value = properties[name];
      return typeof value === 'string' ? value : '';
    }),
  ) === key;
