import { CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../../model/property-name';

/**
 * The names of custom and dynamic properties that Neo4j knows. It keeps a name even if nothing has
 * the property any more.
 */
export const KNOWN_PROPERTY_NAMES = `CALL db.propertyKeys() YIELD propertyKey
WITH propertyKey
WHERE propertyKey STARTS WITH '${CUSTOM_PREFIX}' OR propertyKey STARTS WITH '${DYNAMIC_PREFIX}'
RETURN collect(propertyKey) AS names`;

/** The names that pushes to any data source have declared or set. */
export const BROUGHT_PROPERTY_NAMES = `MATCH (source:DataSource)
UNWIND source.property_names AS name
RETURN collect(DISTINCT name) AS names`;
