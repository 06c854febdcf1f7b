import { confirming } from '../../client/push-payload';
import { findProvider } from '../../client/registered';
import {
  type ActionAnswer,
  type Connection,
  type ConnectionTest,
  endpoints,
  type ImportAnswer,
  type ImportSettingsAnswer,
  type SetConnectionRequest,
} from './endpoints';
import { idOf } from '../../command/candidates';
import {
  asking,
  command,
  type Context,
  type ServiceOptions,
  serviceOptions,
  Unsuccessful,
  WrongUsage,
} from '../../command/context';
import { EXIT } from '../../command/output';
import { readJson } from '../../command/read-json';

const ACTIONS = [
  'show',
  'set',
  'test',
  'remove',
  'provision',
  'update',
  'disable',
  'delete',
  'add-members',
  'remove-members',
  'import',
  'import-settings',
  'import-remove',
] as const;

interface ScimArguments extends ServiceOptions {
  readonly action: (typeof ACTIONS)[number];
  readonly provider: string;
  readonly file: string | undefined;
  readonly users: readonly string[] | undefined;
  readonly accounts: readonly string[] | undefined;
  readonly group: string | undefined;
  readonly adopt: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly whole: boolean;
  readonly every: string | undefined;
  readonly wholeEvery: string | undefined;
  readonly dataSource: string | undefined;
  readonly leaveOut: string | undefined;
  readonly confirmRemoval: string | undefined;
}

const seconds = (count: number): string =>
  count % 3600 === 0 ? `${count / 3600} h` : count % 60 === 0 ? `${count / 60} min` : `${count} s`;

/** The settings of an import, for people. */
const linesOfImportSettings = (value: ImportSettingsAnswer): readonly string[] => {
  const { every, whole_every, leave_out, next_at, last, failures } = value;
  return [
    every === null
      ? 'Imported by call.'
      : `Imported every ${seconds(every)}, next at ${next_at ?? 'no time'}.`,
    value.finds_changes
      ? `Read completely every ${seconds(whole_every)}, and in between only what changed.`
      : value.misses_changes
        ? 'Read completely each time, because the application does not date every change.'
        : 'Read completely each time, until the application is seen to find what changed.',
    ...(leave_out === null ? [] : [`Left out: ${leave_out}`]),
    ...(value.is_running ? ['An import runs.'] : []),
    ...(last === null
      ? ['Not imported yet.']
      : [
          `Last: ${last.outcome} at ${last.at}${last.problem === null ? '' : `: ${last.problem.code}: ${last.problem.message}`}`,
        ]),
    ...(failures > 1 ? [`Failed ${failures} times in a row.`] : []),
  ];
};

/** What an import did, for people. */
const linesOfImport = (answer: ImportAnswer): readonly string[] => {
  const { dry_run, reading, read, problem, push, plan, requests } = answer;
  if (problem !== null || read === null) {
    return [`failed ${problem?.code ?? ''}: ${problem?.message ?? ''}`, 'Nothing was changed.'];
  }
  const effect = push ?? plan;
  return [
    `Read ${reading === 'whole' ? 'the complete application' : 'what changed'} with ${requests} requests: ` +
      `${read.accounts} accounts, ${read.groups} groups.`,
    ...(read.left_out === 0 ? [] : [`Left out ${read.left_out} accounts, as the settings say.`]),
    ...(read.unknown_members === 0
      ? []
      : [`${read.unknown_members} members are no account or group of the application.`]),
    ...read.remarks,
    ...(read.remark_count > read.remarks.length
      ? [`… and ${read.remark_count - read.remarks.length} more.`]
      : []),
    effect === undefined || effect.unchanged
      ? dry_run
        ? 'Nothing would change.'
        : 'Nothing changed.'
      : `${dry_run ? 'Would put' : 'Put'} ${effect.put.nodes} nodes and ${effect.put.relationships} relationships, ` +
        `${dry_run ? 'remove' : 'removed'} ${effect.removed.nodes} and ${effect.removed.relationships}; ` +
        `${effect.warnings.length} warnings.`,
    ...(plan?.confirmation == null ? [] : [plan.confirmation.message]),
  ];
};

