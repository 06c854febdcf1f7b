import { renderToString } from 'preact-render-to-string';

import type { PrincipalsWithAccess } from '../../../src/contract/answers/questions/access';
import { PeopleTable } from '../../../src/features/console/tables/people-table';

/** The tags of rows with this label and these marks. */
const tagsOf = (label: string, marks: readonly string[]): readonly string[] => {
  const row = { id: 'x', label, name: 'x', inactive: false, permissions: [], person: true, marks };
  const html = renderToString(
    <PeopleTable
      of={{ values: [row], resource: { provider: null } } as unknown as PrincipalsWithAccess}
      departments={new Map()}
      resource="page"
      keeping={{}}
      narrowed={{}}
      within={null}
      by={{ path: '', parameters: {}, sort: '' }}
      areAllNew={false}
    />,
  );
  return [...html.matchAll(/<span class="tag[^"]*">([^<]*)</g)].map(([, tag = '']) => tag);
};

// A row said "not an employee" above "Employee".
test('a row says once that nobody works for the company behind it', () => {
  expect(tagsOf('IdpUser', ['guest', 'not_employees'])).toEqual(['guest', 'not an employee']);
  expect(tagsOf('Employee', ['inactive', 'not_employees'])).toEqual(['inactive']);
  expect(tagsOf('LocalUser', ['without_user', 'not_employees', 'direct'])).toEqual(['nobody’s']);
});
