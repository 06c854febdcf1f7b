import { accountsInWords } from '../../src/cli/candidates';
import { tableOf } from '../../src/cli/output';

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
