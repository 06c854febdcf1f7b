import { confirming } from '../../client/push-payload';
import { type Doubt, endpoints, type ErasureAnswer } from './endpoints';
import { command, asking, type ServiceOptions, serviceOptions } from '../../command/context';
import { tableOf } from '../../command/output';

interface EraseArguments extends ServiceOptions {
  readonly person: string;
  readonly also: readonly string[] | undefined;
  readonly except: readonly string[] | undefined;
  readonly trust: readonly string[] | undefined;
  readonly confirm: string | undefined;
}

const listed = (title: string, values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [`${title}: ${values.join(', ')}`];

/** What the reasons for doubts mean. */
const REASONS: Readonly<Record<Doubt, string>> = {
  SAME_NAME: 'has the same name',
  SHARED: 'somebody else has it too',
  MAY_BE_SHARED: 'somebody else may have it too',
  OTHER_TIME: 'had an address of the person at another time',
  MENTIONS: 'mentions what is a name elsewhere',
  UNTRUSTED: 'a provider claims so that may not',
  OTHER_PROVIDER: 'only another provider says so',
};

const linesOf = ({ entities, kept, doubtful, ...answer }: ErasureAnswer): readonly string[] => {
  const counts = [
    `${answer.removed} entities go`,
    `${answer.changed} entities change`,
    `${answer.past_facts} past facts go or change`,
    `${answer.records} records change`,
  ].join(', ');
  const rows = entities.values.map(({ loses, ...row }) => ({ ...row, loses: loses.join(' ') }));
  return [
    ...listed('Looked for', answer.names),
    ...listed('Names that somebody else has too, and that stay', answer.shared_names),
    ...(rows.length === 0 ? [] : [tableOf(rows, ['change', 'label', 'name', 'loses', 'id'])]),
    ...(entities.truncated ? [`… ${entities.total} entities in all`] : []),
    ...(doubtful.total === 0
      ? []
      : [
          `${doubtful.total} are perhaps the person's, and stay, unless --also names them, or --trust a provider that says so:`,
          tableOf(
            doubtful.values.map(({ reason, ...row }) => ({ ...row, why: REASONS[reason] })),
            ['why', 'label', 'name', 'id'],
          ),
          ...(doubtful.truncated ? [`… ${doubtful.total} in all`] : []),
        ]),
    ...(kept.total === 0
      ? []
      : [
          `${kept.total} have one of the names, are something else, and stay:`,
          tableOf(kept.values, ['label', 'name', 'id']),
          ...(kept.truncated ? [`… ${kept.total} in all`] : []),
        ]),
    answer.erased ? `Erased: ${counts}.` : `Nothing is erased yet: ${counts}.`,
  ];
};

/** `grantgraph erase`: prints the plan, or erases what the token of the plan confirms. */
export const eraseCommand = command<EraseArguments>({
  command: 'erase <person>',
  describe: 'Erase a person from the graph, its history and its records',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('person', { type: 'string', describe: 'A key, an id, an email or a name' })
      .options({
        also: {
          type: 'string',
          array: true,
          describe: 'Ids of doubtful entities that go too',
        },
        except: {
          type: 'string',
          array: true,
          describe: 'Ids of entities that the plan removes or changes, and that stay',
        },
        trust: {
          type: 'string',
          array: true,
          describe: 'Providers, such as your directory, whose word on the person counts everywhere',
        },
        confirm: { type: 'string', describe: 'The token that the plan printed' },
      })
      .example('$0 erase ann@example.org', 'What would be erased, and the token that confirms it'),
  handler: asking<EraseArguments>(async ({ client, output }, asked) => {
    const { person, also, except, trust, confirm } = asked;
    const { value } = await client.call(
      endpoints.erase,
      {},
      {
        body: {
          principal: person,
          also,
          except,
          trusted_providers: trust,
        },
        headers: confirming(confirm),
      },
    );
    output.answer(value, linesOf(value));
    if (!value.erased) output.note(`To erase this, add --confirm ${value.confirmation}`);
  }),
});
