import { collectWithFirst } from '../../client/collect-list';
import { endpoints } from '../../questions/endpoints';
import { askedAbout, idOf, printHuman, whomOf } from '../../command/candidates';
import {
  asking,
  command,
  instants,
  type ServiceOptions,
  serviceOptions,
} from '../../command/context';

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
        ...instants({ since: 'From this instant, such as 2026-03-01T12:00:00Z' }),
        ...instants({ until: 'To this instant; now, if there is none' }),
        principal: { type: 'string', describe: 'Only of this one: id, name or email' },
        resource: { type: 'string', describe: 'Only on this one: id, name or path' },
        application: { type: 'string', describe: 'Only on resources of this application' },
      })
      .conflicts('push', ['since', 'until'])
      .example('$0 changes --since 2026-03-01T00:00:00Z', 'All changes since March')
      .example(
        '$0 changes --since 2026-03-01T00:00:00Z --principal ann@example.org',
        "Ann's alone",
      ),
  handler: asking<ChangesArguments>(async ({ client, output }, args) => {
    const { push, since, until, application } = args;
    const at = since ?? until;
    const whom = args.principal === undefined ? null : await whomOf(client, args.principal, at);
    const resource =
      args.resource === undefined ? undefined : await idOf(client, 'resource', args.resource, at);
    const asked = {
      push,
      since,
      until,
      application,
      resource,
      principal: whom?.principal,
      person: whom?.person,
    };
    const ask = () => collectWithFirst(client.pagesOf(endpoints.changes, {}, asked));
    const { first, rows } = await (whom === null ? ask() : askedAbout(whom, ask));
    if (first !== null) printHuman(output, first);
    if (first?.from_beginning === true) {
      output.tell(`The history begins at ${first.from}, so the answer begins there.`);
    }
    output.rows(rows, ['principal', 'resource', 'gained', 'lost']);
  }),
});
