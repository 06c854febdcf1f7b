// Runs the commands of package.json. On a fresh clone it first installs and compiles. So it imports
// only modules of Node.
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fromRoot = (...parts) => join(root, ...parts);
/** Copies the files that no compiler makes; the Dockerfile runs it too. */
const COPY = 'scripts/copy-assets.mjs';
const tool = (...parts) => fromRoot('node_modules', ...parts);

/** The file that says since when a folder holds the compiled sources, and whether types were checked. */
const stampOf = (output) => fromRoot(output, '.built');

/** The tools of `npm run check`, in their order, and the one that runs beside them. */
const longestCheck = ['eslint', tool('eslint/bin/eslint.js'), ['.']];
const checks = [
  ['types', tool('typescript/bin/tsc'), ['--noEmit', '-p', '.']],
  ['prettier', tool('prettier/bin/prettier.cjs'), ['--check', '.']],
  [
    'imports',
    tool('dependency-cruiser/bin/dependency-cruise.mjs'),
    ['src', 'test', 'bench', '--config', '.dependency-cruiser.cjs'],
  ],
  ['unused', tool('knip/bin/knip.js'), []],
];

/** Which suites a part has: `npm test`, `npm run test:more`, or all. */
const FILTER = fromRoot('scripts/parts.cjs');

const NOTHING = { passed: 0, failed: 0, skipped: 0, code: 0 };

/**
 * How many runs of jest share the suites of a part. They run side by side, each with a Neo4j of its
 * own: two do not keep two cores busy.
 */
const SHARES = 3;

/**
 * What each run of jest gets. If NEO4J_URI names a Neo4j, only one of them uses it. Otherwise each takes
 * the next suite that no other has taken (`scripts/sharing-runner.cjs`).
 */
const shares = () =>
  process.env.NEO4J_URI
    ? [
        ['--selectProjects', 'graph', 'property'],
        ['--selectProjects', 'unit', 'embedded'],
      ]
    : Array.from({ length: SHARES }, () => []);

const commands = {
  install: async () => (await installed(), 0),
  build: async () => (await built(), 0),
  'build:quickly': async () => (await builtQuickly(), 0),
  start: async (args) => (await prepared(), node([fromRoot('dist/main.js'), ...args])),
  demo: async (args) => (await prepared(), node([fromRoot('dist/demo/demo.js'), ...args])),
  cypher: async (args) => (await prepared(), node([fromRoot('dist/cli/cypher.js'), ...args])),
  bench: async (args) => (
    await built('tsconfig.bench.json', 'dist/bench'),
    node([fromRoot('dist/bench/bench/main.js'), ...args])
  ),
  check: async () => ((await check()) === 0 ? 0 : 1),
  test: async (args) => closing([await tested('first', args)]),
  'test:more': async (topics) => closing([await tested('more', [], topics)]),
  'test:full': async (args) => closing([await tested('all', args)]),
  ci,
  soak,
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')} [arguments]`);
  process.exit(2);
}
process.chdir(root);
try {
  process.exitCode = await commands[name](args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (/^(test|ci)/.test(name)) console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

/**
 * Runs a program in our terminal, unless `stdio` says otherwise, and resolves with its exit code.
 * Signals reach the program, and it alone decides when to end.
 */
function run(program, args, env = process.env, stdio = 'inherit') {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio, env });
    // Ctrl-C reaches the whole foreground group by itself. A SIGTERM reaches only this process.
    const pass = () => child.kill('SIGTERM');
    const wait = () => undefined;
    process.on('SIGTERM', pass).on('SIGINT', wait);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', wait);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function node(args, env) {
  return run(process.execPath, args, env);
}

/** Installs all packages of package-lock.json, unless each is there in the right version. */
async function installed() {
  if (areInstalled(() => true)) return;
  console.error('Installing packages (once) …');
  await npm(['ci'], 'inherit');
}

/** Whether the packages of package-lock.json for which `isNeeded` holds are there in the right version. */
function areInstalled(isNeeded) {
  const record = tool('.package-lock.json');
  if (!existsSync(record)) return false;
  const there = new Map(packagesIn(record).map(([path, { version }]) => [path, version]));
  return packagesIn(fromRoot('package-lock.json')).every(
    ([path, entry]) =>
      path === '' ||
      entry.optional ||
      entry.devOptional ||
      entry.peer ||
      !isNeeded(entry) ||
      there.get(path) === entry.version,
  );
}

function packagesIn(file) {
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);
}

async function npm(args, stdio = ['ignore', 'ignore', 'inherit']) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('npm', [...args, ...quiet], process.env, stdio);
  if (code !== 0) throw new Error(`npm ${args[0]} failed with exit code ${code}.`);
}

