import type { TaskEither } from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { AsOf } from '../../contract/answers/page';
import type { Failure } from '../../problem';
import { COUNTED_UP_TO } from '../statements/counted-pushes';
import { COUNT_PAST, NEWEST_PAST, READ_HISTORY_SINCE } from '../statements/past-statements';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';

/** How much the graph stores of the past (docs/rules.md: History). */
export interface StoredHistory {
  /** Since when every fact that ended is stored, as RFC 3339; `null` if none is. */
  readonly since: string | null;
  readonly facts: { readonly nodes: number; readonly relationships: number };
  /** About how much space they use in the store. */
  readonly bytes: number;
  /** Up to which push changes of access are counted, and how many pushes wait. */
  readonly counted: CountedUpTo;
}

/** How far the service has counted changes of access (docs/rules.md: Changes of access). */
export interface CountedUpTo {
  /** The newest push that is counted; `null` before the first. */
  readonly newest: AsOf | null;
  readonly waiting: number;
  /** When the first push was that waits, as RFC 3339; `null` if none does. */
  readonly next: string | null;
}

/** Reads how far changes of access are counted. */
export const readCounted = async (tx: Runner): Promise<CountedUpTo> => {
  const { records } = await tx.run<{
    push: string | null;
    at: string | null;
    waiting: unknown;
    next: string | null;
  }>(COUNTED_UP_TO);
  const [record] = records;
  const [push, at] = [record?.get('push') ?? null, record?.get('at') ?? null];
  return {
    newest: push === null || at === null ? null : { push, at },
    waiting: Number(record?.get('waiting') ?? 0),
    next: record?.get('next') ?? null,
  };
};

const SAMPLED = 500;

/**
 * How much space Neo4j's store needs, as `npm run bench -- history` found it (docs/performance.md:
 * History): the node and its entries in indexes, the record of a property, and blocks for longer
 * texts.
 */
const BYTES_OF_NODE = 360;
const BYTES_OF_PROPERTY = 41;
const BYTES_IN_PROPERTY = 24;
const BYTES_OF_BLOCK = 128;
const BYTES_IN_BLOCK = 120;

/** The space that the texts of a value need in addition to its property. */
const textBytes = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + textBytes(each), 0);
  const bytes = typeof value === 'string' ? Buffer.byteLength(value) : 0;
  return bytes > BYTES_IN_PROPERTY ? Math.ceil(bytes / BYTES_IN_BLOCK) * BYTES_OF_BLOCK : 0;
};

const averageBytes = (facts: readonly Readonly<Record<string, unknown>>[]): number => {
  if (facts.length === 0) return 0;
  const values = facts.flatMap((fact) => Object.values(fact));
  const all = values.reduce<number>((sum, value) => sum + BYTES_OF_PROPERTY + textBytes(value), 0);
  return BYTES_OF_NODE + all / facts.length;
};

/** Reads how much the graph stores of the past. The answer costs the same however much that is. */
export const readStoredHistory = (graph: Graph): TaskEither<Failure, StoredHistory> =>
  inTransaction(graph, { mode: 'read' }, async (tx) => {
    const [record] = (await tx.run<{ since: string | null }>(READ_HISTORY_SINCE)).records;
    const counted = await readCounted(tx);
    const counts: number[] = [];
    for (const statement of COUNT_PAST) {
      const { records } = await tx.run<{ number: unknown }>(statement);
      counts.push(Number(records[0]?.get('number') ?? 0));
    }
    const averages: number[] = [];
    for (const statement of NEWEST_PAST) {
      const { records } = await tx.run<{ properties: Record<string, unknown> }>(statement, {
        most: neo4j.int(SAMPLED),
      });
      averages.push(averageBytes(records.map((record) => record.get('properties'))));
    }
    const [nodes = 0, relationships = 0] = counts;
    const [ofNode = 0, ofRelationship = 0] = averages;
    return {
      since: record?.get('since') ?? null,
      facts: { nodes, relationships },
      bytes: Math.round(nodes * ofNode + relationships * ofRelationship),
      counted,
    };
  });
