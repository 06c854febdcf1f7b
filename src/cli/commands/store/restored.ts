import { counted } from '../../../codec/quote';
import { endpoints, type RestoredGraph } from '../../../features/backup/endpoints';
import { endpoints as keys } from '../../../features/keys/endpoints';
import { asking, command, type ServiceOptions, serviceOptions } from '../../../command/context';
import { tableOf } from '../../../command/output';

const ACTIONS = ['show', 'keys', 'start'] as const;

interface RestoredArguments extends ServiceOptions {
  readonly action: (typeof ACTIONS)[number];
}

const linesOf = ({ restored_at, paused_since, revoked_keys }: RestoredGraph): readonly string[] => [
  restored_at === null ? 'The graph was never restored.' : `Restored at ${restored_at}.`,
  paused_since === null
    ? 'Policies and timed imports run.'
    : `Policies and timed imports wait since ${paused_since}: start them with \`restored start\`.`,
  ...(revoked_keys.length === 0
    ? []
    : [
        'The restore revoked these keys. Delete those that somebody had ended; `restored keys` reinstates the others:',
        tableOf(revoked_keys, ['name', 'id']),
      ]),
];

/** `grantgraph restored`. */
export const restoredCommand = command<RestoredArguments>({
  command: 'restored [action]',
  describe: 'Show what waits after a restore, reinstate its keys, start policies and imports',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: ACTIONS, default: 'show', describe: 'What to do' })
      .example('$0 restored keys', 'Reinstate all keys that the restore revoked'),
  handler: asking<RestoredArguments>(async ({ client, output }, { action }) => {
    if (action === 'keys') {
      const { value } = await client.call(endpoints.read, {});
      for (const { id } of value.revoked_keys) {
        await client.call(keys.reinstate, { keyId: id });
      }
      output.answer(value.revoked_keys, [
        `Reinstated ${counted(value.revoked_keys.length, 'key')}.`,
      ]);
      return;
    }
    const { value } = await client.call(action === 'start' ? endpoints.start : endpoints.read, {});
    output.answer(value, linesOf(value));
  }),
});
