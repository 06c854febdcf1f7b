import type { Argv } from 'yargs';

import { RefusedRequest } from '../../client/client';
import { collectFirst, collectAll } from '../../client/collect-list';
import { printFirst } from '../../command/output';
import { confirming } from '../../client/push-payload';
import { findProvider, findExisting, idsOf } from '../../client/registered';
import { endpoints } from '../../registry/endpoints';
import { endpoints as verification } from '../../features/verification/endpoints';
import { endpoints as pushes } from '../../push/endpoints';
import {
  command,
  asking,
  type Context,
  type ServiceOptions,
  serviceOptions,
  Unsuccessful,
  WrongUsage,
} from '../../command/context';
import { EXIT } from '../../command/output';

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

const ACTIONS = ['list', 'delete'] as const;

interface RegistryArguments extends ServiceOptions {
  readonly action: (typeof ACTIONS)[number];
  readonly name: string | undefined;
  readonly confirmRemoval: string | undefined;
  readonly erase: boolean | undefined;
}

const deletion = {
  'confirm-removal': { type: 'string', describe: 'Token that the removal guard named' },
  erase: { type: 'boolean', describe: 'With delete: also remove the history' },
} as const;

/** Adds the options that list and delete entries of the registry. */
const registryOptions = <T>(yargs: Argv<T>, what: string) =>
  serviceOptions(yargs)
    .positional('action', { choices: ACTIONS, default: 'list', describe: 'What to do' })
    .positional('name', { type: 'string', describe: `With delete: name or id of the ${what}` })
    .options(deletion);

/**
 * The name of the entry to delete; `null` to list. Refuses options that belong only to the other
 * action.
 */
const deletedName = (
  command: string,
  { action, name, confirmRemoval, erase }: RegistryArguments,
): string | null => {
  if (action === 'delete') {
    if (name === undefined) throw new WrongUsage(`${command} delete: name what to delete.`);
    return name;
  }
  if (name !== undefined || confirmRemoval !== undefined || erase !== undefined) {
    throw new WrongUsage(`${command} list: it accepts no name, --confirm-removal or --erase.`);
  }
  return null;
};

interface Deleted {
  readonly id: string;
  readonly name: string;
}

/** What a deletion sends: it confirms a large removal, and says whether the history goes too. */
const removalOf = ({ confirmRemoval, erase }: RegistryArguments) => ({
  parameters: { erase: erase || undefined },
  headers: confirming(confirmRemoval),
});

/**
 * Prints whether what was deleted is gone. The service deletes large things after its answer
 * (docs/connectors.md: Removal guard).
 */
const printDeleted = async (
  { output }: Context,
  { id, name }: Deleted,
  read: () => Promise<unknown>,
): Promise<void> => {
  const isGone = await read().then(
    () => false,
    (error: unknown) => {
      if (error instanceof RefusedRequest && error.status === 404) return true;
      throw error;
    },
  );
  output.answer({ id, name, gone: isGone }, [
    isGone ? `Deleted: ${name}.` : `The service deletes ${name} in the background.`,
  ]);
};

/** `grantgraph providers`. */
export const providersCommand = command<RegistryArguments>({
  command: 'providers [action] [name]',
  describe: 'List the providers, or delete one with its data sources',
  builder: (yargs) =>
    registryOptions(yargs, 'provider')
      .example('$0 providers', 'All that the key may see')
      .example('$0 providers delete Directory', 'Delete it with all that was pushed to it'),
  handler: asking<RegistryArguments>(async (context, args) => {
    const { client, output } = context;
    const name = deletedName('providers', args);
    if (name !== null) {
      const found = await findProvider(client, name);
      const ids = { providerId: found.id };
      await client.call(endpoints.remove, ids, removalOf(args));
      return printDeleted(context, found, () => client.call(endpoints.read, ids));
    }
    output.rows(await collectAll(client.entries(endpoints.list, {})), [
      'name',
      'custom_template',
      'state',
      'id',
    ]);
  }),
});

/** `grantgraph data-sources`. */
export const dataSourcesCommand = command<RegistryArguments & OfProvider>({
  command: 'data-sources [action] [name]',
  describe: 'List the data sources of a provider, or delete one',
  builder: (yargs) =>
    registryOptions(yargs, 'data source')
      .options(provider)
      .example('$0 data-sources --provider Directory', 'Their state and their last pushes')
      .example(
        '$0 data-sources delete example.org --provider Directory',
        'Delete it with all that was pushed to it',
      ),
  handler: asking<RegistryArguments & OfProvider>(async (context, args) => {
    const { client, output } = context;
    const name = deletedName('data-sources', args);
    if (name !== null) {
      const target = await findExisting(client, { provider: args.provider, dataSource: name });
      const ids = idsOf(target);
      await client.call(endpoints.removeDataSource, ids, removalOf(args));
      return printDeleted(context, target.dataSource, () =>
        client.call(endpoints.readDataSource, ids),
      );
    }
    const { id } = await findProvider(client, args.provider);
    const list = client.entries(endpoints.listDataSources, { providerId: id });
    output.rows(await collectAll(list), ['name', 'status', 'rows', 'last_push_at', 'id']);
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
    const ids = idsOf(await findExisting(client, args));
    const { rows: listed, isCut } = await collectFirst(client.entries(pushes.list, ids), args.most);
    const columns = ['at', 'outcome', 'put', 'removed', 'warnings', 'problems', 'id'];
    const rows = listed.map((push) => ({
      ...push,
      put: push.put.nodes + push.put.relationships,
      removed: push.removed.nodes + push.removed.relationships,
      warnings: push.warning_count,
      problems: push.problem_count,
    }));
    printFirst(output, { rows: args.json ? listed : rows, isCut }, columns);
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
    const ids = idsOf(await findExisting(client, args));
    const parameters = { repair: args.repair || undefined };
    const answer = await client.call(verification.verify, ids, { parameters });
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
