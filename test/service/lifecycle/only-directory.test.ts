import * as E from 'fp-ts/Either';

import { decodeRequest } from '../../../src/contract/decode';
import { PolicyRequest } from '../../../src/contract/lifecycle';
import type { Directory, People } from '../../../src/graph/lifecycle/people';
import { policyOf } from '../../../src/service/lifecycle/policy-request';
import { resolvedSelectors } from '../../../src/service/lifecycle/resolved-selectors';

const MAIN: Directory = {
  ...{ id: 'main', name: 'Main' },
  provider: 'P',
  template: 'identity_provider',
};
const OTHER: Directory = { ...MAIN, id: 'other' };
const HRIS: Directory = { ...MAIN, id: 'hris', template: 'hris' };

/** The directories that a policy means which names none, or where and how it is refused. */
const meant = async (directories: readonly Directory[]): Promise<unknown> => {
  const request = decodeRequest(PolicyRequest, { name: 'p', who: [{ filter: 'name pr' }] });
  if (E.isLeft(request)) return request.left;
  const wanted = policyOf(request.right);
  if (E.isLeft(wanted)) return wanted.left;
  const people = { directories: () => Promise.resolve(directories) } as unknown as People;
  const resolved = await resolvedSelectors({ people }, wanted.right).catch(
    (error: unknown) => error,
  );
  return resolved instanceof Error
    ? (resolved as Error & { failure: { list: { problems: readonly object[] } } }).failure
    : (resolved as { who: readonly { in: readonly string[] }[] }).who.map((one) => one.in);
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
