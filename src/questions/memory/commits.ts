import neo4j from 'neo4j-driver';

import type { AsOf } from '../../contract/answers/page';
import type { Runner } from '../../neo4j/transaction';
import {
  AWAIT_COMMIT,
  COMMITS_AFTER,
  COMMITS_AT_ONCE,
  NEWEST_COMMIT,
  NEWEST_NUMBER,
} from '../statements/access-feed-statements';

/** What one transaction changed. */
export interface Commit {
  /** The instant at which its facts begin and end. */
  readonly at: string;
  readonly changes: string;
}

/** The number of the newest commit. */
export interface NewestNumber {
  /** Its number in the commit sequence. */
  readonly turns: number;
  /** Which graph it is: in another one the same number is another commit. */
  readonly epoch: string;
}

/** The newest commit. */
export interface NewestCommit extends NewestNumber {
  /** Whether it was still the newest one after the newest push was read: `asOf` is that of it. */
  readonly isStill: boolean;
  /** From when on the history is complete; `null` if none is stored. */
  readonly historySince: string | null;
  /** The newest push. */
  readonly asOf: AsOf | null;
}

interface ReadNumber {
  readonly turns: unknown;
  readonly epoch: string | null;
  readonly restored: string | null;
  readonly [name: string]: unknown;
}

interface Read extends ReadNumber {
  readonly before: unknown;
  readonly history_since: string | null;
  readonly push: string | null;
  readonly at: string | null;
}

const epochOf = ({ epoch, restored }: ReadNumber): string => JSON.stringify([epoch, restored]);

/** Reads the number of the newest commit. */
export const readNumber = async (tx: Runner): Promise<NewestNumber> => {
  const { records } = await tx.run<ReadNumber>(NEWEST_NUMBER);
  const read = records[0]?.toObject();
  if (read === undefined) throw new Error('Neo4j sent no row');
  return { turns: Number(read.turns), epoch: epochOf(read) };
};

/** Reads which commit is the newest one. */
export const readNewest = async (tx: Runner): Promise<NewestCommit> => {
  const { records } = await tx.run<Read>(NEWEST_COMMIT);
  const read = records[0]?.toObject();
  if (read === undefined) throw new Error('Neo4j sent no row');
  return {
    turns: Number(read.before),
    isStill: Number(read.before) === Number(read.turns),
    epoch: epochOf(read),
    historySince: read.history_since,
    asOf: read.push === null || read.at === null ? null : { push: read.push, at: read.at },
  };
};

/**
 * Waits until Neo4j shows all of a commit whose number somebody has seen. The caller rolls back.
 *
 * Neo4j shows the parts of a commit one after the other, and its indexes last. What somebody reads in
 * that moment may be what was there before, and no later commit need mention it. A commit holds its
 * locks up to its end, and the derivation lock from before it counts up, so that those with smaller
 * numbers have ended too.
 */
export const awaitCommit = async (tx: Runner, turns: number): Promise<void> => {
  await tx.run(AWAIT_COMMIT, { key: String(turns) });
};

/**
 * Reads the commits after one number up to another one, of which Neo4j shows all; not more than some.
 * `null`: one is missing, or nobody says what it changed.
 */
export const readCommits = async (
  tx: Runner,
  after: number,
  until: number,
): Promise<readonly Commit[] | null> => {
  const { records } = await tx.run<{ turn: unknown; at: string | null; changes: string | null }>(
    COMMITS_AFTER,
    { after: neo4j.int(after), until: neo4j.int(until) },
  );
  const commits: Commit[] = [];
  for (const [count, record] of records.entries()) {
    const [at, changes] = [record.get('at'), record.get('changes')];
    if (Number(record.get('turn')) !== after + count + 1 || at === null || changes === null) {
      return null;
    }
    commits.push({ at, changes });
  }
  return commits.length === Math.min(until - after, COMMITS_AT_ONCE) ? commits : null;
};
