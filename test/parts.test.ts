import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

const { topicOf, NIGHT } = createRequire(__filename)('../scripts/parts.cjs') as {
  readonly topicOf: (path: string) => string | undefined;
  readonly NIGHT: string;
};

const suites = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name) && !name.startsWith('full/'))
  .map((name) => `test/${name}`);

const isInFirst = (suite: string): boolean => topicOf(join(ROOT, suite)) === undefined;

const byDay = suites.filter((suite) => topicOf(join(ROOT, suite)) !== NIGHT);

interface Planted {
  readonly fault: string;
  /** A pattern of the suites that look for it. */
  readonly paths: string;
}

const planted = JSON.parse(
  execFileSync(process.execPath, [join(ROOT, 'scripts/planted-faults.mjs'), '--suites'], {
    encoding: 'utf8',
  }),
) as readonly Planted[];

test('npm test alone finds nine of ten planted faults, and npm run test:more the others', () => {
  const found = planted.map(({ fault, paths }) => ({
    fault,
    by: byDay.filter((suite) => new RegExp(paths).test(suite)),
  }));
  expect(found.filter(({ by }) => by.length === 0)).toEqual([]);
  // Which of several suites finds a fault is not said, so all of them must be in `npm test`.
  const alone = found.filter(({ by }) => by.every(isInFirst));
  process.stderr.write(`npm test alone finds ${alone.length} of ${planted.length} faults.\n`);
  expect(alone.length / planted.length).toBeGreaterThanOrEqual(0.9);
});

test('a suite that says its topic does so in its first line', () => {
  const texts = suites.map((suite) => [suite, readFileSync(join(ROOT, suite), 'utf8')] as const);
  const says = texts.filter(([, text]) => /^\W*@more\b/m.test(text)).map(([suite]) => suite);
  expect(says.length).toBeGreaterThan(0);
  expect(says).toEqual(suites.filter((suite) => !isInFirst(suite)));
});