/** A secret must not be on the command line, where other users of the machine can see it. */
const readConnection = (file: string | undefined): Promise<SetConnectionRequest> =>
  // The service checks what the file holds.
  readJson(file, 'scim set: name the --file of the connection') as Promise<SetConnectionRequest>;

/**
 * The id of a user. A text with a bar is an id and needs no search; a key that is limited to
 * providers may not search.
 */
const userId = async ({ client }: Context, name: string): Promise<string> =>
  name.includes('|') ? name : idOf(client, 'user', name, undefined);

const oneOf = (what: string, values: readonly string[] | undefined): string => {
  const [one, another] = values ?? [];
  if (one !== undefined && another === undefined) return one;
  throw new WrongUsage(`Name one ${what}.`);
};

const printResults = ({ output }: Context, answer: ActionAnswer): void => {
  const { dry_run, values, requests } = answer;
  const shown = dry_run ? requests : [];
  output.answer(answer, [
    ...shown.map(({ method, path, body, sent }) =>
      [
        sent ? 'sent' : 'would send',
        method,
        path,
        ...(body === undefined ? [] : [JSON.stringify(body)]),
      ].join(' '),
    ),
    ...values.map(({ user, account, outcome, confirmed, ignored, problem }) =>
      [
        `${dry_run && problem === null ? 'would be ' : ''}${outcome}`,
        user ?? '',
        account === null ? '' : `(account ${account})`,
        problem === null ? '' : `${problem.code}: ${problem.message}`,
        dry_run || confirmed || problem !== null
          ? ''
          : 'not confirmed: the application does not show it',
        ignored.length === 0 ? '' : `not stored: ${ignored.join(', ')}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    ),
  ]);
  if (values.some(({ problem }) => problem !== null)) throw new Unsuccessful(EXIT.refused);
};

/** Carries out an action on accounts. */
const act = async (
  context: Context,
  providerId: string,
  { action, users, accounts, group, adopt, force, dryRun }: ScimArguments,
): Promise<ActionAnswer> => {
  const { client } = context;
  const ids = { providerId };
  const parameters = { dry_run: dryRun || undefined };
  const more = { adopt: adopt || undefined, force: force || undefined };
  const one = () => userId(context, oneOf('of --users', users));
  if (action === 'provision' || action === 'update') {
    const body = { user: await one(), ...more };
    return client.call(endpoints[action], ids, { parameters, body });
  }
  if (action === 'disable' || action === 'delete') {
    // The service refuses both together, and neither.
    const account = accounts === undefined ? undefined : oneOf('of --accounts', accounts);
    const user = users === undefined ? undefined : await one();
    const body = { how: action, user, account, ...more };
    return client.call(endpoints.deprovision, ids, { parameters, body });
  }
  if (group === undefined) throw new WrongUsage(`scim ${action}: name the --group.`);
  const members = await Promise.all((users ?? []).map((name) => userId(context, name)));
  const body = { group, users: members, accounts: accounts ?? [], ...more };
  const endpoint = action === 'add-members' ? endpoints.addMembers : endpoints.removeMembers;
  return client.call(endpoint, ids, { parameters, body });
};

const linesOfTest = ({ works, problem, can, warnings }: ConnectionTest): readonly string[] => [
  works ? 'The application answers.' : `${problem?.code ?? ''}: ${problem?.message ?? ''}`,
  ...(can === null
    ? []
    : [
        `It ${can.announces ? 'announces' : 'does not announce'} what it can do.`,
        `Changes by ${can.patch ? 'PATCH' : 'PUT'}, ${can.filter ? 'with' : 'without'} filters, pages by ${can.paging}.`,
        `Resources: ${can.resource_types.join(', ') || 'not listed'}.`,
      ]),
  ...warnings,
];

const linesOfConnection = ({
  base_url,
  authentication,
  attributes,
}: Connection): readonly string[] => [
  `${base_url} (${authentication.type})`,
  ...Object.entries(attributes).map(([path, from]) => `${path}: ${from.join(', else ')}`),
];

/** Seconds, or a duration. */
const interval = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

/** Shows how an application is imported, or sets it if options say how. */
const importSettings = async (
  { client, output }: Context,
  providerId: string,
  { every, wholeEvery, dataSource, leaveOut }: ScimArguments,
): Promise<void> => {
  const settings = {
    ...(every === undefined || every === 'never' ? {} : { every: interval(every) }),
    ...(wholeEvery === undefined ? {} : { whole_every: interval(wholeEvery) }),
    ...(dataSource === undefined ? {} : { data_source: dataSource }),
    ...(leaveOut === undefined ? {} : { leave_out: leaveOut }),
  };
  const isSet = every !== undefined || Object.keys(settings).length > 0;
  const { value } = isSet
    ? await client.call(endpoints.setImport, { providerId }, { body: settings })
    : await client.call(endpoints.readImport, { providerId });
  output.answer(value, linesOfImportSettings(value));
};

const runImport = async (
  { client, output }: Context,
  providerId: string,
  { dryRun, whole, confirmRemoval }: ScimArguments,
): Promise<void> => {
  const answer = await client.call(
    endpoints.runImport,
    { providerId },
    {
      parameters: { dry_run: dryRun || undefined, whole: whole || undefined },
      headers: confirming(confirmRemoval),
    },
  );
  output.answer(answer, linesOfImport(answer));
  if (answer.problem !== null) throw new Unsuccessful(EXIT.refused);
};

/** `grantgraph scim`: accounts and groups in the application of a provider, by hand. */
export const scimCommand = command<ScimArguments>({
  command: 'scim <action>',
  describe: 'Connect a provider to its application, and manage accounts there by hand',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: ACTIONS, demandOption: true, describe: 'What to do' })
      .options({
        provider: { type: 'string', demandOption: true, describe: 'Name or id of the provider' },
        file: { type: 'string', describe: 'JSON of the connection to set; - reads the input' },
        users: { type: 'string', array: true, describe: 'Names, emails or ids of users' },
        accounts: { type: 'string', array: true, describe: 'Ids of accounts in the application' },
        group: { type: 'string', describe: 'Name or id of the group in the application' },
        adopt: {
          type: 'boolean',
          default: false,
          describe: 'An account that names somebody else belongs to the user nevertheless',
        },
        force: {
          type: 'boolean',
          default: false,
          describe: 'Change the account although a policy manages it for somebody else',
        },
        'dry-run': {
          type: 'boolean',
          default: false,
          describe: 'Show the requests or the plan of an import, change nothing',
        },
        every: { type: 'string', describe: 'How often to import: PT1H, seconds, or never' },
        'whole-every': { type: 'string', describe: 'How often to read the complete application' },
        'data-source': { type: 'string', describe: 'Data source to which to import' },
        'leave-out': { type: 'string', describe: 'Filter of accounts that are not imported' },
        whole: { type: 'boolean', default: false, describe: 'Read the complete application' },
        'confirm-removal': { type: 'string', describe: 'What the removal guard named' },
      })
      .example('$0 scim test --provider Wiki', 'What the application can do')
      .example(
        '$0 scim provision --provider Wiki --users ann@halden.example --dry-run',
        'The requests that would give Ann an account',
      )
      .example(
        '$0 scim import-settings --provider Wiki --every PT1H',
        'Import the application once an hour',
      )
      .example('$0 scim import --provider Wiki --dry-run', 'What an import would change'),
  handler: asking<ScimArguments>(async (context, args) => {
    const { client, output } = context;
    const { id } = await findProvider(client, args.provider);
    const ids = { providerId: id };
    const { action } = args;
    if (action === 'show' || action === 'set') {
      const { value } =
        action === 'show'
          ? await client.call(endpoints.read, ids)
          : await client.call(endpoints.set, ids, { body: await readConnection(args.file) });
      output.answer(value, linesOfConnection(value));
    } else if (action === 'remove') {
      const answer = await client.call(endpoints.remove, ids);
      output.answer(answer, ['Done: the connection is removed.']);
    } else if (action === 'import') {
      await runImport(context, id, args);
    } else if (action === 'import-settings') {
      await importSettings(context, id, args);
    } else if (action === 'import-remove') {
      const answer = await client.call(endpoints.removeImport, ids);
      output.answer(answer, ['Done: it is no longer imported.']);
    } else if (action === 'test') {
      const { value } = await client.call(endpoints.test, ids);
      output.answer(value, linesOfTest(value));
      if (!value.works) throw new Unsuccessful(EXIT.refused);
    } else {
      printResults(context, await act(context, id, args));
    }
  }),
});
