import type { Client } from '../../client/client';
import { findProvider } from '../../client/registered';
import {
  ACTION_STATUSES,
  endpoints,
  type LifecycleActionAnswer,
  type LifecyclePlan,
  type LifecycleStatus,
  type Policy,
  type PolicyRequest,
} from './endpoints';
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
  'list',
  'show',
  'set',
  'remove',
  'plan',
  'run',
  'status',
  'confirm',
  'actions',
  'retry',
  'release',
] as const;

interface PoliciesArguments extends ServiceOptions {
  readonly action: (typeof ACTIONS)[number];
  readonly provider: string;
  readonly policy: string | undefined;
  readonly file: string | undefined;
  readonly full: boolean;
  readonly token: string | undefined;
  readonly status: string | undefined;
  readonly ids: readonly string[] | undefined;
  readonly person: string | undefined;
  readonly account: string | undefined;
}

const policiesOf = async (client: Client, providerId: string): Promise<readonly Policy[]> =>
  (await client.call(endpoints.list, { providerId })).values;

/** The policy with this name or id. */
const policyNamed = async (
  { client }: Context,
  providerId: string,
  name: string | undefined,
): Promise<Policy> => {
  if (name === undefined) throw new WrongUsage('Name the --policy.');
  const found = (await policiesOf(client, providerId)).find(
    (policy) => policy.id === name || policy.name.toLowerCase() === name.toLowerCase(),
  );
  if (found === undefined) throw new WrongUsage(`There is no policy ${JSON.stringify(name)}.`);
  return found;
};

