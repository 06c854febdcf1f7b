import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { policyRecord } from '../../src/scim/policies/records';
import { providerRecord } from '../../src/contract/records/provider';
import { recordTable } from '../../src/contract/records/record-table';
import { teamKeyRecord } from '../../src/features/keys/records';
import { endpointTable } from '../../src/features/description/endpoint-table';
import { API_CODES, PROBLEM_CODES } from '../../src/problem';
import { SCIM_FAULTS } from '../../src/scim/client/scim-fault';
import { constantsList, settingsList } from '../../src/settings/settings-text';
import { WARNING_CODES } from '../../src/warning';
import { idleRoutes } from '../support/idle-app';

/** What stands on a page between a pair of markers, which also keep prettier away. */
const between = (page: string, marker: string): string | undefined =>
  new RegExp(
    `<!-- ${marker} -->\n<!-- prettier-ignore-start -->\n\n([^]*)\n\n<!-- prettier-ignore-end -->\n<!-- /${marker} -->`,
  ).exec(readFileSync(join(__dirname, '../../docs', page), 'utf8'))?.[1];

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

test('the settings in docs/operating.md are those of the code', () => {
  expect(between('operating.md', 'settings')).toBe(settingsList());
});

test('the constants in docs/operating.md are those of the code', () => {
  expect(between('operating.md', 'constants')).toBe(constantsList());
});

test('the answers to refused requests in docs/connectors.md are those of the code', () => {
  const rows = Object.entries(API_CODES).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  expect(between('connectors.md', 'codes')).toBe(table(['code', 'status', 'meaning'], rows));
});

test('the problems in docs/connectors.md are those of the code', () => {
  const rows = Object.entries(PROBLEM_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(between('connectors.md', 'problems')).toBe(table(['problem', 'meaning'], rows));
});

test('the warnings in docs/connectors.md are those of the code', () => {
  const rows = Object.entries(WARNING_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(between('connectors.md', 'warnings')).toBe(table(['warning', 'meaning'], rows));
});

test('the faults in docs/provisioning.md are those of the code', () => {
  const rows = Object.entries(SCIM_FAULTS).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(between('provisioning.md', 'faults')).toBe(table(['code', 'meaning'], rows));
});

test('the endpoints in docs/api.md are the routes of the service', () => {
  expect(between('api.md', 'endpoints')).toBe(endpointTable(idleRoutes()));
});

test.each([
  ['provisioning.md', 'policy', policyRecord],
  ['api.md', 'team-key', teamKeyRecord],
  ['api.md', 'provider', providerRecord],
])('the fields in docs/%s of a %s are those of its record', (page, marker, kind) => {
  expect(between(page, marker)).toBe(recordTable(kind));
});
