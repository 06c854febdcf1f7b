import { Instant } from '../../../model/instant';
import { toDateTime } from '../../../neo4j/values';

/** A time in milliseconds since 1970, as Neo4j holds it. */
export const dateTime = (ms: number) => toDateTime(new Instant(new Date(ms).toISOString()));
