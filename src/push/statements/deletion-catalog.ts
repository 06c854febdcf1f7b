import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import {
  COUNT_ROWS,
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  ERASE_HISTORY,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  REMOVE_DATA_SOURCE,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
} from './deletion-statements';
import { KEEP_PROPERTY_NAMES } from './property-name-statements';

/** The statements that delete data sources and providers with what they hold. */
export const deletionCatalog = (): readonly CatalogEntry[] => [
  entry('Rows: count those of a data source', COUNT_ROWS),
  entry('Keep the names of properties of a data source that is deleted', KEEP_PROPERTY_NAMES),
  entry('Begin to delete a data source', MARK_DATA_SOURCE),
  entry('Begin to delete a provider', MARK_PROVIDER),
  entry('Data sources that are being deleted', DELETING_DATA_SOURCES),
  entry('Providers that are being deleted', DELETING_PROVIDERS),
  entry('Data sources of a provider', DATA_SOURCES_OF),
  ...ERASE_HISTORY.map((text, at) => entry(`Erase history of a data source, ${at + 1}`, text)),
  entry('Remove push records', REMOVE_PUSHES),
  entry('Remove a data source', REMOVE_DATA_SOURCE),
  entry('Remove a provider', REMOVE_PROVIDER),
];
