import { followEvents } from '../../client/follow-events';
import type { EventAnswer } from '../../contract/answers/events';
import { pathOf } from '../../contract/parameters/path-of';
import { command, asking, type ServiceOptions, serviceOptions } from '../../command/context';
import { collectFirst } from '../../client/collect-list';
import { endpoints } from './endpoints';
import { printFirst } from '../../command/output';
import { hasReader, printLines, visible } from '../../visible-text';

interface EventsArguments extends ServiceOptions {
  readonly follow: boolean;
  readonly filter: string | undefined;
  readonly most: number;
}

const lineOf = ({ timestamp, severity, event_type, message }: EventAnswer): string =>
  `${timestamp} ${severity} ${event_type} ${message}`;

/**
 * `grantgraph events`. With `--follow` it prints each event after its commit, until somebody stops
 * it.
 */
export const eventsCommand = command<EventsArguments>({
  command: 'events',
  describe: 'List what happened, newest first',
  builder: (yargs) =>
    serviceOptions(yargs)
      .options({
        follow: { type: 'boolean', default: false, describe: 'Print events as they happen' },
        filter: { type: 'string', describe: 'Such as: event_type eq "PUSH_REFUSED"' },
        most: { type: 'number', default: 20, describe: 'How many to list' },
      })
      .example('$0 events --follow', 'Watch the service'),
  handler: asking<EventsArguments>(async ({ client, output }, { follow, filter, most, json }) => {
    if (!follow) {
      const list = client.entries(endpoints.list, {}, { filter });
      const columns = ['timestamp', 'severity', 'event_type', 'message'];
      printFirst(output, await collectFirst(list, most), columns);
      return;
    }
    for await (const event of followEvents(client, pathOf(endpoints.stream, {}), filter)) {
      printLines(visible(json ? JSON.stringify(event) : lineOf(event)));
      if (!hasReader()) return;
    }
  }),
});
