import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startContainerNeo4j } from '../../src/embedded/docker/container';
import { dockerAnswers } from '../../src/embedded/docker/docker';
import { type Starters, startLocalNeo4j } from '../../src/embedded/local';
import type { EmbeddedOptions, LocalNeo4j } from '../../src/embedded/server';
import { StartFailure } from '../../src/embedded/start-failure';

let root: string;
let options: EmbeddedOptions & { dataFolder: string };
const path = process.env.PATH;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'grantgraph-docker-'));
  options = {
    dataFolder: join(root, 'data'),
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    progress: () => undefined,
  };
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(root, { recursive: true });
});

/** Puts a script in the place of the docker command, which notes its arguments first. */
const useDocker = async (script: string) => {
  const file = join(root, 'docker');
  await writeFile(file, `#!/bin/sh\necho "$@" >> "${root}/docker.log"\n${script}\n`);
  await chmod(file, 0o755);
  process.env.PATH = `${root}${delimiter}${path}`;
};
const commands = async () => (await readFile(join(root, 'docker.log'), 'utf8')).trim().split('\n');

describe('dockerAnswers', () => {
  test.each([
    ['an engine that answers', 'echo 28.0.1', true],
    [
      'a command without an engine',
      'echo "Cannot connect to the Docker daemon" >&2; exit 1',
      false,
    ],
  ])('%s', async (_sentence, script, expected) => {
    await useDocker(script);
    expect(await dockerAnswers()).toBe(expected);
  });

  test('no command at all', async () => {
    process.env.PATH = root;
    expect(await dockerAnswers()).toBe(false);
  });
});

describe('startContainerNeo4j', () => {
  test('a container of a living service is left alone', async () => {
    await useDocker(`case "$1" in inspect) echo ${process.pid};; esac`);
    await expect(startContainerNeo4j(options)).rejects.toMatchObject({ kind: 'store-locked' });
    expect(await commands()).toHaveLength(1);
  });

  test('what a killed run left behind is removed; a refusal of Docker is shown', async () => {
    await useDocker(
      'case "$1" in inspect) echo 99999999;; run) echo "no space left on device" >&2; exit 125;; esac',
    );
    await expect(startContainerNeo4j(options)).rejects.toThrow(
      'Docker could not start Neo4j: no space left on device',
    );
    const [inspect, remove, run] = await commands();
    const name = /grantgraph-neo4j-[0-9a-f]{12}$/.exec(inspect ?? '')?.[0];
    expect(remove).toBe(`rm --force ${name}`);
    expect(run).toContain(`--volume=${name}:/data`);
    expect(run).not.toContain(
      (await readFile(join(root, 'data', 'neo4j-password'), 'utf8')).trim(),
    );
  });
});

describe('startLocalNeo4j', () => {
  const running = (version: string) => Promise.resolve({ version } as LocalNeo4j);
  const missing = new StartFailure('maven-missing', 'Maven is missing.');
  const starters = (changes: Partial<Starters>): Starters => ({
    startEmbedded: () => Promise.reject(missing),
    startContainer: () => running('container'),
    hasDocker: () => Promise.resolve(true),
    ...changes,
  });

  test('the embedded server comes first', async () => {
    const chosen = starters({ startEmbedded: () => running('embedded') });
    expect(await startLocalNeo4j(options, chosen)).toEqual({ version: 'embedded' });
  });

  test('without Maven, a container', async () => {
    expect(await startLocalNeo4j(options, starters({}))).toEqual({ version: 'container' });
  });

  test('without Maven and Docker, the message names both', async () => {
    const chosen = starters({ hasDocker: () => Promise.resolve(false) });
    await expect(startLocalNeo4j(options, chosen)).rejects.toMatchObject({
      kind: 'maven-missing',
      message: 'Maven is missing.\nA running Docker engine would do as well; none answers.',
    });
  });

  test('other failures are no reason for a container', async () => {
    const locked = new StartFailure('store-locked', 'In use.');
    const chosen = starters({ startEmbedded: () => Promise.reject(locked) });
    await expect(startLocalNeo4j(options, chosen)).rejects.toBe(locked);
  });

  test('nor is a missing Java where a store stands', async () => {
    await mkdir(join(options.dataFolder, 'neo4j-5.26', 'data', 'databases'), { recursive: true });
    await expect(startLocalNeo4j(options, starters({}))).rejects.toBe(missing);
  });
});
