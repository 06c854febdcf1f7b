import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/*
 * What `.ci/run` makes of its parts, with stand-ins for the tools: a part that fails is never hidden by others.
 */

const ROOT = join(__dirname, '..');

/**
 * Each of three runs that share a part has one suite of three tests. FAILS says what fails, CRASHES what
 * crashes, LEAVES which run leaves its suite out.
 */
const JEST = `
const share = Number(require('node:path').basename(process.env.TEST_COUNTS, '.json')) + 1 + '/3';
const is = (names) => (names ?? '').split(',').includes(process.env.TEST_PART + ' ' + share);
if (is(process.env.CRASHES)) process.exit(3);
const failed = is(process.env.FAILS) ? 1 : 0;
const suites = is(process.env.LEAVES) ? 0 : 1;
const counts = { passed: 3 - failed, failed, skipped: 0, suites, allSuites: 3 };
require('node:fs').writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
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

/** All shares of a part, as FAILS and CRASHES name them. */
const sharesOf = (part: string): string =>
  [1, 2, 3].map((share) => `${part} ${String(share)}/3`).join();

test.each([
  ['all is right', {}, '18 passed, 0 failed', 0],
  ['a test of npm test fails', { FAILS: 'first 2/3' }, '17 passed, 1 failed', 1],
  ['tests of both parts fail', { FAILS: 'first 1/3,more 3/3' }, '16 passed, 2 failed', 1],
  ['a share of test:more crashes', { CRASHES: 'more 1/3' }, '15 passed, 1 failed', 3],
  [
    'every share crashes',
    { CRASHES: [sharesOf('first'), sharesOf('more')].join() },
    '0 passed, 6 failed',
    9,
  ],
  ['no run has a suite', { LEAVES: 'more 2/3' }, '18 passed, 1 failed', 1],
  ['a check fails', { ESLINT: '1' }, '18 passed, 1 failed', 1],
  ['types are wrong', { TSC: '2' }, '9 passed, 2 failed', 1],
])('when %s, the last line and the exit code say so', (_, more, line, code) => {
  rmSync(join(folder, 'dist/.built'), { force: true });
  const { stdout, status } = spawnSync(join(folder, '.ci/run'), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, ...more },
  });
  expect([stdout.trimEnd().split('\n').at(-1), status]).toEqual([line, code]);
});
