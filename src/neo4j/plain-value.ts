import neo4j, { type Node, type Path, type Point, type Relationship } from 'neo4j-driver';

import { toInstant } from './values';

/** A value as JSON holds it. */
export type Plain =
  string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

const fields = (values: object): Plain =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlain(value)]));

const node = ({ elementId, labels, properties }: Node): Plain => ({
  id: elementId,
  labels,
  properties: fields(properties),
});

const relationship = (held: Relationship): Plain => ({
  id: held.elementId,
  type: held.type,
  from: held.startNodeElementId,
  to: held.endNodeElementId,
  properties: fields(held.properties),
});

const path = ({ start, segments }: Path): Plain => ({
  nodes: [node(start), ...segments.map((segment) => node(segment.end))],
  relationships: segments.map((segment) => relationship(segment.relationship)),
});

const point = ({ srid, x, y, z }: Point): Plain => ({
  srid: toPlain(srid),
  x,
  y,
  ...(z === undefined ? {} : { z }),
});

const isUtc = (time: { timeZoneId?: string; timeZoneOffsetSeconds?: unknown }): boolean =>
  time.timeZoneId === undefined && Number(time.timeZoneOffsetSeconds) === 0;

/**
 * Turns any value of Neo4j into JSON. Integers become numbers, or text if a number cannot hold
 * them. Numbers that JSON lacks become text. Moments, days, times and durations become ISO 8601
 * text; bytes become base64.
 */
export const toPlain = (value: unknown): Plain => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value.toString();
  if (neo4j.isInt(value)) return value.inSafeRange() ? value.toNumber() : value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Int8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (neo4j.isNode(value)) return node(value);
  if (neo4j.isRelationship(value)) return relationship(value);
  if (neo4j.isPath(value)) return path(value);
  if (neo4j.isPoint(value)) return point(value);
  if (neo4j.isDateTime(value)) return isUtc(value) ? toInstant(value).utc : value.toString();
  const isTemporal =
    neo4j.isDate(value) ||
    neo4j.isTime(value) ||
    neo4j.isLocalTime(value) ||
    neo4j.isLocalDateTime(value) ||
    neo4j.isDuration(value);
  return isTemporal ? value.toString() : fields(value);
};
