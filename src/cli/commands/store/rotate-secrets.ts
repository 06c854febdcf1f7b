import { command } from '../../../command/context';
import type { RotateArguments } from '../../graph/rotate-secrets';

/** `grantgraph rotate-secrets`: seals all secrets again, with the settings of the service. */
export const rotateSecretsCommand = command<RotateArguments>({
  command: 'rotate-secrets',
  describe: 'Seal the secrets of applications with a new key',
  builder: (yargs) =>
    yargs
      .options({
        'new-key-file': {
          type: 'string',
          describe: 'File of the new key; without it, a new key is made in DATA_DIR',
        },
        json: { type: 'boolean', default: false, describe: 'Print JSON for programs' },
      })
      .example('$0 rotate-secrets --new-key-file new-key', 'Then set SECRETS_KEY_FILE to it')
      .epilogue(
        'NEO4J_URI, NEO4J_…, DATA_DIR, SECRETS_KEY and SECRETS_KEY_FILE say where and from which key.',
      ),
  handler: async (args) => {
    // The other commands start faster without the modules of the service.
    const { rotateSecrets } = await import('../../graph/rotate-secrets.js');
    await rotateSecrets(args);
  },
});
