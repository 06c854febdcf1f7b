import { gunzipSync } from 'node:zlib';

import type { Driver } from 'neo4j-driver';

import { testNeo4j } from '../support/neo4j';

/** A node, relationship or record as all that it says. */
export interface StoredThing {
  /** What it is, and what tells it from others. */
  readonly what: string;
  /** The keys by which an answer may list it: its own, or those of its ends. */
  readonly keys: readonly string[];
  /** Its properties, as one text. */
  readonly said: string;
  /** All texts in it; those that are packed are unpacked. */
  readonly texts: readonly string[];
}

const QUERY = `MATCH (n)
RETURN labels(n) AS labels, elementId(n) AS id, properties(n) AS properties, [n.key, n.start, n.end] AS keys
UNION ALL
MATCH (a)-[r]->(b)
RETURN [type(r)] AS labels, elementId(r) AS id, properties(r) AS properties, [a.key, b.key] AS keys`;

/** Everything in the store: nodes and relationships of the graph, of the past and of the service. */
export async function everythingStored(driver: Driver): Promise<readonly StoredThing[]> {
  const { records } = await driver.executeQuery(QUERY, {}, { database: testNeo4j().database });
  return records.map((record) => {
    const properties = record.get('properties') as Readonly<Record<string, unknown>>;
    const keys = (record.get('keys') as readonly unknown[]).filter((key) => key !== null);
    const labels = (record.get('labels') as readonly string[]).join(':');
    return {
      what: `${labels} ${String(record.get('id'))}`,
      keys: keys.map(String),
      said: JSON.stringify(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
      texts: textsIn(properties),
    };
  });
}

/** All texts in a value, without what only looks names up. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...unpacked(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
}

function unpacked(text: string): readonly string[] {
  if (/^[[{]/.test(text)) {
    try {
      return textsIn(JSON.parse(text));
    } catch {
      return [];
    }
  }
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) || text.length % 4 !== 0) return [];
  const bytes = Buffer.from(text, 'base64');
  try {
    return [gunzipSync(bytes).toString('utf8')];
  } catch {
    return [bytes.toString('utf8')];
  }
}

/** A text as people compare it: no case, no spelling of spaces, no signs that nobody sees. */
const plainly = (text: string): string =>
  text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    .replace(/\s+/gu, ' ');

const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

/** Whether a text holds a name as a word of its own, in any spelling. */
export function holdsName(text: string, name: string): boolean {
  const sought = plainly(name);
  const once = decoded(text);
  return [text, once, decoded(once)].some((reading) => {
    const plain = plainly(reading);
    for (let at = plain.indexOf(sought); at >= 0; at = plain.indexOf(sought, at + 1)) {
      const [before, after] = [plain.slice(0, at), plain.slice(at + sought.length)];
      const isWord =
        !/[\p{L}\p{M}\p{N}_.@+-]$/u.test(before) && !/^[\p{L}\p{M}\p{N}_@+-]/u.test(after);
      if (isWord && !/^\.[\p{L}\p{N}]/u.test(after)) return true;
    }
    return false;
  });
}
