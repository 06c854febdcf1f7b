import neo4j from 'neo4j-driver';

import type { AsOf } from '../../contract/answers/page';
import { Instant } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';

/*
 * Whether the graph has changed while a question was read (docs/rules.md: Access answers).
 */

/**
 * The contents of all data sources, each described by its newest push, and the commit sequence. It
 * is one record, with times as texts: the driver needs much longer to make its own time objects.
 */
const VERSIONS = `OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
WITH coalesce(lock.turns, 0) AS turns
OPTIONAL MATCH (source:DataSource)
WITH turns, source ORDER BY source.key
WITH turns, collect(source) AS sources
RETURN turns,
  none(source IN sources WHERE source.pending_push IS NOT NULL OR source.status = 'DELETING') AS is_whole,
  [source IN sources | [source.key, source.digest, source.status, toString(source.rows), source.last_push, toString(source.last_push_at)]] AS sources`;

type Version = readonly [...unknown[], push: string | null, at: string | null];

/** The contents of all data sources, each described by its newest push. */
export interface Versions {
  readonly text: string;
  /** How many transactions have changed the graph: the commit sequence. */
  readonly turns: number;
  /** Whether no chunked push and no deletion is under way. */
  readonly isWhole: boolean;
  readonly asOf: AsOf | null;
}

/** Reads the versions of all data sources. */
export const readVersions = async (tx: Runner): Promise<Versions> => {
  const { records } = await tx.run<{
    turns: unknown;
    is_whole: boolean;
    sources: readonly Version[];
  }>(VERSIONS);
  const [record] = records;
  const turns = Number(record?.get('turns') ?? 0);
  const sources = record?.get('sources') ?? [];
  const pushes = sources.flatMap((source): AsOf[] => {
    const [push, at] = source.slice(-2) as [string | null, string | null];
    return push === null || at === null ? [] : [{ push, at }];
  });
  const moment = ({ at }: AsOf): string => at.replace('Z', '');
  const newest = pushes.reduce<AsOf | null>(
    (last, each) => (last === null || moment(each) > moment(last) ? each : last),
    null,
  );
  const isWhole = record?.get('is_whole') ?? true;
  // Each chunk of a chunked push is a commit, but no new contents.
  return { text: JSON.stringify([isWhole ? turns : null, sources]), turns, isWhole, asOf: newest };
};

/**
 * Whether the history has everything that the commits of a part of the commit sequence changed:
 * it is stored, and each of these commits is a push after `$at`. `$after`, `$until`: numbers of the
 * commit sequence. `$at`: the newest push by `$after`.
 */
const COMMITS_BETWEEN = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN coalesce(store.history_since <= $at, false) AND COUNT {
  MATCH (push:Push)
  USING INDEX SEEK push:Push(turn)
  WHERE push.turn > $after AND push.turn <= $until AND push.at > $at
} = $until - $after AS is_told`;

/**
 * The instant before everything that was committed between two versions, if the history has all
 * of it: each commit was a push that is newer than all before. Other commits, such as an erasure,
 * leave nothing in the history. A chunked push may write facts that are older than the newest push,
 * before it is a push itself. `null` if that is not certain.
 */
export const instantBefore = async (
  tx: Runner,
  before: Versions,
  after: Versions,
): Promise<Instant | null> => {
  if (!before.isWhole || !after.isWhole || before.asOf === null) return null;
  const at = new Instant(before.asOf.at);
  const { records } = await tx.run<{ is_told: boolean }>(COMMITS_BETWEEN, {
    after: neo4j.int(before.turns),
    until: neo4j.int(after.turns),
    at: toDateTime(at),
  });
  return records[0]?.get('is_told') === true ? at : null;
};
