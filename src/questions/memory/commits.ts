import neo4j from 'neo4j-driver';

import type { AsOf } from '../../contract/answers/page';
import type { Runner } from '../../neo4j/transaction';
import { COMMITS_AFTER, COMMITS_AT_ONCE } from '../statements/access-feed-statements';

/** What one transaction changed. */
export interface Commit {
  /** The instant at which its facts begin and end; `null` if nobody says what it changed. */
  readonly at: string | null;
  readonly changes: string;
}

/** What was committed by now. */
export interface News {
  /** The newest number of the commit sequence. */
  readonly turns: number;
  /** Which graph it is: in another one the same number is another commit. */
  readonly epoch: string;
  /** From when on the history is complete; `null` if none is stored. */
  readonly historySince: string | null;
  /** The newest push. */
  readonly asOf: AsOf | null;
  /** The next commits, without a gap; `null` if one is missing, or nobody says what it changed. */
  readonly commits: readonly Commit[] | null;
}

/** A number that no commit has yet. */
export const NO_COMMITS = Number.MAX_SAFE_INTEGER;

/** How often it reads again because something was committed while it read. */
const ATTEMPTS = 20;

interface Read {
  readonly before: unknown;
  readonly turns: unknown;
  readonly epoch: string | null;
  readonly restored: string | null;
  readonly history_since: string | null;
  readonly push: string | null;
  readonly at: string | null;
  readonly commits: readonly (readonly [unknown, string | null, string | null])[];
  readonly [name: string]: unknown;
}

/** Commits come so fast that nobody can say which push is the newest one. */
export class Restless extends Error {}

/** Reads what was committed after a number of the commit sequence. */
export const readNews = async (tx: Runner, after: number): Promise<News> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { records } = await tx.run<Read>(COMMITS_AFTER, { after: neo4j.int(after) });
    const read = records[0]?.toObject();
    if (read === undefined || Number(read.before) !== Number(read.turns)) continue;
    const turns = Number(read.turns);
    // Others may have been committed since; then the next look returns them.
    const commits = read.commits.filter(([turn]) => Number(turn) <= turns);
    const isComplete =
      commits.length === Math.min(Math.max(0, turns - after), COMMITS_AT_ONCE) &&
      commits.every(
        ([turn, at, changes], count) =>
          Number(turn) === after + count + 1 && at !== null && changes !== null,
      );
    return {
      turns,
      epoch: JSON.stringify([read.epoch, read.restored]),
      historySince: read.history_since,
      asOf: read.push === null || read.at === null ? null : { push: read.push, at: read.at },
      commits: isComplete
        ? commits.map(([, at, changes]) => ({ at, changes: changes ?? '' }))
        : null,
    };
  }
  throw new Restless();
};
