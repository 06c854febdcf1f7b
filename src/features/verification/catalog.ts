import { derivedFrom, derivedWithTagsAt } from '../../templates/graph/derivations';
import { nodeKinds, sharedKinds } from '../../templates/graph/nodes';
import {
  kindsMentioning,
  oneOfEachType,
  relationshipKinds,
} from '../../templates/graph/relationships';
import { type CatalogEntry, entry as entryOf } from '../../graph/statements/catalog-entry';
import { orphansOf } from '../../graph/rows/relationship-statements';
import {
  CORRECT_DATA_SOURCE,
  DATE_UNDATED,
  dateDrawn,
  foundRelationships,
  managementAt,
  MANAGER_TAGS_FOUND,
  PAGE_OF_NODES,
  RELABEL_NODES,
  REMOVE_RELATIONSHIPS_AT,
  REMOVE_STRAYS,
  removeDoubles,
  RESOURCE_STEPS,
  RESTORE_NODES,
  RESTORE_RELATIONSHIPS_AT,
  SHARED_NODES,
  STRAY_NODES,
  STRAY_SHARED_NODES,
  UNKNOWN_RELATIONSHIPS,
} from './statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Verify: ${title}`, text);

/** By their names, the sets of types that the service derives at kinds of rows. */
const derivedSets = new Map(
  nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .map(derivedWithTagsAt)
    .filter((types) => types.length > 0)
    .map((types) => [types.join(', '), types] as const),
);

/** Every statement that only the verification and repair of a data source runs. */
export const verificationCatalog = (): readonly CatalogEntry[] => [
  entry('nodes that are not where rows are looked for', STRAY_NODES),
  entry('shared nodes that lack a label', STRAY_SHARED_NODES),
  entry('restore labels', RELABEL_NODES),
  entry('remove these nodes', REMOVE_STRAYS),
  entry('a page of rows', PAGE_OF_NODES),
  entry('shared nodes', SHARED_NODES),
  entry('restore nodes', RESTORE_NODES),
  entry('relationships that the model does not allow', UNKNOWN_RELATIONSHIPS),
  entry('remove relationships', REMOVE_RELATIONSHIPS_AT),
  entry('restore relationships', RESTORE_RELATIONSHIPS_AT),
  ...oneOfEachType(relationshipKinds).map((kind) =>
    entry(`${kind.type} found`, foundRelationships(kind)),
  ),
  ...[...derivedSets].map(([name, types]) => entry(`derived twice: ${name}`, removeDoubles(types))),
  entry('date relationships without a date', DATE_UNDATED),
  entry('paths of resources', RESOURCE_STEPS),
  ...sharedKinds.map((kind) =>
    entry(`${kind.label}: what nothing states`, orphansOf(kind, kindsMentioning(kind))),
  ),
  ...[...new Set(derivedFrom.map(({ type }) => type))].map((type) =>
    entry(`${type}: date those just drawn`, dateDrawn(type)),
  ),
  ...(['managed', 'manager'] as const).flatMap((at) =>
    managementAt(at).map((text, index) =>
      entry(`who ${index === 0 ? 'should manage' : 'manages'}, by ${at}`, text),
    ),
  ),
  entry("managers' tags", MANAGER_TAGS_FOUND),
  entry('correct the data source', CORRECT_DATA_SOURCE),
];
