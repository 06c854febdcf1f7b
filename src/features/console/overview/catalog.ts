import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';
import {
  ALL_SOURCES,
  CHANGES_BY_DAY,
  CHANGING_PUSHES,
  FAILED_SOURCES,
  ONE_SOURCE,
  TROUBLED_PUSHES,
} from './statements';

/** The statements of the console's own overviews; its other questions are those of the interface. */
export const consoleCatalog = (): readonly CatalogEntry[] => [
  entry('List data sources by their newest push', ALL_SOURCES),
  entry('List data sources of which something failed', FAILED_SOURCES),
  entry('Find a data source with its provider', ONE_SOURCE),
  entry('List pushes with warnings or problems', TROUBLED_PUSHES),
  entry('Add up what pushes changed in access on each day', CHANGES_BY_DAY),
  entry('List pushes that changed access', CHANGING_PUSHES),
];
