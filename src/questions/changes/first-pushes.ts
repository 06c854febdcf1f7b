import { LRUCache } from 'lru-cache';

import type { Runner } from '../../neo4j/transaction';
import { SOURCE_NAMES } from '../statements/access-statements';
import { FIRST_PUSHES } from '../statements/change-statements';

/** How many data sources have their first push remembered. */
const MOST_SOURCES = 10_000;

/** Finds which pushes were the first ones to their data sources. The records of these are never removed. */
export class FirstPushes {
  private readonly firsts = new LRUCache<string, string>({ max: MOST_SOURCES });

  /** The names of data sources by their first pushes, of those that some pushes were to. */
  async among(
    tx: Runner,
    pushes: readonly { readonly push: string | null; readonly data_source: string | null }[],
  ): Promise<ReadonlyMap<string, string>> {
    const sources = [...new Set(pushes.flatMap(({ data_source }) => data_source ?? []))];
    const unknown = sources.filter((source) => !this.firsts.has(source));
    if (unknown.length > 0) {
      const { records } = await tx.run<{ id: string; push: string }>(FIRST_PUSHES, {
        ids: unknown,
      });
      for (const record of records) this.firsts.set(record.get('id'), record.get('push'));
    }
    const all = new Set(pushes.flatMap(({ push }) => push ?? []));
    // A source that nobody pushed to has no first push.
    const ids = sources.filter((source) => all.has(this.firsts.get(source) ?? ''));
    if (ids.length === 0) return new Map();
    const { records } = await tx.run<{ id: string; name: string; provider: string }>(SOURCE_NAMES, {
      ids,
    });
    return new Map(
      records.map((record) => [
        this.firsts.get(record.get('id')) ?? '',
        `${record.get('provider')}, ${record.get('name')}`,
      ]),
    );
  }
}
