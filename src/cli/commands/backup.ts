import { BUILD } from '../../build';
import { records } from '../../features';
import { restoreBackup, takeBackup } from '../../features/backup/backup';
import { checkBackup, type CheckedBackup } from '../../features/backup/backup-file';
import { command, WrongUsage } from '../context';
import { outputFor } from '../output';
import { requireNewFile } from '../new-file';
import { vaultKeySource } from '../../secrets/vault-key';
import type { VaultKey } from '../../secrets/vault';
import { serviceSettings, withGraph } from '../with-graph';

interface FileArguments {
  readonly file: string;
  readonly json: boolean;
}

interface RestoreArguments extends FileArguments {
  readonly signedBy: string | undefined;
}

interface BackupArguments extends FileArguments {
  readonly atMost: number;
}

/** How long a backup may delay pushes if no option says otherwise. */
const MOST_SECONDS = 3_600;

const json = {
  json: { type: 'boolean', default: false, describe: 'Print JSON for programs' },
} as const;

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

/** `grantgraph backup`: reads directly from Neo4j, with the settings of the service. */
export const backupCommand = command<BackupArguments>({
  command: 'backup <file>',
  describe: 'Back up the graph of the service to a new file',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'File to write' })
      .options({
        ...json,
        'at-most': {
          type: 'number',
          default: MOST_SECONDS,
          describe: 'Seconds that pushes may wait for it; then it is given up',
        },
      })
      .example('$0 backup grantgraph-2026-11-24.gz', 'Back up the embedded Neo4j')
      .epilogue('NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE and DATA_DIR say which.'),
  handler: async ({ file, atMost, json: asJson }) => {
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
  },
});

/** `grantgraph restore`: writes directly to Neo4j, with the settings of the service. */
export const restoreCommand = command<RestoreArguments>({
  command: 'restore <file>',
  describe: 'Restore a backup into an empty graph',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'File of a backup' })
      .options({
        ...json,
        'signed-by': {
          type: 'string',
          describe: 'Id of another key that signed it, which cannot be checked here',
        },
      })
      .example('$0 restore grantgraph-2026-11-24.gz', 'Restore into the embedded Neo4j')
      .epilogue('NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE and DATA_DIR say where to.'),
  handler: async ({ file, signedBy, json: asJson }) => {
    const key = await vaultKeySource(serviceSettings())();
    const backup = await checked(file, key, signedBy ?? null);
    await withGraph(async (graph) => {
      const { header, end } = await restoreBackup(graph, records, backup);
      outputFor(asJson).answer({ ...header, ...end }, [
        `Restored ${end.nodes} nodes and ${end.relationships} relationships as of ${header.as_of}.`,
        end.signed_with === key.id
          ? `Its signature is right: it is of this service’s key ${key.id}.`
          : `It says that the key ${end.signed_with} signed it, which this service cannot check.`,
        'Start the service, and run each connector once: the graph is older than its systems.',
      ]);
    });
  },
});
