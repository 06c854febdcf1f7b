/* The Cypher with which the registry deletes what a data source holds. */

export {
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
export { KEEP_PROPERTY_NAMES } from './property-name-statements';
