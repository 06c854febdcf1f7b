import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/*
 * What `.ci/run` makes of its parts, with stand-ins for the tools: a part that fails is never hidden by others.
 */

const ROOT = join(__dirname, '..');

/** Each half of a part is a run of Jest with three tests. FAILS says what fails, CRASHES what crashes. */
const JEST = `
const half = process.argv.some((each) => each.startsWith('^(?!')) ? 'second' : 'first';
const is = (names) => (names ?? '').split(',').includes(process.env.TEST_PART + ' ' + half);
if (is(process.env.CRASHES)) process.exit(3);
const failed = is(process.env.FAILS) ? 1 : 0;
require('node:fs').writeFileSync(process.env.TEST_COUNTS, JSON.stringify({ passed: 3 - failed, failed, skipped: 0 }));
process.exit(failed);`;

const TOOLS = {
  'typescript/bin/tsc': 'process.exit(Number(process.env.TSC ?? 0));',
  'eslint/bin/eslint.js': 'process.exit(Number(process.env.ESLINT ?? 0));',
  'prettier/bin/prettier.cjs': '',
  'dependency-cruiser/bin/dependency-cruise.mjs': '',
  'knip/bin/knip.js': '',
  'esbuild/lib/main.js': 'exports.build = () => undefined;',
  'rapidoc/package.json': '{}',
  'jest/bin/jest.js': JEST,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantgraph-ci-'));
  const packages = JSON.stringify({ packages: {} });
  const files = {
    ...Object.fromEntries(
      Object.entries(TOOLS).map(([name, text]) => [`node_modules/${name}`, text]),
    ),
    'node_modules/.package-lock.json': packages,
    'package-lock.json': packages,
    'package.json': '{}',
    'scripts/copy-assets.mjs': '',
    'test/one.test.ts': '/** @more some */\n',
    'dist/nothing': '',
    'src/nothing': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const name of ['.ci/run', 'scripts/run.mjs', 'scripts/parts.cjs'])
    cpSync(join(ROOT, name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['all is right', {}, '12 passed, 0 failed', 0],
  ['a test of npm test fails', { FAILS: 'first second' }, '11 passed, 1 failed', 1],
  ['tests of both parts fail', { FAILS: 'first first,more second' }, '10 passed, 2 failed', 1],
  ['a half of test:more crashes', { CRASHES: 'more first' }, '9 passed, 1 failed', 3],
  [
    'every half crashes',
    { CRASHES: 'first first,first second,more first,more second' },
    '0 passed, 4 failed',
    6,
  ],
  ['a check fails', { ESLINT: '1' }, '12 passed, 1 failed', 1],
  ['types are wrong', { TSC: '2' }, '6 passed, 2 failed', 1],
])('when %s, the last line and the exit code say so', (_, more, line, code) => {
  rmSync(join(folder, 'dist/.built'), { force: true });
  const { stdout, status } = spawnSync(join(folder, '.ci/run'), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, ...more },
  });
  expect([stdout.trimEnd().split('\n').at(-1), status]).toEqual([line, code]);
});
