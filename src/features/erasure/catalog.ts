import {
  ERASED_AMONG,
  KEEP_ERASED_NAMES,
  KEEP_SALT,
  READ_SALT,
} from '../../graph/write/erased-name-statements';
import { providerRecord } from '../../contract/records/provider';
import { DataSource, Event, Push } from '../../model/service-nodes';
import { oneOfEachType, relationshipKinds } from '../../templates/graph/relationships';
import { type CatalogEntry, entry as entryOf } from '../../graph/statements/catalog-entry';
import {
  allReferring,
  CHANGE_PAST,
  changeRecords,
  CHANGES_OF,
  COUNT_LARGE_PUSHES,
  PAST_NODES_OF,
  PAST_RELATIONSHIPS_AT,
  PEOPLE_BESIDE,
  PEOPLE_OF,
  RECORD_ERASURE,
  REMOVE_PAST,
  RESOLVED_TO,
  SOURCES_BESIDE,
} from './statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Erase: ${title}`, text);

/**
 * The statements of an erasure that begin at a key. The others read all nodes of a label.
 */
export const erasureCatalog = (): readonly CatalogEntry[] => [
  entry('count chunked pushes', COUNT_LARGE_PUSHES),
  entry('people', PEOPLE_OF),
  entry('what belongs to people', PEOPLE_BESIDE),
  entry('data sources of what belongs to people', SOURCES_BESIDE),
  entry('what resolves to people', RESOLVED_TO),
  entry('versions of nodes', PAST_NODES_OF),
  ...PAST_RELATIONSHIPS_AT.map((text, at) => entry(`ended relationships, ${at + 1}`, text)),
  entry('remove ended facts', REMOVE_PAST),
  entry('change ended facts', CHANGE_PAST),
  ...oneOfEachType(relationshipKinds).map((kind) =>
    entry(`who states ${kind.type}`, allReferring(kind)),
  ),
  entry('when rows changed', CHANGES_OF),
  ...[Push, Event, providerRecord.node, DataSource].map((kind) =>
    entry(`${kind.label}: change`, changeRecords(kind)),
  ),
  entry('record a data source', RECORD_ERASURE),
  entry('read the salt of names', READ_SALT),
  entry('keep the salt of names', KEEP_SALT),
  entry('keep that names were erased', KEEP_ERASED_NAMES),
  entry('names that were erased', ERASED_AMONG),
];
