import { endpoints } from '../../questions/endpoints';
import { command, asking, type ServiceOptions, serviceOptions } from '../../command/context';
import { tableOf } from '../../command/output';

const COLUMNS = ['since', 'nodes', 'relationships', 'bytes', 'kept'];

const storedFor = (days: number | null): string => {
  if (days === null) return 'for ever';
  return days === 0 ? 'none' : `${days} days`;
};

/** `grantgraph history`. */
export const historyCommand = command<ServiceOptions>({
  command: 'history',
  describe: 'Show since when facts that ended are stored, how many, and how large they are',
  builder: (yargs) =>
    serviceOptions(yargs)
      .example('$0 history', 'The first instant that --at may name')
      .example('$0 history --json', 'The same for programs'),
  handler: asking<ServiceOptions>(async ({ client, output }) => {
    const { value } = await client.call(endpoints.history, {});
    const { since, facts, bytes, keep_days } = value;
    const row = { since, ...facts, bytes, kept: storedFor(keep_days) };
    output.answer(value, [tableOf([row], COLUMNS)]);
  }),
});
