import { decodePayload } from '../../src/contract/decode';
import type { Template } from '../../src/templates/templates';
import { possibleWarningsOf, warningsOf } from '../../src/rows/warnings';
import type { Warning } from '../../src/warning';
import { rowsOf } from './told-rows';

/** All warnings of a payload when nobody brings what it awaits but the keys given. */
const wholeWarnings = (
  template: Template,
  sent: object,
  ...matched: readonly string[]
): readonly Warning[] => {
  const rows = rowsOf(template, sent);
  const decoded = decodePayload(template, sent);
  if (decoded._tag === 'Left') throw new Error(JSON.stringify(decoded.left));
  const concerns = possibleWarningsOf(decoded.right, rows);
  const { identities, cloudRoles } = concerns.awaited;
  const unmatched = new Set([...identities, ...cloudRoles].filter((key) => !matched.includes(key)));
  return warningsOf(concerns, unmatched);
};

/** What they say. */
const warnings = (...told: Parameters<typeof wholeWarnings>): readonly string[] =>
  wholeWarnings(...told).map(({ message }) => message);

const wiki = (more: object, rest: object = {}): object => ({
  applications: [{ name: 'Wiki', application_type: 't', ...more }],
  permissions: [{ name: 'p' }],
  ...rest,
});
const owners = [{ external_id: 'boss' }];

test.each<[string, object, readonly string[]]>([
  ['application', { owners, local_users: [{ name: 'x' }] }, ['application "Wiki"']],
  [
    'local user',
    { local_users: [{ name: 'x', owners }] },
    ['local user "x" of application "Wiki"'],
  ],
  [
    'local group',
    { local_groups: [{ name: 'x', owners }] },
    ['local group "x" of application "Wiki"'],
  ],
  [
    'local role',
    { local_roles: [{ name: 'x', permissions: ['p'], owners }] },
    ['local role "x" of application "Wiki"'],
  ],
  ['agent', { local_agents: [{ name: 'x', owners }] }, ['agent "x" of application "Wiki"']],
  [
    'access credential',
    { local_access_creds: [{ id: 'x', owners }] },
    ['access credential "x" of application "Wiki"'],
  ],
  [
    'model',
    { local_users: [{ name: 'u' }], local_models: [{ name: 'x', owners }] },
    ['model "x" of application "Wiki"'],
  ],
  [
    'resource',
    {
      local_users: [{ name: 'u' }],
      resources: [
        {
          name: 'a',
          resource_type: 't',
          sub_resources: [{ name: 'x', resource_type: 't', owners }],
        },
      ],
    },
    ['resource "x" of application "Wiki"'],
  ],
])('warns about unknown owners of a %s', (_kind, more, subjects) => {
  expect(warnings('application', wiki(more))).toEqual(
    subjects.map((subject) => `Cannot find identity by names ["boss"] (${subject}: owners)`),
  );
});

test('lists names as sent, in their order, each once however spelled', () => {
  const identities = ['Bob', 'ann', 'BOB', '', 'a "quoted" \\ name'];
  expect(warnings('application', wiki({ local_users: [{ name: 'x', identities }] }))).toEqual([
    'Cannot find identity by names ["Bob","ann","a \\"quoted\\" \\\\ name"] (local user "x" of application "Wiki": identities)',
  ]);
});

test('does not list what somebody brought', () => {
  const users = [
    { name: 'x', identities: ['Bob', 'Ann'] },
    { name: 'y', identities: ['ann'] },
  ];
  expect(warnings('application', wiki({ local_users: users }), 'Identity|ann')).toEqual([
    'Cannot find identity by names ["Bob"] (local user "x" of application "Wiki": identities)',
  ]);
});

test('warns about an idp identity once, however many entries and elements it has', () => {
  const entry = (identity: string, ...applications: readonly string[]): object => ({
    identity,
    application_permissions: applications.map((application) => ({ application, permission: 'p' })),
  });
  const rest = {
    identity_to_permissions: [entry('Ann', 'Wiki', 'Wiki'), entry('ANN', 'Wiki'), entry('idle')],
  };
  expect(warnings('application', wiki({}, rest))).toEqual([
    'Cannot find identity by names ["Ann"] (identity_to_permissions)',
  ]);
});

