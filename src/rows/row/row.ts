import type { Instant } from '../../model/instant';
import { Tag } from '../../model/shared-nodes';
import { relationshipKindIfAny } from '../../templates/graph/relationships';
import type { NodeKind, RelationshipKind } from '../../model/table';

/**
 * The value of a property. There is no `null`: an unset property is absent (docs/rules.md: Values).
 */
export type Value = string | number | boolean | Instant | readonly string[];

/** The properties that are set, by name. */
export type PropertyValues = Readonly<Record<string, Value>>;

/** A relationship that a row states. `stated` makes it. */
export interface Stated {
  readonly kind: RelationshipKind;
  /** The other end: a local key, the key of a shared node, or `''` for the data source. */
  readonly other: string;
  readonly properties: PropertyValues;
  /**
   * Distinguishes it from the other relationships of its row. With few exceptions, relationships of
   * one type between the same nodes are one (docs/rules.md: Relationships).
   */
  readonly identity: string;
}

/** A shared node that rows mention. */
export interface SharedNode {
  readonly kind: NodeKind;
  readonly key: string;
  readonly properties: PropertyValues;
}

/**
 * One entity as it should be in the graph: its node, its properties and the relationships that it
 * states (docs/rules.md: Words).
 */
export interface Row {
  readonly kind: NodeKind;
  /** The local key, unique in the data source (docs/rules.md: Keys). */
  readonly key: string;
  readonly properties: PropertyValues;
  /** The `fold_…` properties. They follow from the others and are not in the hash. */
  readonly lookups: Readonly<Record<string, string | readonly string[]>>;
  /** The relationships that it states, without tags. Each `identity` occurs once. */
  readonly relationships: readonly Stated[];
  /** The keys of its tags. */
  readonly tags: readonly string[];
}

/** No properties. All rows and relationships without properties share this object. */
export const NO_PROPERTIES: PropertyValues = Object.freeze({});

/** Makes a relationship that a row states. */
export const stated = (
  kind: RelationshipKind,
  other: string,
  properties: PropertyValues = NO_PROPERTIES,
): Stated => ({
  kind,
  other,
  properties,
  identity:
    kind.distinguishedBy.length === 0
      ? `${kind.code} ${other}`
      : `${kind.code} ${other} ${JSON.stringify(kind.distinguishedBy.map((name) => properties[name] ?? null))}`,
});

/** All relationships that a row states, including those to its tags. */
export const statedBy = ({ kind, relationships, tags }: Row): readonly Stated[] => {
  const tagged = relationshipKindIfAny(kind, 'TAGGED', Tag);
  return tagged === null || tags.length === 0
    ? relationships
    : [...relationships, ...tags.map((other) => stated(tagged, other))];
};