/** Compiles with all checks of types, and always records the commit. */
async function built(project = 'tsconfig.build.json', output = 'dist') {
  await installed();
  await compiled(project, output);
  recordCommit();
}

/** Compiles without checking types, which `npm run check` does, and without declarations. */
async function builtQuickly() {
  await installed();
  await transpiled();
  recordCommit();
}

function recordCommit() {
  const [file, text] = [fromRoot('dist/commit.txt'), `${commit()}\n`];
  // A service that another run starts at this moment reads the file.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/**
 * Makes ready what the service needs to run. On a fresh clone it does at the same time what does not
 * depend on each other: npm installs the packages that run, while esbuild compiles and Maven fetches
 * Neo4j. It checks no types: `npm run check` does.
 */
async function prepared() {
  if (areInstalled((entry) => !entry.dev)) {
    await transpiled();
  } else {
    console.error('Preparing the first start (once): packages, compiled sources, Neo4j …');
    const begun = Date.now();
    const step = async (title, work) => {
      await work;
      console.error(`  ${title} after ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
    };
    const compiling = transpiled();
    await Promise.all([
      step('Packages are installed', npm(['ci', '--omit=dev'])),
      // Whatever stops this, the start meets again and explains.
      compiling.then(() => node([fromRoot('dist/embedded/fetch.js')])),
    ]);
  }
  recordCommit();
}

/**
 * The folder with the packages of the quick compilation, in the versions of package-lock.json. Of the
 * viewer of /docs it needs two files and none of the packages that it names, so npm only unpacks it.
 */
async function toolsFolder() {
  const names = ['esbuild', 'rapidoc'];
  if (names.every((name) => existsSync(tool(name)))) return fromRoot('node_modules');
  const folder = fromRoot('dist/.tools/node_modules');
  const locked = new Map(packagesIn(fromRoot('package-lock.json')));
  for (const name of names) {
    const { version } = locked.get(`node_modules/${name}`);
    const file = join(folder, name, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version) continue;
    mkdirSync(join(folder, name), { recursive: true });
    if (name === 'esbuild')
      await npm(['install', '--prefix', dirname(folder), '--no-save', `${name}@${version}`]);
    else {
      await npm(['pack', '--pack-destination', folder, `${name}@${version}`]);
      const unpack = ['-xzf', `${name}-${version}.tgz`, '--strip-components=1', '-C', name];
      execFileSync('tar', unpack, { cwd: folder });
    }
  }
  return folder;
}

/** Compiles `src` without checking types, unless the output is newer than all its sources. */
async function transpiled() {
  if (isNewerThanSources('dist', 'tsconfig.build.json')) return;
  const before = Date.now();
  const tools = await toolsFolder();
  const { build } = await import(pathToFileURL(join(tools, 'esbuild/lib/main.js')));
  const sources = readdirSync(fromRoot('src'), { recursive: true });
  await build({
    entryPoints: sources
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => fromRoot('src', file)),
    outbase: fromRoot('src'),
    outdir: fromRoot('dist'),
    tsconfig: fromRoot('tsconfig.json'),
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  for (const file of sources.filter((each) => each.endsWith('.cjs')))
    copyFileSync(fromRoot('src', file), fromRoot('dist', file));
  await copyAssets(fromRoot('dist'), tools);
  // The stamp of `npm run build` would say that there are declarations.
  stamp('dist', before, 'without types');
}

/** The commit that is checked out; `unknown` outside a repository. */
function commit() {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}

function stamp(output, before, text) {
  writeFileSync(stampOf(output), text);
  // A source that changes during the compilation must be newer than the output.
  utimesSync(stampOf(output), before / 1000, before / 1000);
  console.error(`Compiled in ${((Date.now() - before) / 1000).toFixed(1)} s.`);
}

function isNewerThanSources(output, project) {
  const sources = ['src', 'bench', 'package.json', 'tsconfig.json', project, COPY];
  return (
    existsSync(stampOf(output)) &&
    sources.every((source) => newest(fromRoot(source)) < statSync(stampOf(output)).mtimeMs)
  );
}

async function copyAssets(modules, tools = fromRoot('node_modules')) {
  if ((await node([fromRoot(COPY), modules, tools])) !== 0)
    throw new Error('The files that no compiler makes could not be copied.');
}

async function compiled(project, output) {
  const checked = 'with types';
  if (isNewerThanSources(output, project) && readFileSync(stampOf(output), 'utf8') === checked)
    return;
  const before = Date.now();
  const code = await node([tool('typescript/bin/tsc'), '-p', project]);
  if (code !== 0) throw new Error(`The compiler found errors (exit code ${code}).`);
  await copyAssets(output === 'dist' ? fromRoot(output) : fromRoot(output, 'src'));
  stamp(output, before, checked);
}

/** When the newest file below a path was changed; 0 if there is no file. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The results of a bench are no sources, and they change the time of their folder.
  const entries = readdirSync(path).filter((entry) => entry !== 'results');
  return Math.max(...entries.map((entry) => newest(join(path, entry))));
}

/**
 * Runs every check, even after one has failed, and gives how many failed. eslint takes about as long as
 * all others together, so it runs beside them, and its output follows theirs.
 */
async function check() {
  await installed();
  const failed = [];
  const checked = async ([title, program, args], stdio) => {
    if ((await run(process.execPath, [program, ...args], process.env, stdio)) !== 0)
      failed.push(title);
  };
  const folder = mkdtempSync(join(tmpdir(), 'grantgraph-check-'));
  const log = join(folder, 'log');
  const said = openSync(log, 'w');
  const beside = checked(longestCheck, ['ignore', said, said]);
  for (const each of checks) {
    console.error(`── ${each[0]}`);
    await checked(each, 'inherit');
  }
  await beside;
  closeSync(said);
  console.error(`── ${longestCheck[0]}`);
  process.stderr.write(readFileSync(log));
  rmSync(folder, { recursive: true });
  console.error(failed.length === 0 ? 'All checks pass.' : `Failed: ${failed.join(', ')}.`);
  return failed.length;
}

/**
 * Runs random tests for a long time:
 * - `SOAK_SEQUENCES` random sequences of pushes, most of them in memory and some on Neo4j;
 * - many clients at two processes for `SOAK_SECONDS`;
 * - strikes at every moment of every kind of push: the service is killed, its connections are
 *   broken, and at all moments that differ Neo4j is killed. `CRASH_SECONDS` limits each of the
 *   three.
 *
 * Each run has another seed, unless `SOAK_SEED` names one.
 */
async function soak() {
  await built();
  const { SOAK_SEQUENCES = '10000', SOAK_SECONDS = '300', CRASH_SECONDS } = process.env;
  const crashSeconds = CRASH_SECONDS === undefined ? {} : { CRASH_SECONDS };
  const seed = process.env.SOAK_SEED ?? String(Math.floor(Math.random() * 1_000_000));
  const share = (part) => String(Math.ceil(Number(SOAK_SEQUENCES) * part));
  const inMemory = [['unit', 'test/increment/against-mirror', { INCREMENT_RUNS: share(0.92) }]];
  const onNeo4j = [
    ['property', 'test/property/full-push', { PROPERTY_RUNS: share(0.03) }],
    ['property', 'test/property/increments', { PROPERTY_RUNS: share(0.045) }],
    ['property', 'test/property/interleavings', { PROPERTY_RUNS: share(0.005) }],
  ];
  const afterwards = [
    ['property', 'test/property/two-processes', { CONCURRENT_SECONDS: SOAK_SECONDS }],
    ['graph', 'test/crash/crash', { CRASH_SWEEP: 'service', ...crashSeconds }],
    ['graph', 'test/crash/crash', { CRASH_SWEEP: 'connections', ...crashSeconds }],
    ['graph', 'test/crash/crash', { CRASH_SWEEP: 'Neo4j', ...crashSeconds }],
  ];
  const failed = [];
  /** Runs test files one after the other. Stops if somebody has stopped one of them. */
  const inTurn = async (parts) => {
    for (const [project, path, env] of parts) {
      const told = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      console.error(`── ${path} ${told.join(' ')} PROPERTY_SEED=${seed}`);
      const args = ['--selectProjects', project, '--testPathPatterns', path];
      const code = await node([tool('jest/bin/jest.js'), ...args], {
        ...process.env,
        PROPERTY_SEED: seed,
        ...env,
      });
      if (code > 128) return code;
      if (code !== 0) failed.push(path);
    }
    return 0;
  };
  const stopped = Math.max(...(await Promise.all([inMemory, onNeo4j].map(inTurn))));
  const code = stopped || (await inTurn(afterwards));
  if (code > 0) return code;
  console.error(failed.length === 0 ? 'The soak found nothing.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * Judges a commit: all checks, `npm test`, and `npm run test:more`, also after one of them has failed. The
 * closing line counts each check that fails, and a part that does not run, as one failure.
 */
async function ci() {
  const steps = [
    ['the checks', async () => ({ ...NOTHING, failed: await check() })],
    ['npm test', () => tested('first', [])],
    ['npm run test:more', () => tested('more', [])],
  ];
  const results = [];
  for (const [title, step] of steps) {
    const result = await step().catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      return { ...NOTHING, failed: 1, code: 1 };
    });
    console.error(`── ${title}: ${wordsOf(result)}`);
    results.push(result);
  }
  return closing(results);
}

function wordsOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Prints the closing line of a run, and gives its exit code. */
function closing(results) {
  const all = {
    passed: sumOf(results, 'passed'),
    failed: sumOf(results, 'failed'),
    skipped: sumOf(results, 'skipped'),
  };
  console.log(wordsOf(all));
  return all.failed > 0 ? Math.max(1, ...results.map(({ code }) => code)) : 0;
}

/**
 * Runs a part of the tests, in shares side by side unless `args` or `topics` name some. The counts are
 * right even if jest crashes or finds no test. `test/support/test-size.ts` reads the size.
 */
async function tested(part, args, topics = []) {
  const unknown = topics.filter((topic) => !moreByTopic().has(topic));
  if (unknown.length > 0) {
    const known = [...moreByTopic().keys()].sort().join(', ');
    throw new Error(`No suite has the topic ${unknown.join(', ')}. Topics: ${known}.`);
  }
  // For some tests only, test/support/built-sources.ts compiles the sources if a test needs them.
  if (args.length > 0) await installed();
  else await (part === 'first' ? builtQuickly() : built());
  process.env.TEST_SIZE = part === 'all' ? 'full' : 'short';
  process.env.TEST_PART = part;
  process.env.TEST_TOPICS = topics.join(' ');
  const folder = mkdtempSync(join(tmpdir(), 'grantgraph-test-'));
  const ofPart = part === 'all' ? [] : ['--filter', FILTER];
  // Who names tests gets them, whatever part they are in.
  const runs =
    args.length > 0
      ? [args]
      : (topics.length > 0 ? [[]] : shares()).map((share) => [...share, ...ofPart]);
  const claims = join(folder, 'claims');
  mkdirSync(claims);
  if (runs.length > 1 && !process.env.NEO4J_URI) process.env.TEST_CLAIMS = claims;
  const results = await Promise.all(
    runs.map((given, at) => jest(given, join(folder, String(at)), at === 0)),
  );
  if (process.env.TEST_CLAIMS !== undefined) results.push(leftOut(results));
  delete process.env.TEST_CLAIMS;
  rmSync(folder, { recursive: true });
  if (part === 'first' && args.length === 0) tellOtherRuns();
  return {
    passed: sumOf(results, 'passed'),
    failed: sumOf(results, 'failed'),
    skipped: sumOf(results, 'skipped'),
    code: sumOf(results, 'code'),
  };
}

function sumOf(results, name) {
  return results.reduce((total, result) => total + result[name], 0);
}

/** One failure if runs that shared the suites did not have all of them. A run that crashed has failed already. */
function leftOut(results) {
  const missing = Math.max(...results.map(({ allSuites }) => allSuites)) - sumOf(results, 'suites');
  // Not a number if a run crashed.
  if (!(missing > 0)) return NOTHING;
  console.error(`No run had ${missing} of the suites.`);
  return { ...NOTHING, failed: 1, code: 1 };
}

/** The suites of `npm run test:more`, by their topic. */
function moreByTopic() {
  const { topicOf } = createRequire(import.meta.url)(FILTER);
  const suites = new Map();
  for (const file of readdirSync(fromRoot('test'), { recursive: true })) {
    const topic = /\.test\.tsx?$/.test(file) ? topicOf(fromRoot('test', file)) : undefined;
    if (topic !== undefined) suites.set(topic, [...(suites.get(topic) ?? []), file]);
  }
  return suites;
}

/** Says what `npm test` leaves to other runs. */
function tellOtherRuns() {
  const topics = [...moreByTopic()].map(([topic, { length }]) => `${topic} (${length})`).sort();
  console.log(
    `npm run test:more [topic …] runs more suites: ${topics.join(', ')}. npm run test:full runs all, and repeats more (CONTRIBUTING.md: The three runs).`,
  );
}

/**
 * Runs jest once and gives its counts. A run that is not in front prints its output when it is
 * done.
 */
async function jest(args, path, isAtFront) {
  const [file, log] = [`${path}.json`, `${path}.log`];
  const said = isAtFront ? undefined : openSync(log, 'w');
  const code = await run(
    process.execPath,
    [tool('jest/bin/jest.js'), ...args],
    { ...process.env, TEST_COUNTS: file },
    said === undefined ? 'inherit' : ['ignore', said, said],
  );
  if (said !== undefined) {
    closeSync(said);
    process.stderr.write(readFileSync(log));
  }
  const counts = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
  // The run failed outside of the tests: jest crashed, a server did not start or stop, or no test
  // ran.
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) counts.failed = 1;
  return { ...counts, code };
}
