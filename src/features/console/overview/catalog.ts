import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';
import {
  CHANGES_BY_SPAN,
  CHANGING_PUSHES,
  DEPARTMENTS,
  ENDED_NAMED,
  ENDED_NODE,
  FAILED_ACTIONS,
  FAILED_SOURCES,
  NAMES_BEGINNING,
  OLDEST_SOURCES,
  ONE_SOURCE,
  PROVIDER_NAMES,
  PUSHES_BEGINNING,
  SOURCES_BY_TURNS,
  STALE_SOURCES,
  SUMMARIES,
  TROUBLED_PUSHES,
} from './statements';

/** The statements of the console's own overviews; its other questions are those of the interface. */
export const consoleCatalog = (): readonly CatalogEntry[] => [
  entry('List data sources by turns of their providers', SOURCES_BY_TURNS),
  entry('List data sources with the oldest push first', OLDEST_SOURCES),
  entry('List data sources of which something failed', FAILED_SOURCES),
  entry('Count stale data sources', STALE_SOURCES),
  entry('Count actions of policies that failed', FAILED_ACTIONS),
  entry('Find a data source with its provider', ONE_SOURCE),
  entry('Find the names of providers', PROVIDER_NAMES),
  entry('List pushes with warnings or problems', TROUBLED_PUSHES),
  entry('Find a push by the beginning of its id', PUSHES_BEGINNING),
  entry('Add up what pushes changed in access on each day', CHANGES_BY_SPAN),
  entry('List pushes that changed access', CHANGING_PUSHES),
  entry('Find the last version of a node that ended', ENDED_NODE),
  entry('Find what had a name, among what ended last', ENDED_NAMED),
  entry('List names that begin alike', NAMES_BEGINNING),
  entry('Find what lists say of entities', SUMMARIES),
  entry('Find the departments of directory users', DEPARTMENTS),
];
