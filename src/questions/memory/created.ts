import neo4j from 'neo4j-driver';

import type { Instant } from '../../model/instant';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime, toInstant } from '../../neo4j/values';
import { ENDED_SINCE } from '../statements/instant-statements';

/** A relationship that has ended since an instant, by the keys of its nodes. */
export interface EndedLine {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** Since when it was as it was at that instant. */
  readonly since: string | null;
}

const nameOf = (line: EndedLine): string =>
  JSON.stringify([line.type, line.from, line.to, line.since]);

/** An instant as a text, of a time of Neo4j. */
export const utcOfTime = (time: unknown): string | null =>
  neo4j.isDateTime(time) ? toInstant(time).utc : null;

/**
 * Finds when relationships were created that had other properties before: memory does not know that
 * (docs/rules.md: History). Returns `undefined` for one of which nothing is stored.
 */
export const createdOf = async (
  tx: Runner,
  at: Instant,
  lines: readonly EndedLine[],
): Promise<(line: EndedLine) => string | null | undefined> => {
  if (lines.length === 0) return () => undefined;
  const rows = lines.map(({ type, from, to }) => [type, from, to]);
  const records = await new Pipeline(tx).ask<{ fact: Readonly<Record<string, unknown>> }>(
    ENDED_SINCE,
    'rows',
    rows,
    { at: toDateTime(at) },
  );
  const created = new Map(
    records.map((record) => {
      const { type, start, end, from, since } = record.get('fact');
      const line = { type: String(type), from: String(start), to: String(end) };
      return [nameOf({ ...line, since: utcOfTime(from ?? since) }), utcOfTime(since)];
    }),
  );
  return (line) => created.get(nameOf(line));
};
