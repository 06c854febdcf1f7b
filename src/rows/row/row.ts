import type { Instant } from '../../model/instant';
import { Tag } from '../../model/shared-nodes';
import { relationshipKindIfAny } from '../../templates/graph/relationships';
import type { NodeKind, RelationshipKind } from '../../model/table';

/** What a property of a row holds; `null` and absent are the same: unset (docs/rules.md: Values). */
export type Value = string | number | boolean | Instant | readonly string[];

/** Properties that are set, by name. */
export type PropertyValues = Readonly<Record<string, Value>>;

/** A relationship that a row states; made by `stated`. */
export interface Stated {
  readonly kind: RelationshipKind;
  /** The other end: a local key, a shared node's key, or `''` for the data source. */
  readonly other: string;
  readonly properties: PropertyValues;
  /** What tells it from the others of its row: relationships of one type between the same nodes are one, but for a few. */
  readonly identity: string;
}

/** A shared node as rows mention it. */
export interface SharedNode {
  readonly kind: NodeKind;
  readonly key: string;
  readonly properties: PropertyValues;
}

/** One entity as it should stand in the graph: its node, its properties and the relationships it owns (docs/rules.md: Words). */
export interface Row {
  readonly kind: NodeKind;
  /** Local key: unique in its data source (docs/rules.md: Keys). */
  readonly key: string;
  readonly properties: PropertyValues;
  /** `fold_…` properties, which follow from the others and are outside the hash. */
  readonly lookups: Readonly<Record<string, string | readonly string[]>>;
  /** All that it states but tags; one for each `sameStated`. */
  readonly relationships: readonly Stated[];
  /** Keys of its tags. */
  readonly tags: readonly string[];
}

/** No properties at all. */
export const NO_PROPERTIES: PropertyValues = Object.freeze({});

/** A relationship that a row states, to another end. */
export const stated = (
  kind: RelationshipKind,
  other: string,
  properties: PropertyValues = NO_PROPERTIES,
): Stated => ({
  kind,
  other,
  properties,
  identity:
    kind.toldApartBy.length === 0
      ? `${kind.code} ${other}`
      : `${kind.code} ${other} ${JSON.stringify(kind.toldApartBy.map((name) => properties[name] ?? null))}`,
});

/** Every relationship that a row states, its tags among them. */
export const statedBy = ({ kind, relationships, tags }: Row): readonly Stated[] => {
  const tagged = relationshipKindIfAny(kind, 'TAGGED', Tag);
  return tagged === null || tags.length === 0
    ? relationships
    : [...relationships, ...tags.map((other) => stated(tagged, other))];
};
