import * as E from 'fp-ts/Either';

import { decodeRequest } from '../../../src/contract/decode';
import { PolicyRequest } from '../../../src/scim/policies/records';
import type { Directory, People } from '../../../src/scim/policies/graph/people';
import { policyOf } from '../../../src/scim/policies/policy-request';
import { resolvedSelectors } from '../../../src/scim/policies/resolved-selectors';

const MAIN: Directory = {
  id: 'main',
  name: 'Main',
  provider: 'P',
  template: 'identity_provider',
  isPartial: false,
};
const OTHER: Directory = { ...MAIN, id: 'other' };
const HRIS: Directory = { ...MAIN, id: 'hris', template: 'hris' };

type Selector = PolicyRequest['who'][number];

/** Which directories have the group or department `staff`. */
type Having = readonly string[];

/** The directories that a policy means which names none, or where and how it is refused. */
const meant = async (
  directories: readonly Directory[],
  selector: Selector = { filter: 'name pr' },
  having: Having = [],
): Promise<unknown> => {
  const request = decodeRequest(PolicyRequest, { name: 'p', who: [selector] });
  if (E.isLeft(request)) return request.left;
  const wanted = policyOf(request.right);
  if (E.isLeft(wanted)) return wanted.left;
  const among = (sources: readonly string[]) => having.filter((id) => sources.includes(id));
  const people: Pick<People, 'directories' | 'groups' | 'departments'> = {
    directories: () => Promise.resolve(directories),
    groups: (asked) =>
      Promise.resolve(
        asked.map(({ sources }) =>
          among(sources).map((source) => ({
            key: `${source}|staff`,
            name: 'staff',
            source,
            provider: 'P',
            domain: null,
            type: null,
            fullName: null,
            id: null,
          })),
        ),
      ),
    departments: (asked) => Promise.resolve(asked.map(({ sources }) => among(sources))),
  };
  const resolved = await resolvedSelectors({ people }, wanted.right).catch(
    (error: unknown) => error,
  );
  if (resolved instanceof Error) {
    return (resolved as Error & { failure: { list: { problems: readonly object[] } } }).failure;
  }
  const { policy, warnings } = resolved as Awaited<ReturnType<typeof resolvedSelectors>>;
  return [...policy.who.map((one) => one.in), ...warnings];
};

test('a selector that names no directory means the only one that there is', async () => {
  expect(await meant([MAIN])).toEqual([['main']]);
  // The people of an HR system have no accounts.
  expect(await meant([HRIS, MAIN])).toEqual([['main']]);
});

test.each([
  ['none', [], 'no identity provider has one'],
  ['an HR system alone', [HRIS], 'no identity provider has one'],
  ['several', [MAIN, OTHER], 'main ("Main" of provider "P") or other'],
])(
  'a selector that names no directory is refused where there is/are %s',
  async (_, all, message) => {
    const refused = JSON.stringify(await meant(all));
    expect(refused).toContain('/who/0/in');
    expect(refused).toContain('MISSING_FIELD');
    expect(refused.replaceAll('\\', '')).toContain(message);
  },
);

describe.each<[string, Selector]>([
  ['group', { group: 'staff' }],
  ['department', { department: 'staff' }],
])('a %s', (what, selector) => {
  test('that one of several directories has means that one, and it is told', async () => {
    expect(await meant([MAIN, OTHER, HRIS], selector, ['other'])).toEqual([
      ['other'],
      `/who/0 names no data source: it means other ("Main" of provider "P"), which alone has the ${what} "staff".`,
    ]);
    // With one directory alone nothing was chosen.
    expect(await meant([MAIN, HRIS], selector, ['main'])).toEqual([['main']]);
  });

  test.each<[string, readonly Directory[], Having, string]>([
    ['several have', [MAIN, OTHER], ['main', 'other'], 'main ("Main" of provider "P") or other'],
    ['none has', [MAIN, OTHER], [], `none has the ${what} "staff"`],
    [
      'one has while another one is half written',
      [MAIN, { ...OTHER, isPartial: true }],
      ['main'],
      'main ("Main" of provider "P") or other',
    ],
    [
      'a half written directory may have',
      [MAIN, { ...OTHER, isPartial: true }],
      [],
      'other ("Main" of provider "P")',
    ],
  ])('that %s is refused with candidates', async (_, directories, having, message) => {
    const refused = JSON.stringify(await meant(directories, selector, having));
    expect(refused).toContain('/who/0/in');
    expect(refused).toContain('MISSING_FIELD');
    expect(refused.replaceAll('\\', '')).toContain(message);
  });
});

test('a filter means the people of all directories, so it names some where there are several', async () => {
  const refused = JSON.stringify(await meant([MAIN, OTHER], { filter: 'name pr' }, ['main']));
  expect(refused).toContain('MISSING_FIELD');
});
