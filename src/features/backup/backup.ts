import { type BackupPatience, holdGraph } from './graph/read-graph';
import { finishing } from './graph/finish-restore';
import { requireEmpty, type RestoreProgress, writeGraph } from './graph/write-graph';
import type { Graph } from '../../neo4j/driver';
import type { NodeKind } from '../../model/table';
import type { VaultKey } from '../../secrets/vault';
import type { AfterRestore } from './restore-events';
import {
  type BackupEnd,
  type BackupWords,
  type CheckedBackup,
  readBackup,
  storeOf,
  WrongBackup,
  writeBackup,
  type WritingBuild,
} from './backup-file';

/** A backup that was written. */
export interface TakenBackup {
  readonly end: BackupEnd;
  /** How long pushes waited. */
  readonly seconds: number;
}

/**
 * Backs up a graph to a new file (docs/operating.md: Backup). Pushes wait until the graph is read,
 * so the backup is the graph between two commits. It ends after its time, and frees the graph.
 */
export const takeBackup = (
  graph: Graph,
  records: readonly NodeKind[],
  file: string,
  patience: BackupPatience,
  build: WritingBuild,
  key: VaultKey,
): Promise<TakenBackup> =>
  holdGraph(graph, records, patience, async (held) => {
    const began = performance.now();
    const end = await writeBackup(file, held, build, key);
    return { end, seconds: (performance.now() - began) / 1000 };
  });

/** How a backup is restored. */
export interface RestoreOptions {
  /** Whether the keys of the backup stay as they are, also those that somebody ended since. */
  readonly keepsKeys?: boolean;
  readonly progress?: RestoreProgress;
}

/** A backup that was restored, and what waits since. */
export interface RestoredBackup {
  readonly words: BackupWords;
  readonly after: AfterRestore;
}

/**
 * Restores a backup, which `checkBackup` has read completely, into an empty graph
 * (docs/operating.md: Restore).
 */
export const restoreBackup = async (
  graph: Graph,
  records: readonly NodeKind[],
  { file, words }: CheckedBackup,
  { keepsKeys = false, progress = () => undefined }: RestoreOptions = {},
): Promise<RestoredBackup> => {
  await requireEmpty(graph);
  const finish = finishing({ asOf: words.header.as_of, keepsKeys });
  let after: AfterRestore | undefined;
  const { history_since = null } = words.header;
  const unchanged = ({ end }: BackupWords): void => {
    if (end.sha256 === words.end.sha256) return;
    throw new WrongBackup('The file of the backup is another one than was checked.');
  };
  await writeGraph(
    graph,
    records,
    storeOf(words.header),
    readBackup(file, unchanged),
    history_since,
    async (tx, since) => (after = await finish(tx, since)),
    progress,
  );
  return { words, after: after as AfterRestore };
};
