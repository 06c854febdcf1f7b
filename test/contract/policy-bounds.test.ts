import * as E from 'fp-ts/Either';

import { decodeRequest } from '../../src/contract/decode';
import { PolicyRequest } from '../../src/scim/policies/records';

const selector = (directories = 1) => ({
  filter: 'name pr',
  in: Array.from({ length: directories }, (_, at) => `directory ${at}`),
});

const refusedAt = (more: object): readonly string[] => {
  const decoded = decodeRequest(PolicyRequest, { name: 'p', who: [selector()], ...more });
  if (E.isRight(decoded)) return [];
  return decoded.left.problems.map(({ pointer, code }) => `${pointer} ${code}`);
};

test('the number of selectors, directories and groups of a policy is bounded', () => {
  const many = <A>(length: number, one: A): readonly A[] => Array.from({ length }, () => one);
  expect(refusedAt({ who: many(50, selector(50)) })).toEqual([]);
  expect(refusedAt({ who: many(51, selector()) })).toEqual(['/who OUT_OF_RANGE']);
  expect(refusedAt({ who: [selector(), selector(51)] })).toEqual(['/who/1/in OUT_OF_RANGE']);
  expect(refusedAt({ groups: many(2_001, 'Writers') })).toEqual(['/groups OUT_OF_RANGE']);
  const within = { name: 'Writers', who: selector(51) };
  expect(refusedAt({ groups: [within] })).toEqual(['/groups/0/who/in OUT_OF_RANGE']);
});
