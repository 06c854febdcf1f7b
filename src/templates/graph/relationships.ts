import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import type { Relation } from '../field';
import type { RowKind } from '../kind';
import { types } from '../relationship-type';
import { allRowKinds } from '../templates';
import { relationshipCode } from './relationship-codes';

const kindOf = (
  node: NodeKind,
  { type, other, owner, doc, isLong = false }: Relation,
): RelationshipKind => {
  const [from, to] = owner === 'from' ? [node, other] : [other, node];
  return {
    ...type,
    isLong,
    from,
    to,
    owner,
    doc: doc ?? type.doc,
    code: relationshipCode(from, type.type, to),
  };
};

const statedBy = ({ node, relations }: RowKind): readonly RelationshipKind[] =>
  relations.map((relation) => kindOf(node, relation));

/**
 * Every kind of stated relationship, grouped by type in the order of `types`. TAGGED comes last
 * because tags accumulate.
 */
export const relationshipKinds: readonly RelationshipKind[] = Object.values(types).flatMap(
  ({ type }) => allRowKinds.flatMap((kind) => statedBy(kind).filter((one) => one.type === type)),
);

// A push looks up the kind of each of its relationships. Two maps answer without making a text as
// key.
const byEnds = new Map<NodeKind, Map<NodeKind, RelationshipKind[]>>();
for (const kind of relationshipKinds) {
  const from = byEnds.get(kind.from) ?? new Map<NodeKind, RelationshipKind[]>();
  byEnds.set(kind.from, from.set(kind.to, [...(from.get(kind.to) ?? []), kind]));
}

/** The declared kind of relationship between two kinds of nodes, or `null`. */
export const relationshipKindIfAny = (
  from: NodeKind,
  type: string,
  to: NodeKind,
): RelationshipKind | null =>
  byEnds
    .get(from)
    ?.get(to)
    ?.find((kind) => kind.type === type) ?? null;

/**
 * The declared kind of relationship between two kinds of nodes. Throws if the model does not
 * declare it.
 */
export const relationshipKind = (from: NodeKind, type: string, to: NodeKind): RelationshipKind => {
  const kind = relationshipKindIfAny(from, type, to);
  if (kind === null) throw new Error(`${from.label} ${type} ${to.label} is not in the model`);
  return kind;
};

/** The kinds of relationships that rows of a label state. */
export const kindsOwnedBy = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => kind[kind.owner] === node);

/** The kinds of relationships of which one row of a label states only some. */
export const shortKindsOwnedBy = (node: NodeKind): readonly RelationshipKind[] =>
  kindsOwnedBy(node).filter(({ isLong }) => !isLong);

/**
 * The kinds of relationships of which one row of a label may state very many (docs/increments.md:
 * What an increment reads).
 */
export const longKindsOwnedBy = (node: NodeKind): readonly RelationshipKind[] =>
  kindsOwnedBy(node).filter(({ isLong }) => isLong);

/**
 * The kinds of relationships by which rows refer to nodes of a label. A shared node exists as long
 * as one such relationship leads to it (docs/rules.md: Shared nodes).
 */
export const kindsMentioning = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => otherEnd(kind) === node);

/** The first of these kinds of each type. All kinds of a type are stated by the same end. */
export const oneOfEachType = (kinds: readonly RelationshipKind[]): readonly RelationshipKind[] =>
  kinds.filter((kind, at) => kinds.findIndex(({ type }) => type === kind.type) === at);
