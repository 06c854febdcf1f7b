import { renderToString } from 'preact-render-to-string';

import type { Summary } from '../../../src/contract/answers/questions/access';
import type { AccessChangeList } from '../../../src/contract/answers/questions/access-changes';
import { ChangeTable } from '../../../src/features/console/tables/change-table';

const summary = (id: string, label: string): Summary => ({
  ...{ id, label, name: id, path: null, resource_type: null, application: null, domain: null },
  ...{ provider: null, inactive: false },
});

const write = [{ name: 'write', permission_type: ['DataWrite'] }];

// "Can no longer" was said of a human whose other account still can.
test('of a human the table says what accounts gained and lost, not what the human can', () => {
  const row = (id: string, gained: typeof write, lost: typeof write) => ({
    ...{ principal: summary(id, 'LocalUser'), resource: summary('page', 'Resource') },
    ...{ gained, lost, explain: { gained: null, lost: null } },
  });
  const values = [row('old', [], write), row('new', write, [])];
  const ann = summary('ann', 'Employee');
  const html = renderToString(
    <ChangeTable
      of={{ values, from: '', to: '' } as unknown as AccessChangeList}
      humans={new Map(['old', 'new'].map((id) => [id, ann]))}
      person=""
      applicationAddress={() => ''}
      principalAddress={() => ''}
    />,
  );
  const heads = [...html.matchAll(/<th scope="col">([^<]+)</g)].map(([, text]) => text);
  expect(heads).toEqual(['Gained', 'Lost', 'On', 'Application']);
  expect(html).toMatch(/data-name="Gained" class="gain">.*write.*data-name="Lost"/s);
});
