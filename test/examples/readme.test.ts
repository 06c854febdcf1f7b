import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Router } from 'express';

import { settingsTable } from '../../src/config';
import { API_OPERATIONS } from '../../src/http/operation/api-operations';
import { API_CODES, PROBLEM_CODES } from '../../src/problem';
import { WARNING_CODES } from '../../src/warning';
import { idleApp } from '../support/idle-app';

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

test('the warnings in README are those of the code', () => {
  const rows = Object.entries(WARNING_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(between('warnings')).toBe(table(['warning', 'meaning'], rows));
});

/** Every method and path that a router takes. */
const endpointsOf = ({ stack }: Router): readonly string[] =>
  stack.flatMap(({ route, handle }) => {
    if (route !== undefined) {
      const methods = route.stack.flatMap(({ method }) => (method ? [method.toUpperCase()] : []));
      return [...new Set(methods)].map((method) => `${method} ${route.path}`);
    }
    return 'stack' in handle ? endpointsOf(handle as unknown as Router) : [];
  });

const PARAMETERS: Readonly<Record<string, string>> = {
  providerId: 'id',
  dataSourceId: 'ds',
  pushId: 'push',
  keyId: 'key',
  entityId: 'id',
};

test('the endpoints in README and the API description are those of the service', () => {
  const app = idleApp();
  const served = endpointsOf(app.router as unknown as Router).map((endpoint) =>
    endpoint.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
      escape === '' ? `{${PARAMETERS[name] ?? name}}` : `:${name}`,
    ),
  );
  const told = [
    ...(between('endpoints') ?? '').matchAll(/^\| ([A-Z, ]+) \| (`.*?`) \| \S/gm),
  ].flatMap(([, methods = '', paths = '']) =>
    methods
      .split(', ')
      .flatMap((method) =>
        paths.split(', ').map((path) => `${method} ${path.replaceAll('`', '')}`),
      ),
  );
  expect(served).toContain('POST /api/v1/providers/custom/{id}:icon');
  expect([...told].sort()).toEqual([...served].sort());
  const described = API_OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect([...described].sort()).toEqual([...served].sort());
});
