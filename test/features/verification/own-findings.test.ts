import type { Finding } from '../../../src/features/verification/checks/finding';
import { isOwnFinding, withoutForeignEnds } from '../../../src/features/verification/own-findings';

const MINE = '00000000-0000-4000-8000-000000000001';
const ANN = `${MINE}|IdpUser|ann`;
const BOB = `${MINE}|IdpUser|bob`;
const OTHERS = '00000000-0000-4000-8000-000000000002|Resource|wiki|#page|1';
const SHARED = 'Identity|ann@x';

const ends = (type: string, from: string, to: string) => ({ relationship: { type, from, to } });

test.each<readonly [string, boolean, Omit<Finding, 'remedy'>]>([
  ['an orphaned shared node', false, { what: 'SHARED_ORPHANED', node: SHARED }],
  [
    'a manager of the same data source',
    true,
    { what: 'DERIVED_MISSING', ...ends('MANAGED_BY', ANN, BOB) },
  ],
  [
    'who is known by an identity',
    false,
    { what: 'DERIVED_MISSING', ...ends('KNOWN_AS', ANN, SHARED) },
  ],
  [
    'who manages what elsewhere',
    false,
    { what: 'DERIVED_SUPERFLUOUS', ...ends('SYSTEM_resource_managers', OTHERS, ANN) },
  ],
  ['an undated membership', true, { what: 'RELATIONSHIP_UNDATED', ...ends('MEMBER_OF', ANN, BOB) }],
  [
    'an undated tag',
    true,
    { what: 'RELATIONSHIP_UNDATED', ...ends('TAGGED', ANN, 'Tag|level|high') },
  ],
  [
    "an undated manager's tag",
    false,
    { what: 'RELATIONSHIP_UNDATED', ...ends('TAGGED', ANN, 'Tag|SYSTEM_resource_managers|eve@x') },
  ],
  [
    'an undated derived relationship',
    false,
    { what: 'RELATIONSHIP_UNDATED', ...ends('KNOWN_AS', ANN, SHARED) },
  ],
  ['a row', true, { what: 'CONTENT_CHANGED', node: ANN }],
  ['a row of others', false, { what: 'LABELS_CHANGED', node: OTHERS }],
  ['a shared node', false, { what: 'PROPERTY_CHANGED', node: SHARED }],
  ['a node without a key', true, { what: 'NODE_ADDED', node: null }],
])('whether a limited key sees %s: %p', (_what, isTold, finding) => {
  expect(isOwnFinding({ ...finding, remedy: 'REPAIR' }, MINE)).toBe(isTold);
});

test('a relationship that was drawn by hand to a shared node is reported without that node', () => {
  const finding: Finding = {
    what: 'RELATIONSHIP_ADDED',
    node: ANN,
    remedy: 'REPAIR',
    ...ends('KNOWN_AS', ANN, SHARED),
  };
  expect(withoutForeignEnds(finding).relationship).toEqual({
    type: 'KNOWN_AS',
    from: ANN,
    to: null,
  });
});
