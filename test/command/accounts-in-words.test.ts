import { accountsInWords, whomOf } from '../../src/command/candidates';
import { WrongUsage } from '../../src/command/context';
import { tableOf } from '../../src/command/output';
import type { Client } from '../../src/client/client';

const held = (accounts: readonly string[], accounts_total?: number) => ({
  name: 'read',
  permission_type: ['DataRead'],
  accounts,
  ...(accounts_total === undefined ? {} : { accounts_total }),
});
const row = (permissions: readonly ReturnType<typeof held>[]) => ({
  name: 'Salaries',
  accounts: [{ name: 'ann' }, { name: 'ann.b' }],
  permissions,
});

test.each([
  ['all are named', [held(['1', '2'])], 'ann, ann.b'],
  [
    'one of two permissions has more',
    [held(['1']), held(['2'], 3_000)],
    'ann, ann.b, and 2999 more',
  ],
])('the column of accounts, when %s', (_, permissions, cell) => {
  const table = tableOf([accountsInWords(row(permissions))], ['name', 'accounts']);
  expect(
    table
      .split('\n')
      .map((line) => line.trim())
      .at(-1),
  ).toBe(`Salaries  ${cell}`);
});

const account = (id: string) => ({
  id,
  label: 'LocalUser',
  name: 'ann',
  properties: { name: 'ann' },
});

/** A service in which so many principals have the name, of which it lists some. */
const serviceWith = (listed: readonly string[], total: number): Client =>
  ({
    call: (
      _endpoint: unknown,
      _parts: unknown,
      asked: { parameters: { label: string; filter: string } },
    ) => {
      const isFound =
        asked.parameters.label === 'Principal' && asked.parameters.filter.startsWith('name');
      return Promise.resolve(
        isFound ? { values: listed.map(account), total } : { values: [], total: 0 },
      );
    },
  }) as unknown as Client;

test('a name means all that it fits, unless there are more of them than the service lists', async () => {
  expect(await whomOf(serviceWith(['1'], 1), 'ann', undefined)).toMatchObject({ principal: ['1'] });
  const both = await whomOf(serviceWith(['1', '2'], 2), 'ann', undefined);
  expect(both).toMatchObject({ principal: ['1', '2'], person: true });
  const refused = whomOf(serviceWith(['1', '2'], 3), 'ann', undefined);
  await expect(refused).rejects.toThrow(WrongUsage);
  await expect(refused).rejects.toThrow('… and 1 more.');
  const nobody = whomOf(serviceWith([], 0), 'ann', undefined);
  await expect(nobody).rejects.toThrow('No principal is called "ann".');
});
