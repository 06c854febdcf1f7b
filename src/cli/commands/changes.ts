import type { ChangedRow } from '../../contract/answers/questions/access-changes';
import { gathered } from '../../client/gathered';
import { idOf } from '../candidates';
import { asking, command, type ServiceOptions, serviceOptions } from '../context';

interface ChangesArguments extends ServiceOptions {
  readonly push: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly principal: string | undefined;
  readonly resource: string | undefined;
  readonly application: string | undefined;
}

/** `grantgraph changes`. */
export const changesCommand = command<ChangesArguments>({
  command: 'changes',
  describe: 'Tell who gained and who lost what, by a push or in a period',
  builder: (yargs) =>
    serviceOptions(yargs)
      .options({
        push: { type: 'string', describe: 'Id of a push: what it changed' },
        since: { type: 'string', describe: 'From this instant, such as 2026-03-01T12:00:00Z' },
        until: { type: 'string', describe: 'To this instant; now, if there is none' },
        principal: { type: 'string', describe: 'Of this one alone: id, name or email' },
        resource: { type: 'string', describe: 'On this one alone: id, name or path' },
        application: { type: 'string', describe: 'On resources of this application alone' },
      })
      .conflicts('push', ['since', 'until'])
      .example('$0 changes --since 2026-03-01T00:00:00Z', 'All changes since March')
      .example(
        '$0 changes --since 2026-03-01T00:00:00Z --principal ann@example.org',
        "Ann's alone",
      ),
  handler: asking<ChangesArguments>(async ({ client, output }, args) => {
    const { push, since, until, application } = args;
    const id = (of: 'principal' | 'resource'): Promise<string> | undefined =>
      args[of] === undefined ? undefined : idOf(client, of, args[of], since ?? until);
    const rows = await gathered(
      client.list<ChangedRow>('/api/v1/access:changes', {
        ...{ push, since, until, application },
        principal: await id('principal'),
        resource: await id('resource'),
      }),
    );
    output.rows(rows, ['principal', 'resource', 'gained', 'lost']);
  }),
});
