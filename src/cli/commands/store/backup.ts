import { command } from '../../../command/context';
import type { RestoreArguments, BackupArguments } from '../../graph/backup';

/** How long a backup may delay pushes if no option says otherwise. */
const MOST_SECONDS = 3_600;

const json = {
  json: { type: 'boolean', default: false, describe: 'Print JSON for programs' },
} as const;

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
  handler: async (args) => {
    // The other commands start faster without the modules of the service.
    const { backUp } = await import('../../graph/backup.js');
    await backUp(args);
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
        'keep-keys': {
          type: 'boolean',
          default: false,
          describe: 'Revoke no team keys, also those that somebody ended since the backup',
        },
      })
      .example('$0 restore grantgraph-2026-11-24.gz', 'Restore into the embedded Neo4j')
      .epilogue('NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE and DATA_DIR say where to.'),
  handler: async (args) => {
    const { restore } = await import('../../graph/backup.js');
    await restore(args);
  },
});