const lineOfPolicy = ({ name, state, who, groups, leavers, drift }: Policy): string => {
  const selectors = who.map(({ in: sources, filter, group, department }) =>
    // The key of a group begins with its data source.
    group === undefined
      ? `${filter ?? `department ${department ?? ''}`} in ${sources.join(', ')}`
      : `group ${group}`,
  );
  const rule =
    leavers.action === 'delete' && leavers.after_days > 0
      ? `delete after ${leavers.after_days} days`
      : leavers.action;
  return [
    `${name} (${state}): ${selectors.join(' or ')}`,
    groups.length === 0 ? '' : `groups ${groups.map((group) => group.name).join(', ')}`,
    `leavers ${rule}`,
    `drift ${drift}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
};

const countsIn = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, number]) => `${what} ${number}`)
    .join(', ') || 'none';

const linesOfPlan = (plan: LifecyclePlan): readonly string[] => [
  ...plan.actions.map(
    ({ kind, people, group, why }) =>
      `would ${kind}${group === null ? '' : ` ${JSON.stringify(group)}`} ${people.join(', ')}: ${why}`,
  ),
  ...plan.incomplete.map(({ person, message }) => `no account for ${person}: ${message}`),
  ...plan.leavers_reported.map((person) => `left: ${person}`),
  ...(plan.drift ?? []).map(({ person, what, details }) =>
    `differs: ${person} ${what} ${details.join(', ')}`.trim(),
  ),
  ...plan.guard.map(
    ({ name, people, joiners, accounts }) =>
      `The guard of ${name} stops this: ${people} of ${accounts} accounts would go, ${joiners} would come.`,
  ),
  `In all: ${countsIn(plan.counts)}.`,
];

const linesOfStatus = (status: LifecycleStatus): readonly string[] => {
  const { running, run_at, outcome, problem, confirmation, accounts, actions, drift } = status;
  return [
    outcome === null
      ? 'The policies have not run yet.'
      : `Last run: ${outcome} at ${run_at ?? '?'}`,
    ...(running ? ['A run is under way.'] : []),
    ...(problem === null ? [] : [problem]),
    ...(confirmation === null
      ? []
      : [
          `${confirmation.people} people would lose their accounts, ${confirmation.joiners} would get some; ` +
            `confirm: ${confirmation.token}`,
        ]),
    `Accounts: ${countsIn(accounts)}. Actions: ${countsIn(actions)}. Differences: ${drift}.`,
  ];
};

const lineOfAction = (action: LifecycleActionAnswer): string => {
  const { id, kind, status, people, group, attempts, problem, why } = action;
  return [
    `${id} ${status} ${kind}`,
    group === null ? '' : JSON.stringify(group),
    people.join(', '),
    problem === null ? why : `(${attempts} tries) ${problem.code}: ${problem.message}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

const print = ({ output }: Context, status: LifecycleStatus): void => {
  output.answer(status, linesOfStatus(status));
  if (status.outcome === 'FAILED' || status.outcome === 'AWAITING_CONFIRMATION') {
    throw new Unsuccessful(EXIT.refused);
  }
};

/** Sets a policy: the one that has its name, or else a new one. */
const setPolicy = async (
  { client, output }: Context,
  providerId: string,
  file: string | undefined,
): Promise<void> => {
  const advice = 'policies set: name the --file of the policy';
  // The service checks what the file holds.
  const body = (await readJson(file, advice)) as PolicyRequest;
  const name = typeof body.name === 'string' ? body.name.toLowerCase() : null;
  const same = (await policiesOf(client, providerId)).find(
    (each) => each.name.toLowerCase() === name,
  );
  const answer =
    same === undefined
      ? await client.call(endpoints.add, { providerId }, { body })
      : await client.call(endpoints.set, { providerId, policyId: same.id }, { body });
  output.answer(answer, [lineOfPolicy(answer.value), ...(answer.warnings ?? [])]);
};

/** `grantgraph policies`: who must have accounts in the application of a provider. */
export const policiesCommand = command<PoliciesArguments>({
  command: 'policies <action>',
  describe: 'Say who must have accounts in the application of a provider, and follow what happens',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: ACTIONS, demandOption: true, describe: 'What to do' })
      .options({
        provider: { type: 'string', demandOption: true, describe: 'Name or id of the provider' },
        policy: { type: 'string', describe: 'Name or id of the policy' },
        file: { type: 'string', describe: 'JSON of the policy to set; - reads the input' },
        full: {
          type: 'boolean',
          default: false,
          describe: 'Read the application too, for changes by hand',
        },
        token: { type: 'string', describe: 'What a confirmation names; see status' },
        status: { choices: ACTION_STATUSES, describe: 'Actions of this status' },
        ids: { type: 'string', array: true, describe: 'Ids of actions to try again' },
        person: { type: 'string', describe: 'Key of the person whose account to release' },
        account: { type: 'string', describe: 'Or the id of that account in the application' },
      })
      .example('$0 policies set --provider Wiki --file policy.json', 'Set a policy')
      .example('$0 policies plan --provider Wiki', 'What the policies would do now')
      .example('$0 policies actions --provider Wiki --status DEAD', 'What was given up, and why'),
  handler: asking<PoliciesArguments>(async (context, args) => {
    const { client, output } = context;
    const { id } = await findProvider(client, args.provider);
    const ids = { providerId: id };
    const parameters = { full: args.full || undefined };
    switch (args.action) {
      case 'list': {
        const { values } = await client.call(endpoints.list, ids);
        output.answer({ values }, values.map(lineOfPolicy));
        return;
      }
      case 'show': {
        const policy = await policyNamed(context, id, args.policy);
        output.answer(policy, [JSON.stringify(policy, null, 2)]);
        return;
      }
      case 'set':
        return setPolicy(context, id, args.file);
      case 'remove': {
        const policy = await policyNamed(context, id, args.policy);
        output.answer(await client.call(endpoints.remove, { ...ids, policyId: policy.id }), [
          `Done: ${policy.name} is removed; its accounts stay.`,
        ]);
        return;
      }
      case 'plan': {
        const { value } = await client.call(endpoints.plan, ids, { parameters });
        output.answer(value, linesOfPlan(value));
        return;
      }
      case 'run':
        return print(context, (await client.call(endpoints.run, ids, { parameters })).value);
      case 'status': {
        const { value } = await client.call(endpoints.status, ids);
        output.answer(value, linesOfStatus(value));
        return;
      }
      case 'confirm': {
        if (args.token === undefined) throw new WrongUsage('policies confirm: name the --token.');
        const body = { token: args.token };
        return print(context, (await client.call(endpoints.confirm, ids, { body })).value);
      }
      case 'actions': {
        const { status } = args;
        const policy =
          args.policy === undefined ? undefined : (await policyNamed(context, id, args.policy)).id;
        const page = await client.call(endpoints.listActions, ids, {
          parameters: { page_size: 1000, status, policy },
        });
        output.answer(page, page.values.map(lineOfAction));
        return;
      }
      case 'release': {
        const { person, account } = args;
        if ((person === undefined) === (account === undefined)) {
          throw new WrongUsage('policies release: name the --person or the --account.');
        }
        const { value } = await client.call(endpoints.release, ids, { body: { person, account } });
        output.answer(value, [
          `Released: the account ${value.account ?? '(none seen)'} of ${value.person}. It stays as it is.`,
        ]);
        return;
      }
      case 'retry': {
        const answer = await client.call(endpoints.retry, ids, { body: { actions: args.ids } });
        output.answer(answer, [`${answer.retried} actions will be tried again.`]);
        return;
      }
    }
  }),
});
