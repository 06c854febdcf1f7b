import fc from 'fast-check';

import {
  type Hop,
  type Path,
  pathsInOrder,
} from '../../src/questions/access/explanation/explanation';

const hop = (id: string, relationship: string, since = '2026-01-01T00:00:00Z'): Hop => ({
  about: {
    id,
    label: 'IdpGroup',
    name: 'same',
    path: null,
    resource_type: null,
    application: null,
    domain: null,
    provider: null,
    inactive: false,
  },
  relationship,
  from: null,
  since,
  data_source: null,
  push: null,
});

const path = (through: readonly Hop[], on: string): Path => ({
  permission: { name: 'read', permission_type: [] },
  hops: [hop('who', ''), ...through],
  scope: [hop(on, 'ON')],
});

// Equally short paths came in the order of Neo4j's ids, which a restore changes.
test('equally short paths come in the order of keys, whatever order they were found in', () => {
  const expected = [
    path([hop('z', 'HOLDS')], 'x'),
    path([hop('a', 'MEMBER_OF'), hop('g', 'HOLDS')], 'x'),
    path([hop('a', 'MEMBER_OF'), hop('g', 'HOLDS')], 'y'),
    path([hop('b', 'ASSIGNED_TO', '2026-01-01T00:00:00Z'), hop('g', 'HOLDS')], 'x'),
    path([hop('b', 'ASSIGNED_TO', '2026-01-02T00:00:00Z'), hop('g', 'HOLDS')], 'x'),
    path([hop('b', 'MEMBER_OF'), hop('g', 'HOLDS')], 'x'),
  ];
  const length = expected.length;
  fc.assert(
    fc.property(fc.shuffledSubarray(expected, { minLength: length, maxLength: length }), (found) =>
      expect(pathsInOrder(found)).toEqual(expected),
    ),
  );
});
