import { type CatalogEntry, entry } from '../graph/statements/catalog-entry';
import { ALLOW_REMOVAL } from '../graph/statements/data-source-statements';
import { LOCK_PROVIDER } from '../graph/statements/provider-lock';

/** The statements of the registry. The push line lists those of deletions, since it runs them. */
export const registryCatalog = (): readonly CatalogEntry[] => [
  entry('Let the removal guard pass the next push', ALLOW_REMOVAL),
  entry('Lock a provider', LOCK_PROVIDER),
];
