import { renderToString } from 'preact-render-to-string';

import type { Summary } from '../../../src/contract/answers/questions/access';
import type {
  AccessChangeList,
  ChangedRow,
} from '../../../src/contract/answers/questions/access-changes';
import { ChangeTable } from '../../../src/features/console/tables/change-table';

const summary = (id: string, label: string): Summary => ({
  id,
  label,
  name: id,
  path: null,
  resource_type: null,
  application: null,
  domain: null,
  provider: null,
  inactive: false,
});

const write = [{ name: 'write', permission_type: ['DataWrite'] }];

const shown = (values: readonly ChangedRow[]): string =>
  renderToString(
    <ChangeTable
      of={{ values, from: '', to: '' } as unknown as AccessChangeList}
      person=""
      applicationAddress={() => ''}
      principalAddress={() => ''}
    />,
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const row = (id: string, gained: typeof write, lost: typeof write): ChangedRow => ({
  principal: summary(id, 'LocalUser'),
  resource: summary('page', 'Resource'),
  gained,
  lost,
  explain: { gained: null, lost: null },
  human: summary('ann', 'Employee'),
  is_person: true,
  causes: [
    {
      change: gained.length > 0 ? 'gained' : 'lost',
      permissions: write,
      things: null,
    },
  ],
});

// "Can no longer" was said of a human whose other account still can.
test('of a human whose accounts differ the table says that an account can, or no longer can', () => {
  const html = shown([row('old', [], write), row('new', write, [])]);
  expect(html).toContain('has an account that can now write');
  expect(html).toContain('has an account that can no longer write');
  expect(shown([row('ann', [], write)])).toContain(' can no longer write');
});

test('several causes of a line are behind their number, each with what it brought', () => {
  const joined = (group: string) => ({
    change: 'began' as const,
    type: 'MEMBER_OF',
    on: null,
    at: '2026-11-28T10:00:00Z',
    push: null,
    from: summary('ann', 'Employee'),
    to: summary(group, 'IdpGroup'),
    data_source: null,
  });
  const both = ['editors', 'readers'].map((group, at) => ({
    ...row('ann', write, []),
    resource: summary(`page ${at}`, 'Resource'),
    causes: [{ change: 'gained' as const, permissions: write, things: [joined(group)] }],
  }));
  const html = shown(both);
  expect(html.match(/can now/g)).toHaveLength(1);
  expect(html).toMatch(/2 resources .*2 causes .*joined editors .*joined readers/);
});
