import { Identity } from '../../model/shared-nodes';
import { otherEnd, type RelationshipKind } from '../../model/table';
import { nodeKinds } from '../../templates/graph/nodes';
import {
  longKindsOwnedBy,
  oneOfEachType,
  relationshipKinds,
} from '../../templates/graph/relationships';
import { type CatalogEntry, entry as entryOf } from '../statements/catalog-entry';
import {
  listsOf,
  namingLookups,
  nodesNamed,
  resourcesOfType,
  RESOURCES_BELOW,
  ROWS_WITHIN,
  rowsReferring,
  SPELLINGS,
} from './existing-statements';
import { existingRelationships } from './relationship-statements';
import { shortRows, wholeRows } from './row-statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Increment: ${title}`, text);

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

/** Whether an increment asks who refers by it: to rows, and to identities. */
const isAsked = (kind: RelationshipKind): boolean =>
  otherEnd(kind).keeper === 'row' || otherEnd(kind) === Identity;

/** Every statement with which an increment reads current rows. */
export const existingCatalog = (): readonly CatalogEntry[] => [
  ...rowKinds.flatMap((kind) =>
    namingLookups(kind).map((lookup) =>
      entry(`${kind.label} by ${lookup}`, nodesNamed(kind, lookup)),
    ),
  ),
  entry('rows within an application', ROWS_WITHIN),
  entry('names of some rows', SPELLINGS),
  ...oneOfEachType(relationshipKinds.filter(isAsked)).map((kind) =>
    entry(`rows that refer to something by ${kind.type}`, rowsReferring(kind)),
  ),
  ...rowKinds
    .filter((node) => shortRows(node) !== wholeRows(node))
    .map((node) => entry(`${node.label}: rows without their long lists`, shortRows(node))),
  ...oneOfEachType(rowKinds.flatMap(longKindsOwnedBy)).flatMap((kind) => [
    entry(`${kind.type}: those of these that exist`, existingRelationships(kind)),
    entry(`${kind.type}: whole lists`, listsOf(kind)),
  ]),
  entry('resources below others', RESOURCES_BELOW),
  entry('resources of a type, with an id', resourcesOfType(true)),
  entry('resources of a type, without an id', resourcesOfType(false)),
];
