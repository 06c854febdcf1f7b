import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../error-code';
import { type Java, pathFolders, real } from './java';
import type { Line } from './line';
import { isAlive } from './process-state';
import { StartFailure } from './start-failure';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reports the steps of a long start, one line each, to the terminal or the log. */
export type Progress = (text: string) => void;

/** What is needed to fetch Neo4j. */
export interface Fetching {
  readonly env: Environment;
  /** The Java that runs Maven. */
  readonly java: Java;
  readonly progress: Progress;
}

/** Neo4j Browser is released apart from Neo4j. Both lines serve this release. */
const BROWSER = '5.24.0';

/** About how many jars a line has. The progress is reported in parts of this number. */
const JARS = 230;

/**
 * The folder with the jars of a line. Maven fetches them once for each machine into the cache of
 * the user.
 */
export const distribution = async (line: Line, fetching: Fetching): Promise<string> => {
  const { env, progress } = fetching;
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'grantgraph');
  const folder = join(cache, `neo4j-${line.version}`);
  await mkdir(cache, { recursive: true });
  while (!(await exists(folder))) {
    const release = await lock(`${folder}.lock`);
    if (release === undefined) {
      progress(`Waiting for another process that fetches Neo4j ${line.version} …`);
      await delay(2000);
      continue;
    }
    try {
      if (!(await exists(folder))) await fetchInto(folder, line, fetching);
    } finally {
      await release();
    }
  }
  return join(folder, 'lib');
};

/** A Maven project that depends on the jars of the server. */
export const projectText = ({ version }: Line): string => {
  const dependencies = [
    ['org.neo4j', 'neo4j', version],
    ['org.neo4j', 'neo4j-bolt', version],
    ['org.neo4j.app', 'neo4j-server', version],
    ['org.neo4j.client', 'neo4j-browser', BROWSER],
  ].map(
    ([group, artifact, release]) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${release}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0">',
    '  <modelVersion>4.0.0</modelVersion>',
    '  <groupId>grantgraph</groupId><artifactId>embedded-neo4j</artifactId><version>1</version>',
    '  <dependencies>',
    ...dependencies,
    '  </dependencies>',
    '</project>',
    '',
  ].join('\n');
};

async function fetchInto(folder: string, line: Line, { env, java, progress }: Fetching) {
  const maven = await findMaven(env);
  // The folder gets its final name only when it holds every jar, so nobody can find an incomplete
  // one.
  const draft = `${folder}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  await mkdir(draft);
  try {
    progress(`Fetching Neo4j ${line.version} with Maven (once on this machine, about 170 MB) …`);
    const project = join(draft, 'pom.xml');
    await writeFile(project, projectText(line));
    await runMaven(maven, project, join(draft, 'lib'), env, java, progress);
    const jars = await readdir(join(draft, 'lib'));
    progress(`Fetched Neo4j ${line.version}: ${jars.length} jars.`);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function findMaven(env: Environment): Promise<string> {
  const name = process.platform === 'win32' ? 'mvn.cmd' : 'mvn';
  const bins = [
    ...[env.MAVEN_HOME, env.M2_HOME].flatMap((home) => (home ? [join(home, 'bin')] : [])),
    ...pathFolders(env),
    '/opt/maven/bin',
    '/usr/share/maven/bin',
    join(homedir(), '.sdkman', 'candidates', 'maven', 'current', 'bin'),
  ];
  for (const bin of bins) {
    const maven = await real(join(bin, name));
    if (maven !== undefined) return maven;
  }
  throw new StartFailure(
    'maven-missing',
    'Maven is missing, with which Neo4j is fetched once. Install it (Debian: apt-get install maven; ' +
      'macOS: brew install maven), or set NEO4J_URI to a Neo4j that runs elsewhere.',
  );
}

function runMaven(
  maven: string,
  project: string,
  output: string,
  env: Environment,
  java: Java,
  progress: Progress,
): Promise<void> {
  const args = ['-B', '-C', '-f', project, 'dependency:copy-dependencies'];
  const child = spawn(maven, [...args, '-DincludeScope=runtime', `-DoutputDirectory=${output}`], {
    env: { ...env, JAVA_HOME: java.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  let downloaded = 0;
  let reportedAt = Date.now();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (/^Downloaded from .*\.jar/.test(line)) downloaded += 1;
      if (/ERROR/.test(line)) errors.push(line);
      if (downloaded > 0 && Date.now() - reportedAt > 3000) {
        reportedAt = Date.now();
        progress(`  ${downloaded} of about ${JARS} jars …`);
      }
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const reasons = errors.slice(0, 5).join('\n') || `exit code ${code}`;
      reject(new StartFailure('fetch-failed', `Maven could not fetch Neo4j:\n${reasons}`));
    });
  });
}

/**
 * Acquires the lock file, unless a living process holds it. Returns a function that releases it.
 */
export const lock = async (file: string): Promise<(() => Promise<void>) | undefined> => {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return () => rm(file, { force: true });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  const age = Date.now() - mtimeMs;
  // An empty file is one that a process has just begun to write. After an hour nobody is fetching
  // any more.
  const isStale = age > 3_600_000 || (holder > 0 ? !(await isAlive(holder)) : age > 10_000);
  if (isStale) await rm(file, { force: true });
  return undefined;
};

/** Whether there is a file or folder at a path. */
export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;
