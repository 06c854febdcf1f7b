import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { settingsTable } from '../../src/config';
import { endpointTable } from '../../src/http/operation/endpoint-table';
import { API_CODES, PROBLEM_CODES } from '../../src/problem';
import { idleRoutes } from '../support/idle-app';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** What stands between a pair of markers, which also keep prettier away. */
const between = (marker: string): string | undefined =>
  new RegExp(
    `<!-- ${marker} -->\n<!-- prettier-ignore-start -->\n\n([^]*)\n\n<!-- prettier-ignore-end -->\n<!-- /${marker} -->`,
  ).exec(README)?.[1];

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

test('the settings in README are those of the code', () => {
  expect(between('settings')).toBe(settingsTable());
});

test('the answers to refused requests in README are those of the code', () => {
  const rows = Object.entries(API_CODES).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  expect(between('codes')).toBe(table(['code', 'status', 'meaning'], rows));
});

test('the problems in README are those of the code', () => {
  const rows = Object.entries(PROBLEM_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(between('problems')).toBe(table(['problem', 'meaning'], rows));
});

test('the endpoints in README are the routes of the service', () => {
  expect(between('endpoints')).toBe(endpointTable(idleRoutes()));
});
