import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import type { Relation } from '../field';
import type { RowKind } from '../kind';
import { types } from '../relationship-type';
import { allRowKinds } from '../templates';
import { relationshipCode } from './relationship-codes';

const kindOf = (node: NodeKind, { type, other, owner, doc }: Relation): RelationshipKind => {
  const [from, to] = owner === 'from' ? [node, other] : [other, node];
  return {
    ...type,
    from,
    to,
    owner,
    doc: doc ?? type.doc,
    code: relationshipCode(from, type.type, to),
  };
};

const statedBy = ({ node, relations }: RowKind): readonly RelationshipKind[] =>
  relations.map((relation) => kindOf(node, relation));

/** Every relationship that rows state, by types in their order: TAGGED is last, since tags accumulate. */
export const relationshipKinds: readonly RelationshipKind[] = Object.values(types).flatMap(
  ({ type }) => allRowKinds.flatMap((kind) => statedBy(kind).filter((one) => one.type === type)),
);

// By the ends themselves: asked for each relationship of each push, so that no text is made for it.
const byEnds = new Map<NodeKind, Map<NodeKind, RelationshipKind[]>>();
for (const kind of relationshipKinds) {
  const from = byEnds.get(kind.from) ?? new Map<NodeKind, RelationshipKind[]>();
  byEnds.set(kind.from, from.set(kind.to, [...(from.get(kind.to) ?? []), kind]));
}

/** The declared kind between two labels, if there is one. */
export const relationshipKindIfAny = (
  from: NodeKind,
  type: string,
  to: NodeKind,
): RelationshipKind | null =>
  byEnds
    .get(from)
    ?.get(to)
    ?.find((kind) => kind.type === type) ?? null;

/** The declared kind between two labels; asking for one that is not declared is a mistake in the code. */
export const relationshipKind = (from: NodeKind, type: string, to: NodeKind): RelationshipKind => {
  const kind = relationshipKindIfAny(from, type, to);
  if (kind === null) throw new Error(`${from.label} ${type} ${to.label} is not in the model`);
  return kind;
};

/** The kinds that rows of a label state. */
export const kindsOwnedBy = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => kind[kind.owner] === node);

/** The kinds by which rows refer to nodes of a label; a shared node stays in the graph as long as one of them does (docs/rules.md: Shared nodes). */
export const kindsMentioning = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => otherEnd(kind) === node);
