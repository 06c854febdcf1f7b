import { CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../../model/property-name';

/**
 * The names of custom and dynamic properties that Neo4j knows. It stores a name even if nothing has
 * the property any more.
 */
export const KNOWN_PROPERTY_NAMES = `CALL db.propertyKeys() YIELD propertyKey
WITH propertyKey
WHERE propertyKey STARTS WITH '${CUSTOM_PREFIX}' OR propertyKey STARTS WITH '${DYNAMIC_PREFIX}'
RETURN collect(propertyKey) AS names`;

/**
 * The names that pushes to any data source have declared or set, each with whether a data source of
 * this provider did, or one that the provider had. `$provider`.
 */
export const BROUGHT_PROPERTY_NAMES = `CALL () {
  MATCH (source:DataSource)-[:FROM]->(provider:Provider)
  RETURN provider.key AS provider, source.property_names AS names
  UNION ALL
  MATCH (provider:Provider)
  RETURN provider.key AS provider, provider.property_names AS names
}
UNWIND names AS name
RETURN name, max(provider = $provider) AS of_provider`;

/** Keeps the names of a data source that is deleted in its provider's list. `$data_source`. */
export const KEEP_PROPERTY_NAMES = `MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
SET provider.property_names = COLLECT { UNWIND coalesce(provider.property_names, []) + coalesce(source.property_names, []) AS name RETURN DISTINCT name ORDER BY name }`;
