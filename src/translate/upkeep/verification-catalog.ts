import { derivedFrom, derivedTypesAt, management } from '../../templates/graph/derivations';
import { nodeKinds, sharedKinds } from '../../templates/graph/nodes';
import { kindsMentioning, kindsOwnedBy } from '../../templates/graph/relationships';
import { type CatalogEntry, entry as entryOf } from '../clauses/catalog-entry';
import { orphansOf } from '../push/relationship-statements';
import {
  CORRECT_DATA_SOURCE,
  dateDrawn,
  dateUndated,
  foundRelationships,
  managementAt,
  managerTagsFound,
  pageOfNodes,
  relabelNodes,
  REMOVE_STRAYS,
  removeDoubles,
  removeRelationshipsAt,
  RESOURCE_STEPS,
  restoreNodes,
  restoreRelationshipsAt,
  sharedNodes,
  STRAY_NODES,
  unknownRelationships,
} from './verification-statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Verify: ${title}`, text);

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

/** Every statement that only the verification and repair of a data source runs. */
export const verificationCatalog = (): readonly CatalogEntry[] => [
  entry('nodes that are not where rows are looked for', STRAY_NODES),
  entry('remove these nodes', REMOVE_STRAYS),
  ...rowKinds.flatMap((kind) => {
    const { label } = kind;
    const isManaged = management.managed.some((managed) => managed === kind);
    const types = [...derivedTypesAt(kind), ...(isManaged ? ['TAGGED'] : [])];
    return [
      entry(`${label}: restore labels`, relabelNodes(kind)),
      entry(`${label}: a page`, pageOfNodes(kind)),
      entry(`${label}: restore`, restoreNodes(kind)),
      entry(`${label}: relationships that the model does not allow`, unknownRelationships(kind)),
      entry(`${label}: remove relationships`, removeRelationshipsAt(kind)),
      entry(`${label}: restore relationships`, restoreRelationshipsAt(kind)),
      ...kindsOwnedBy(kind).map((stated) =>
        entry(
          `${label}: ${stated.from.label} ${stated.type} ${stated.to.label} found`,
          foundRelationships(stated),
        ),
      ),
      ...(types.length === 0 ? [] : [entry(`${label}: derived twice`, removeDoubles(kind, types))]),
      entry(`${label}: date relationships without a date`, dateUndated(kind)),
    ];
  }),
  entry('paths of resources', RESOURCE_STEPS),
  ...sharedKinds.flatMap((kind) => [
    entry(`${kind.label}: found`, sharedNodes(kind)),
    entry(`${kind.label}: restore`, restoreNodes(kind)),
    entry(`${kind.label}: what nothing states`, orphansOf(kind, kindsMentioning(kind))),
  ]),
  ...derivedFrom.map(({ from, type }) =>
    entry(`${from.label} ${type}: date those just drawn`, dateDrawn(from.label, type)),
  ),
  ...management.managed.flatMap((managed) => [
    ...management.managers.flatMap((manager) =>
      (['managed', 'manager'] as const).flatMap((at) =>
        managementAt(at, managed, manager).map((text, index) =>
          entry(
            `${managed.label}, ${manager.label}: who ${index === 0 ? 'should manage' : 'manages'}, by ${at}`,
            text,
          ),
        ),
      ),
    ),
    entry(`${managed.label}: managers' tags`, managerTagsFound(managed)),
  ]),
  entry('correct the data source', CORRECT_DATA_SOURCE),
];
