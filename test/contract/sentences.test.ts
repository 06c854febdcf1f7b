import { decodePayload } from '../../src/contract/decode';

const said = (payload: object): readonly string[] => {
  const decoded = decodePayload('identity_provider', { domains: [{ name: 'd' }], ...payload });
  return decoded._tag === 'Right'
    ? []
    : decoded.left.problems.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
};

test('a group as a plain text is told how to write it', () => {
  expect(said({ users: [{ name: 'ann', groups: ['staff'] }] })).toEqual([
    '/users/0/groups/0 WRONG_TYPE: expected an object (reference), got a string: write {"identity": "staff"}',
  ]);
});

test('an unknown list is told which lists there are', () => {
  expect(said({ teams: [{ name: 'staff' }], users: [{ name: 'ann', teams: ['staff'] }] })).toEqual([
    '/teams UNKNOWN_FIELD: identity provider payload has no field "teams"; its lists are domains, users, groups, apps',
    '/users/0/teams UNKNOWN_FIELD: user has no field "teams"; its lists are groups, tags, app_assignments',
  ]);
  expect(said({ usrs: [] })).toEqual([
    '/usrs UNKNOWN_FIELD: identity provider payload has no field "usrs"; did you mean "users"?',
  ]);
  expect(said({ teams: 'staff' })).toEqual([
    '/teams UNKNOWN_FIELD: identity provider payload has no field "teams"',
  ]);
});

test.each([
  [1_706_693_400, '; 1706693400 is "2024-01-31T09:30:00Z"'],
  [1_706_693_400_500, '; 1706693400500 is "2024-01-31T09:30:00.500Z"'],
  [1e300, ''],
])('the time %d is told as it is written', (created_at, instant) => {
  const decoded = decodePayload('application', {
    applications: [{ name: 'a', application_type: 't', local_users: [{ name: 'u', created_at }] }],
  });
  expect(decoded).toMatchObject({
    left: {
      problems: [
        {
          pointer: '/applications/0/local_users/0/created_at',
          code: 'WRONG_TYPE',
          message: `expected a string, got a number: write a time like "2024-01-31T09:30:00Z"${instant}`,
        },
      ],
    },
  });
});
