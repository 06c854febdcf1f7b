import type { NodeKind } from '../model/table';
import type { PropertyValues, Row, Stated } from '../rows/row/row';
import { rowHash } from '../rows/row/row-hash';

/** A relationship that was found at a row which could state it. */
export interface FoundRelationship {
  /** Neo4j's own id of it. */
  readonly id: string;
  readonly stated: Stated;
  readonly isTag: boolean;
  /** Whether it says since when. */
  readonly isDated: boolean;
}

/** A row as it was found, which somebody may have changed by hand. */
export interface FoundRow {
  readonly kind: NodeKind;
  readonly key: string;
  readonly properties: PropertyValues;
  readonly relationships: readonly FoundRelationship[];
}

/** What is there too much. */
export interface Additions {
  readonly properties: readonly string[];
  readonly relationships: readonly FoundRelationship[];
}

const NONE: Additions = { properties: [], relationships: [] };

// Each part is tried, and each try reads them all.
const MOST_PARTS = 200;

/** A found row but for some of it. */
export const rowWithout = (found: FoundRow, { properties, relationships }: Additions): Row => {
  const left = new Set(found.relationships);
  for (const one of relationships) left.delete(one);
  return {
    kind: found.kind,
    key: found.key,
    properties: Object.fromEntries(
      Object.entries(found.properties).filter(([name]) => !properties.includes(name)),
    ),
    lookups: {},
    relationships: [...left].filter(({ isTag }) => !isTag).map(({ stated }) => stated),
    tags: [...left].filter(({ isTag }) => isTag).map(({ stated }) => stated.other),
  };
};

/**
 * What was added to a row by hand, such that without it the row says what its hash tells: nothing, all relationships that nobody
 * dated, a property, or a relationship. `null` when none of these explains it: a hash tells that a row changed, not how.
 */
export const additionsTo = (found: FoundRow, hash: string): Additions | null => {
  const isExplained = (additions: Additions): boolean =>
    rowHash(rowWithout(found, additions)) === hash;
  if (isExplained(NONE)) return NONE;
  const undated = found.relationships.filter(({ isDated }) => !isDated);
  if (undated.length > 1 && isExplained({ ...NONE, relationships: undated })) {
    return { ...NONE, relationships: undated };
  }
  const names = Object.keys(found.properties);
  if (names.length + found.relationships.length > MOST_PARTS) return null;
  const candidates: readonly Additions[] = [
    ...names.map((name) => ({ ...NONE, properties: [name] })),
    ...found.relationships.map((one) => ({ ...NONE, relationships: [one] })),
  ];
  return candidates.find(isExplained) ?? null;
};
