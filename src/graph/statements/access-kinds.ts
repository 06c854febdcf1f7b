import { HELD_TYPES, type HeldType } from '../../access/relationship-types';
import type { NodeKind } from '../../model/table';
import { derivations, management, RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { nodeKinds } from '../../templates/graph/nodes';
import { relationshipKinds } from '../../templates/graph/relationships';

/** Whether the access graph has relationships of a type. */
export const isOfAccess = (type: string): type is HeldType =>
  HELD_TYPES.some((each) => each === type);

const ends = new Set([
  ...relationshipKinds.filter(({ type }) => isOfAccess(type)).flatMap(({ from, to }) => [from, to]),
  ...derivations
    .filter(({ type }) => isOfAccess(type))
    .flatMap(({ asker, answerer }) => [asker, answerer]),
  ...(isOfAccess(RESOURCE_MANAGERS) ? [...management.managed, ...management.managers] : []),
]);

/** The kinds of nodes of the access graph. */
export const accessKinds: readonly NodeKind[] = nodeKinds.filter((kind) => ends.has(kind));

const labels = new Set(accessKinds.map(({ label }) => label));

/** Whether the access graph has nodes of a kind. */
export const isKindOfAccess = ({ label }: Pick<NodeKind, 'label'>): boolean => labels.has(label);
