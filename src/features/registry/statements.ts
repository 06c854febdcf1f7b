import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import { LOCK_PROVIDER } from '../../graph/statements/provider-lock';
import { ALLOW_REMOVAL } from '../../graph/statements/data-source-statements';
import {
  KEEP_PROPERTY_NAMES,
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  ERASE_HISTORY,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  REMOVE_DATA_SOURCE,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
} from '../../push/statements/contract';

/** The statements of the registry: deletions and permissions. */
export const registryCatalog = (): readonly CatalogEntry[] => [
  entry('Let the removal guard pass the next push', ALLOW_REMOVAL),
  entry('Keep the names of properties of a data source that is deleted', KEEP_PROPERTY_NAMES),
  entry('Begin to delete a data source', MARK_DATA_SOURCE),
  entry('Begin to delete a provider', MARK_PROVIDER),
  entry('Data sources that are being deleted', DELETING_DATA_SOURCES),
  entry('Providers that are being deleted', DELETING_PROVIDERS),
  entry('Data sources of a provider', DATA_SOURCES_OF),
  ...ERASE_HISTORY.map((text, at) => entry(`Erase history of a data source, ${at + 1}`, text)),
  entry('Remove push records', REMOVE_PUSHES),
  entry('Remove a data source', REMOVE_DATA_SOURCE),
  entry('Lock a provider', LOCK_PROVIDER),
  entry('Remove a provider', REMOVE_PROVIDER),
];
