import { gathered } from '../../client/gathered';
import { dataSourcesPath, findProvider, findTarget, listProviders } from '../../client/registered';
import type { ListedPush } from '../../contract/answers/pushes';
import type { DataSource } from '../../contract/answers/registry';
import type { Verification } from '../../contract/answers/verification';
import { command, asking, type ServiceOptions, serviceOptions, Unsuccessful } from '../context';
import { EXIT } from '../output';

interface OfProvider extends ServiceOptions {
  readonly provider: string;
}

interface OfDataSource extends OfProvider {
  readonly dataSource: string;
}

const provider = {
  provider: { type: 'string', demandOption: true, describe: 'Name or id of the provider' },
} as const;
const dataSource = {
  ...provider,
  'data-source': { type: 'string', demandOption: true, describe: 'Name or id of the data source' },
} as const;

/** `grantgraph providers`. */
export const providersCommand = command<ServiceOptions>({
  command: 'providers',
  describe: 'List the providers',
  builder: (yargs) => serviceOptions(yargs).example('$0 providers', 'All that the key may see'),
  handler: asking<ServiceOptions>(async ({ client, output }) => {
    output.rows(await gathered(listProviders(client)), ['name', 'custom_template', 'state', 'id']);
  }),
});

/** `grantgraph data-sources`. */
export const dataSourcesCommand = command<OfProvider>({
  command: 'data-sources',
  describe: 'List the data sources of a provider',
  builder: (yargs) =>
    serviceOptions(yargs)
      .options(provider)
      .example('$0 data-sources --provider Directory', 'Their state and their last pushes'),
  handler: asking<OfProvider>(async ({ client, output }, args) => {
    const path = dataSourcesPath(await findProvider(client, args.provider));
    const columns = ['name', 'status', 'rows', 'last_push_at', 'id'];
    output.rows(await gathered(client.list<DataSource>(path)), columns);
  }),
});

/** `grantgraph pushes`. */
export const pushesCommand = command<OfDataSource & { readonly most: number }>({
  command: 'pushes',
  describe: 'List the pushes to a data source, newest first',
  builder: (yargs) =>
    serviceOptions(yargs)
      .options({
        ...dataSource,
        most: { type: 'number', default: 20, describe: 'How many to list' },
      })
      .example(
        '$0 pushes --provider Directory --data-source example.org --most 5',
        'What the last five pushes did',
      ),
  handler: asking<OfDataSource & { readonly most: number }>(async ({ client, output }, args) => {
    const { path } = await findTarget(client, args);
    const pushes = await gathered(client.list<ListedPush>(`${path}/pushes`), args.most);
    const columns = ['at', 'outcome', 'put', 'removed', 'warnings', 'problems', 'id'];
    const rows = pushes.map((push) => ({
      ...push,
      put: push.put.nodes + push.put.relationships,
      removed: push.removed.nodes + push.removed.relationships,
      warnings: push.warning_count,
      problems: push.problem_count,
    }));
    output.rows(args.json ? pushes : rows, columns);
  }),
});

/** `grantgraph verify`: ends with the exit code 1 if somebody changed the graph by hand. */
export const verifyCommand = command<OfDataSource & { readonly repair: boolean }>({
  command: 'verify',
  describe: 'Find what somebody changed by hand in Neo4j',
  builder: (yargs) =>
    serviceOptions(yargs)
      .options({
        ...dataSource,
        repair: { type: 'boolean', default: false, describe: 'Put right what can be' },
      })
      .example(
        '$0 verify --provider Directory --data-source example.org',
        'Ends with the exit code 1 if somebody changed the graph',
      ),
  handler: asking<OfDataSource & { readonly repair: boolean }>(async ({ client, output }, args) => {
    const { path } = await findTarget(client, args);
    const parameters = args.repair ? { repair: true } : {};
    const answer = await client.post<Verification>(`${path}:verify`, {}, { parameters });
    const { sound, findings, rows } = answer;
    output.answer(answer, [
      ...findings.values.map(
        ({ what, node, property, remedy }) =>
          `${what} ${node?.label ?? ''} ${node?.id ?? ''} ${property ?? ''} (${remedy})`,
      ),
      sound
        ? `Sound: ${rows.found} rows are as they were pushed.`
        : `${findings.total} findings; ${rows.gone} rows are gone.`,
    ]);
    if (!sound) throw new Unsuccessful(EXIT.refused);
  }),
});
