import { ACCESS_TYPES, type AccessType } from '../../access/relationship-types';
import type { NodeKind } from '../../model/table';
import { derivations } from '../../templates/graph/derivations';
import { nodeKinds } from '../../templates/graph/nodes';
import { relationshipKinds } from '../../templates/graph/relationships';

/** Whether effective access depends on relationships of a type. */
export const isOfAccess = (type: string): type is AccessType =>
  ACCESS_TYPES.some((each) => each === type);

const ends = new Set([
  ...relationshipKinds.filter(({ type }) => isOfAccess(type)).flatMap(({ from, to }) => [from, to]),
  ...derivations
    .filter(({ type }) => isOfAccess(type))
    .flatMap(({ asker, answerer }) => [asker, answerer]),
]);

/** The kinds of nodes on which effective access depends. */
export const accessKinds: readonly NodeKind[] = nodeKinds.filter((kind) => ends.has(kind));

const labels = new Set(accessKinds.map(({ label }) => label));

/** Whether effective access depends on nodes of a kind. */
export const isKindOfAccess = ({ label }: Pick<NodeKind, 'label'>): boolean => labels.has(label);
