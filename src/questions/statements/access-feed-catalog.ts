import { ACCESS_TYPES } from '../../access/relationship-types';
import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import { COMMITS_AFTER, ENDED_FROM, NODES_NOW, relationshipsNow } from './access-feed-statements';

/** The statements by which a process follows the commits. */
export const accessFeedCatalog = (): readonly CatalogEntry[] => [
  entry('Access in memory: what was committed', COMMITS_AFTER),
  entry('Access in memory: nodes and their versions', NODES_NOW),
  ...ACCESS_TYPES.map((type) =>
    entry(`Access in memory: ${type} between pairs of nodes`, relationshipsNow(type)),
  ),
  entry('Access in memory: relationships that ended', ENDED_FROM),
];