test.each<[string, object, boolean]>([
  ['neither permissions nor roles', {}, true],
  ['empty lists of both', { permissions: [], roles: [] }, true],
  ['permissions', { permissions: ['p'] }, false],
  ['nested roles', { roles: ['other'] }, false],
])('a role with %s', (_what, more, isWarned) => {
  const roles = [
    { name: 'r', ...more },
    { name: 'other', permissions: ['p'] },
  ];
  expect(warnings('application', wiki({ local_roles: roles }))).toEqual(
    isWarned ? ['Role is missing permission (local role "r" of application "Wiki")'] : [],
  );
});

test('come in payload order', () => {
  const sent = {
    identity_to_permissions: [
      { role_assignments: [{ application: 'Wiki', role: 'r' }], identity: 'first' },
    ],
    permissions: [],
    applications: [
      {
        local_roles: [{ owners: [{ external_id: 'third' }], name: 'r' }],
        local_users: [
          { owners: [{ external_id: 'fourth' }], name: 'u', identities: ['fifth'] },
          { identities: ['sixth'], name: 'v', owners: [{ external_id: 'seventh' }] },
        ],
        name: 'Wiki',
        application_type: 't',
        owners: [{ external_id: 'eighth' }],
      },
    ],
  };
  const words = warnings('application', sent).map(
    (warning) => /\["(.*)"\]/.exec(warning)?.[1] ?? 'role',
  );
  expect(words).toEqual([
    'first',
    'role',
    'third',
    'fourth',
    'fifth',
    'sixth',
    'seventh',
    'eighth',
  ]);
});

test('tells which ARNs no role has, exactly', () => {
  const arns = ['arn:B', 'arn:a', 'arn:A', 'arn:B'];
  const sent = {
    domains: [{ name: 'd' }],
    users: [{ name: 'ann', assumed_role_arns: { identity: arns } }],
    groups: [{ name: 'g', assumed_role_arns: [{ identity: 'arn:a' }] }],
    apps: [{ id: 'i', name: 'App', assumed_role_arns: [{ identity: 'arn:B' }] }],
  };
  expect(warnings('identity_provider', sent, 'CloudRole|arn:a')).toEqual([
    'Cannot find IAM role by names ["arn:B","arn:A"] (user "ann": assumed_role_arns)',
    'Cannot find IAM role by names ["arn:B"] (app "App": assumed_role_arns)',
  ]);
});

test('each has a code, the pointer of its field as it was sent, and what it is about', () => {
  const sent = {
    Applications: [
      {
        Name: 'Wiki',
        application_type: 't',
        owners,
        local_users: [{ name: 'x', identities: ['ann'] }],
        local_roles: [{ name: 'r' }],
      },
    ],
    permissions: [{ name: 'p' }],
    identity_to_permissions: [
      { identity: 'bob', application_permissions: [{ application: 'Wiki', permission: 'p' }] },
    ],
  };
  expect(wholeWarnings('application', sent)).toEqual([
    {
      message: 'Cannot find identity by names ["boss"] (application "Wiki": owners)',
      code: 'UNKNOWN_IDENTITY',
      pointer: '/Applications/0/owners',
      subject: { kind: 'application', name: 'Wiki' },
    },
    {
      message:
        'Cannot find identity by names ["ann"] (local user "x" of application "Wiki": identities)',
      code: 'UNKNOWN_IDENTITY',
      pointer: '/Applications/0/local_users/0/identities',
      subject: { kind: 'local user', name: 'x', application: 'Wiki' },
    },
    {
      message: 'Role is missing permission (local role "r" of application "Wiki")',
      code: 'EMPTY_ROLE',
      pointer: '/Applications/0/local_roles/0',
      subject: { kind: 'local role', name: 'r', application: 'Wiki' },
    },
    {
      message: 'Cannot find identity by names ["bob"] (identity_to_permissions)',
      code: 'UNKNOWN_IDENTITY',
      pointer: '/identity_to_permissions/0/identity',
      subject: { kind: 'identity', name: 'bob' },
    },
  ]);
  const arns = { assumed_role_arns: [{ identity: 'arn:a' }] };
  const people = { domains: [{ name: 'd' }], users: [{ name: 'ann', ...arns }] };
  expect(wholeWarnings('identity_provider', people)).toEqual([
    {
      message: 'Cannot find IAM role by names ["arn:a"] (user "ann": assumed_role_arns)',
      code: 'UNKNOWN_IAM_ROLE',
      pointer: '/users/0/assumed_role_arns',
      subject: { kind: 'user', name: 'ann' },
    },
  ]);
});
