import { LRUCache } from 'lru-cache';

import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { PUSHES_AT } from '../statements/access-graph-statements';
import { utcOfTime } from './created';

/** A push, and the data source that it was pushed to. */
export interface PushOf {
  readonly push: string | null;
  readonly data_source: string | null;
}

/** No push whose record is stored. */
export const NO_PUSH: PushOf = { push: null, data_source: null };

/** How many pushes are remembered. */
const MOST_PUSHES = 10_000;

/** Finds the pushes that were at some instants, and remembers them. */
export class PushesAt {
  private readonly pushes = new LRUCache<string, PushOf>({ max: MOST_PUSHES });

  /** The pushes at some instants, by these. One whose record is gone has no id. */
  async at(tx: Runner, instants: readonly string[]): Promise<ReadonlyMap<string, PushOf>> {
    const distinct = [...new Set(instants)];
    const unknown = distinct.filter((at) => !this.pushes.has(at));
    const found = new Map(distinct.map((at) => [at, this.pushes.get(at) ?? NO_PUSH]));
    if (unknown.length === 0) return found;
    const { records } = await tx.run<{ at: unknown; push: string; data_source: string }>(
      PUSHES_AT,
      {
        instants: unknown.map((utc) => toDateTime({ utc } as Parameters<typeof toDateTime>[0])),
      },
    );
    const stored = new Map(
      records.map((record) => [
        utcOfTime(record.get('at')),
        { push: record.get('push'), data_source: record.get('data_source') },
      ]),
    );
    for (const at of unknown) {
      const one = stored.get(at) ?? NO_PUSH;
      this.pushes.set(at, one);
      found.set(at, one);
    }
    return found;
  }
}
