import { findProvider } from '../../client/registered';
import {
  asking,
  command,
  type ServiceOptions,
  serviceOptions,
  WrongUsage,
} from '../../command/context';
import { endpoints, type SetTrustsRequest, type TrustsChanged } from './endpoints';

const TRUST_ACTIONS = ['list', 'set', 'remove'] as const;

interface TrustsArguments extends ServiceOptions {
  readonly action: (typeof TRUST_ACTIONS)[number];
  readonly name: string | undefined;
  readonly emailDomains: readonly string[] | undefined;
  readonly onlyTheseDomains: boolean | undefined;
  readonly identityProviders: readonly string[] | undefined;
  readonly dryRun: boolean;
}

/** What a provider may claim, from the arguments; `{}` removes the trust. */
const wantedTrusts = ({
  action,
  emailDomains,
  onlyTheseDomains,
  identityProviders,
}: TrustsArguments): SetTrustsRequest => {
  const wanted = {
    ...(emailDomains === undefined ? {} : { email_domains: emailDomains }),
    ...(onlyTheseDomains === undefined ? {} : { only_these_domains: onlyTheseDomains }),
    ...(identityProviders === undefined ? {} : { identity_providers: identityProviders }),
  };
  const isEmpty = Object.keys(wanted).length === 0;
  if (action === 'set' && isEmpty) {
    throw new WrongUsage('trusts set: say what the provider may claim, or use trusts remove.');
  }
  if (action === 'remove' && !isEmpty) {
    throw new WrongUsage('trusts remove: it removes all trusts of the provider, so name none.');
  }
  return wanted;
};

const linesOfTrusts = ({ dry_run, changes }: TrustsChanged): readonly string[] => [
  ...changes.values.map(({ change, type, from, to }) => `${change} ${from} ${type} ${to}`),
  `${dry_run ? 'Nothing was set. It would draw' : 'Set. It drew'} ${changes.created} relationships and ${dry_run ? 'remove' : 'removed'} ${changes.removed}.`,
];

/** `grantgraph trusts`. */
export const trustsCommand = command<TrustsArguments>({
  command: 'trusts [action] [name]',
  describe: 'List, set and remove what providers may claim about people',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: TRUST_ACTIONS, default: 'list', describe: 'What to do' })
      .positional('name', { type: 'string', describe: 'Name or id of the provider' })
      .options({
        'email-domains': { type: 'string', array: true, describe: 'Domains that it may claim' },
        'only-these-domains': { type: 'boolean', describe: 'Its people are known by nothing else' },
        'identity-providers': {
          type: 'string',
          array: true,
          describe: 'Names or ids of the directories that it means; none: nobody else',
        },
        'dry-run': { type: 'boolean', default: false, describe: 'Only show what would change' },
      })
      .example('$0 trusts', 'What all providers may claim')
      .example('$0 trusts set Directory --email-domains acme.com --dry-run', 'What would change'),
  handler: asking<TrustsArguments>(async ({ client, output }, args) => {
    const { action, name, dryRun } = args;
    const wanted = wantedTrusts(args);
    if (action === 'list') {
      if (name !== undefined || dryRun || Object.keys(wanted).length > 0) {
        throw new WrongUsage('trusts list: it accepts no name and no options.');
      }
      const { values } = await client.call(endpoints.list, {});
      const columns = ['provider', 'email_domains', 'only_these_domains', 'identity_providers'];
      output.rows(values, columns);
      return;
    }
    if (name === undefined) throw new WrongUsage(`trusts ${action}: name the provider.`);
    const { id } = await findProvider(client, name);
    const { value } = await client.call(
      endpoints.set,
      { providerId: id },
      { body: wanted, parameters: { dry_run: dryRun || undefined } },
    );
    output.answer(value, linesOfTrusts(value));
  }),
});
