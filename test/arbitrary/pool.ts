/**
 * Small pools of names, so that references bind, clash and differ by spelling alone. Each holds pairs that differ by
 * case, names in NFC and NFD, and the characters that keys and paths give a meaning to.
 */
export const people = [
  'ann',
  'Ann',
  'bob',
  'b.o|b',
  'zo\u00eb',
  'ZOE\u0308',
  'c%d',
  'eve mallory',
  'admin',
  'ADMIN',
  'dan',
  'fay',
  'gus',
  'hal',
  'ivy',
  '__proto__',
  'arn:aws:iam::1:user/kim',
];

/** More people, so that a payload can hold many. */
export const crowd = Array.from({ length: 24 }, (_, at) => `p${at + 1}`);

/** Ids of people and groups in an identity provider; some are names of others. */
export const idpIds = [
  'u1',
  'U1',
  'u2',
  '10|5',
  'zoe\u0308',
  'ann',
  'u3',
  'u4',
  'u%7C5',
  'u6',
  'u7',
  'u8',
];

/** Ids of employees; some are ids or logins in an identity provider. */
export const employeeIds = [
  ...Array.from({ length: 40 }, (_, at) => `e${at + 1}`),
  'E1',
  'e|41',
  'u1',
  'U6',
  'ann',
  'p1',
  'p2',
  'ann@corp.example',
  '__proto__',
];

/** Logins, some of them somebody's name. */
export const emails = [
  'ann@corp.example',
  'Bob@corp.example',
  'eve@corp.example',
  'dan',
  'zo\u00eb@corp.example',
];

/** Groups of either template. */
export const groups = [
  'staff',
  'Staff',
  'devs',
  'caf\u00e9',
  'cafe\u0301 2',
  'ops.eu',
  'all|hands',
  'constructor',
  'admin',
];

/** Apps of an identity provider. */
export const apps = ['portal', 'Portal', 'vpn', 'e|mail', 'wiki'];

/** Applications, whatever data source pushes them. */
export const applications = ['crm', 'CRM', 'hub.one', 'wiki %'];

/** Types of applications. */
export const applicationTypes = ['SaaS', 'saas', 'Code.Host', 'Directory'];

/** Types of resources that have ids, and of those that have none (docs/rules.md: Problems). */
export const resourceTypes = {
  withIds: ['Repo', 'REPO', 'Db.Schema'],
  withoutIds: ['Folder', 'folder', 'File', 'Caf\u00e9|Table'],
};

/** Resources; some names are paths of others. */
export const resources = [
  'a',
  'A',
  'b',
  'a.b',
  'x|y',
  's\u00e4ge',
  'sa\u0308ge',
  'plan 9',
  '50%',
  'c',
  'toString',
];

/** Ids of resources. */
export const resourceIds = [
  'r1',
  'R1',
  'r2',
  'r3',
  'r|4',
  'a',
  'r5',
  'r6',
  'r7',
  'r8',
  'arn:aws:s3:::box',
];

/** Native permissions. */
export const permissions = [
  'view',
  'View',
  'write',
  'admin|all',
  'manage users',
  '__proto__',
  'own',
];

/** ARNs of cloud roles, some differing by case alone. */
export const arns = [
  'arn:aws:iam::1:role/Admin',
  'arn:aws:iam::1:role/admin',
  'arn:aws:iam::2:role/Reader',
  'arn:aws:iam::3:role/%|x',
];

/** Local roles; an ARN may be a role's name. */
export const roles = [
  'reader',
  'Reader',
  'editor',
  'op|s',
  'root',
  'valueOf',
  'arn:aws:iam::2:role/Reader',
];

/** Ids inside an application. */
export const localIds = ['1', '2', 'L|3', 'l|3', 'ann', 'k-5', 'k-6', '7', '8'];

/** AI agents. */
export const agents = ['helper', 'Helper', 'scribe'];

/** AI models. */
export const models = ['gp-1', 'GP-1', 'opus %'];

/** Access credentials. */
export const credentials = ['key', 'KEY', 'token|2', 'deploy', 'ci'];

/** Times that are one instant in several spellings, and others. */
export const times = [
  '2024-01-02T03:04:05Z',
  '2024-01-02T05:04:05+02:00',
  '2024-01-02T03:04:05.000Z',
  '2024-02-29T23:59:59.123456789-07:30',
  '2024-02-29t23:59:59.1200z',
  '1969-12-31T23:59:59.5-00:00',
  '2031-10-10T10:10:10.1234567899+14:00',
];

/** All values of `provider_type` (docs/rules.md: Identity provider payloads). */
export const providerTypes = [
  'any',
  'custom',
  'active_directory',
  'azure_ad',
  'google_workspace',
  'okta',
  'one_login',
];

/** Canonical permission types (spec). */
export const canonicalTypes = [
  'DataRead',
  'DataWrite',
  'MetadataRead',
  'MetadataWrite',
  'NonData',
  'DataCreate',
  'DataDelete',
  'MetadataCreate',
  'MetadataDelete',
  'Uncategorized',
];

/** Custom properties and their types; one type each, as a declared type is permanent (docs/rules.md: Problems). */
export const properties = [
  ['level', 'NUMBER'],
  ['note', 'STRING'],
  ['Note', 'STRING'],
  ['active', 'BOOLEAN'],
  ['seen', 'TIMESTAMP'],
  ['topics', 'STRING_LIST'],
  ['email', 'STRING'],
  ['constructor', 'NUMBER'],
  ['__proto__', 'STRING'],
  ['priorit\u00e9', 'STRING'],
] as const;
