import { BUILD } from '../../build';
import { records } from '../../features';
import { restoreBackup, takeBackup } from '../../features/backup/backup';
import { type BackupEnd, checkBackup, type CheckedBackup } from '../../features/backup/backup-file';
import type { RestoreProgress } from '../../features/backup/graph/write-graph';
import { sentencesOf } from '../../features/backup/restore-events';
import type { VaultKey } from '../../secrets/vault';
import { vaultKeySource } from '../../secrets/vault-key';
import { WrongUsage } from '../../command/context';
import { requireNewFile } from '../../command/new-file';
import { outputFor, tableOf } from '../../command/output';
import { printErrors } from '../../visible-text';
import { withRefusals } from './refusals';
import { serviceSettings, withGraph } from './with-graph';

interface FileArguments {
  readonly file: string;
  readonly json: boolean;
}

/** What `restore` needs. */
export interface RestoreArguments extends FileArguments {
  readonly signedBy: string | undefined;
  readonly keepKeys: boolean;
}

/** What `backup` needs. */
export interface BackupArguments extends FileArguments {
  readonly atMost: number;
}

/** Checks the file before a Neo4j is started for it, because that start takes long. */
const checked = async (
  file: string,
  key: VaultKey,
  trusted: string | null,
): Promise<CheckedBackup> => {
  try {
    return await checkBackup(file, key, trusted);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new WrongUsage(`Cannot read ${file}: ${message}`);
  }
};

const counted = (left: number, what: string): readonly string[] =>
  left === 0 ? [] : [`Left out: ${left} ${what}.`];

/** Backs up the graph of the service to a new file. */
export const backUp = ({ file, atMost, json: asJson }: BackupArguments): Promise<void> =>
  withRefusals(async () => {
    if (!(atMost > 0)) throw new WrongUsage('--at-most needs a number of seconds.');
    await requireNewFile(file);
    await requireNewFile(`${file}.unfinished`);
    await withGraph(async (graph, config) => {
      const key = await vaultKeySource(config)();
      const patience = { waitSeconds: config.limits.pushWaitSeconds, mostSeconds: atMost };
      const { end, seconds } = await takeBackup(graph, records, file, patience, BUILD, key);
      const { nodes, relationships, left_out } = end;
      outputFor(asJson).answer({ file, seconds, ...end }, [
        `Backed up ${nodes} nodes and ${relationships} relationships to ${file}.`,
        `It is signed with the key ${end.signed_with}.`,
        `Pushes waited ${seconds.toFixed(1)} s.`,
        ...counted(left_out.uploads, 'multipart uploads that were under way'),
        ...counted(left_out.foreign_nodes, 'nodes that the service did not make'),
        ...counted(left_out.foreign_relationships, 'relationships of such nodes'),
      ]);
    });
  });

const PRINTED_EVERY_MS = 2_000;

/** Prints how far a restore is, on the stream of errors, which no program reads as the answer. */
const progressOf = ({ nodes, relationships }: BackupEnd): RestoreProgress => {
  const all = nodes + relationships;
  let [before, printed] = ['', 0];
  return (step, done) => {
    const now = performance.now();
    if (step === before && done < all && now - printed < PRINTED_EVERY_MS) return;
    [before, printed] = [step, now];
    printErrors(done === 0 ? `Restoring: ${step} …` : `Restoring: ${done} of ${all} ${step} …`);
  };
};

/** Restores a backup into an empty graph. */
export const restore = ({ file, signedBy, keepKeys, json }: RestoreArguments): Promise<void> =>
  withRefusals(async () => {
    const key = await vaultKeySource(serviceSettings())();
    const backup = await checked(file, key, signedBy ?? null);
    await withGraph(async (graph) => {
      const { words, after } = await restoreBackup(graph, records, backup, {
        keepsKeys: keepKeys,
        // A program that reads the answer gets nothing else.
        ...(!json && { progress: progressOf(backup.words.end) }),
      });
      const { header, end } = words;
      outputFor(json).answer({ ...header, ...end, ...after }, [
        `Restored ${end.nodes} nodes and ${end.relationships} relationships as of ${header.as_of}.`,
        end.signed_with === key.id
          ? `Its signature is right: it is of this service’s key ${key.id}.`
          : `It says that the key ${end.signed_with} signed it, which this service cannot check.`,
        ...(after.keys.length === 0 ? [] : [tableOf(after.keys, ['name', 'id'])]),
        sentencesOf(after),
        `People who were erased after ${header.as_of} are back: erase them again. Trusts are those of the backup: look at \`grantgraph trusts\` first.`,
        'Start the service; `grantgraph restored` shows what waits, `restored keys` reinstates the keys.',
        'Run each connector once, since the graph is older than its systems; then `grantgraph restored start`.',
      ]);
    });
  });
