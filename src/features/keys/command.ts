import { findProvider } from '../../client/registered';
import { TeamKeyScope } from '../../contract/team-key';
import type { TeamKey } from './records';
import { endpoints } from './endpoints';
import {
  command,
  asking,
  instants,
  refuseIgnored,
  type ServiceOptions,
  serviceOptions,
  WrongUsage,
} from '../../command/context';
import { collectAll } from '../../client/collect-list';
import { tableOf } from '../../command/output';

const ACTIONS = ['list', 'create', 'rotate', 'revoke', 'reinstate', 'delete'] as const;

/** The fields of a key that people see. */
const SHOWN = ['name', 'status', 'scopes', 'providers', 'expires_at', 'last_used_at', 'id'];

interface KeysArguments extends ServiceOptions {
  readonly action: (typeof ACTIONS)[number];
  readonly name: string | undefined;
  readonly scopes: readonly TeamKeyScope[] | undefined;
  readonly providers: readonly string[] | undefined;
  readonly expiresAt: string | undefined;
  readonly validUntil: string | undefined;
}

/** The options that each action uses. The others would be ignored, so they are refused. */
const USED: Readonly<Record<(typeof ACTIONS)[number], readonly string[]>> = {
  list: [],
  create: ['name', 'scopes', 'providers', 'expiresAt'],
  rotate: ['name', 'expiresAt', 'validUntil'],
  revoke: ['name'],
  reinstate: ['name'],
  delete: ['name'],
};

/** `grantgraph keys`. */
export const keysCommand = command<KeysArguments>({
  command: 'keys [action] [name]',
  describe: 'List, create, rotate, revoke, reinstate and delete team keys',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: ACTIONS, default: 'list', describe: 'What to do' })
      .positional('name', { type: 'string', describe: 'Name or id of the key' })
      .options({
        scopes: {
          type: 'string',
          array: true,
          choices: TeamKeyScope.values,
          describe: 'Without: push and read',
        },
        providers: { type: 'string', array: true, describe: 'Names or ids of the only providers' },
        ...instants({
          'expires-at': 'Such as 2027-01-01T00:00:00Z; without, a rotated key keeps its date',
        }),
        ...instants({ 'valid-until': 'When the old key of a rotation ends; without: after a day' }),
      })
      .example('$0 keys create "HR connector" --scopes push --providers People', 'A key'),
  handler: asking<KeysArguments>(async ({ client, output }, args) => {
    const { action, name } = args;
    refuseIgnored('keys', args, USED);
    if (action === 'list') {
      output.rows(await collectAll(client.entries(endpoints.list, {})), SHOWN);
      return;
    }
    if (name === undefined) throw new WrongUsage(`keys ${action}: name the key.`);
    if (action === 'create') {
      const providers = await Promise.all(
        (args.providers ?? []).map(async (one) => (await findProvider(client, one)).id),
      );
      const { value } = await client.call(
        endpoints.create,
        {},
        { body: { name, scopes: args.scopes ?? [], providers, expires_at: args.expiresAt } },
      );
      output.answer(value, [value.access_key]);
      output.note('The service shows this key only once.');
      return;
    }
    const keys = await collectAll(client.entries(endpoints.list, {}));
    // A rotated key that has ended is no longer found by its name, except to delete it.
    const isOver = ({ expires_at }: TeamKey): boolean =>
      expires_at !== null && Date.parse(expires_at) <= Date.now();
    const found = keys.filter(
      (key) => key.id === name || (key.name === name && (action === 'delete' || !isOver(key))),
    );
    const [key] = found;
    if (key === undefined || found.length > 1) {
      throw new WrongUsage(
        key === undefined
          ? `There is no key ${JSON.stringify(name)}.`
          : `Several keys are called ${JSON.stringify(name)}: use the id of one.\n${tableOf(found, SHOWN)}`,
      );
    }
    const ids = { keyId: key.id };
    if (action === 'rotate') {
      const { value } = await client.call(endpoints.rotate, ids, {
        body: { valid_until: args.validUntil, expires_at: args.expiresAt },
      });
      output.answer(value, [value.access_key]);
      output.note('The service shows this key only once. The old key still works for a time.');
      return;
    }
    const endpoint = {
      revoke: endpoints.revoke,
      reinstate: endpoints.reinstate,
      delete: endpoints.remove,
    }[action];
    const answer = await client.call(endpoint, ids);
    output.answer(answer, [`Done: ${action} ${key.name}.`]);
  }),
});
