import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribution, projectText } from '../../src/embedded/distribution';
import { LTS } from '../../src/embedded/line';

const java = { release: 17, home: '/jvm/17', executable: '/jvm/17/bin/java' };

/** Stands in for Maven: notes that it ran, then copies one jar. */
const MAVEN = `echo run >> "$0.log"
sleep 0.3
for argument; do case "$argument" in -DoutputDirectory=*) lib="\${argument#*=}";; esac; done
echo "Downloaded from central: some.jar (1 kB)"
mkdir -p "$lib" && echo jar > "$lib/neo4j.jar"`;

describe('distribution', () => {
  let root: string;
  let told: string[];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'grantgraph-maven-'));
    told = [];
  });
  afterEach(() => rm(root, { recursive: true }));

  const maven = async (script: string) => {
    await mkdir(join(root, 'maven', 'bin'), { recursive: true });
    await writeFile(join(root, 'maven', 'bin', 'mvn'), `#!/bin/sh\n${script}\n`);
    await chmod(join(root, 'maven', 'bin', 'mvn'), 0o755);
  };
  const fetchJars = () =>
    distribution(LTS, {
      env: { ...process.env, XDG_CACHE_HOME: join(root, 'cache'), MAVEN_HOME: join(root, 'maven') },
      java,
      progress: (text) => told.push(text),
    });
  const cached = () => readdir(join(root, 'cache', 'grantgraph'));

  test('is fetched once, however many ask at once, and then kept', async () => {
    await maven(MAVEN);
    const lib = join(root, 'cache', 'grantgraph', 'neo4j-5.26.30', 'lib');
    expect(await Promise.all([fetchJars(), fetchJars(), fetchJars()])).toEqual([lib, lib, lib]);
    expect(await fetchJars()).toBe(lib);
    expect(await readdir(lib)).toEqual(['neo4j.jar']);
    expect(await readFile(join(root, 'maven', 'bin', 'mvn.log'), 'utf8')).toBe('run\n');
    expect(await cached()).toEqual(['neo4j-5.26.30']);
    expect(told).toContain('Fetched Neo4j 5.26.30: 1 jars.');
  });

  test('a fetch that fails says why and leaves nothing', async () => {
    await maven('echo "[ERROR] Could not resolve org.neo4j:neo4j"; exit 1');
    await expect(fetchJars()).rejects.toMatchObject({
      kind: 'fetch-failed',
      message: 'Maven could not fetch Neo4j:\n[ERROR] Could not resolve org.neo4j:neo4j',
    });
    expect(await cached()).toEqual([]);
  });

  test('a lock that a dead process left is taken over', async () => {
    await maven(MAVEN);
    await mkdir(join(root, 'cache', 'grantgraph'), { recursive: true });
    // No process has so high an id.
    await writeFile(join(root, 'cache', 'grantgraph', 'neo4j-5.26.30.lock'), '99999999');
    await fetchJars();
    expect(await cached()).toEqual(['neo4j-5.26.30']);
  });
});

test('projectText names the server and Neo4j Browser', () => {
  const artifacts = [
    ...projectText(LTS).matchAll(
      /<dependency>.*<artifactId>(.+)<\/artifactId><version>(.+)<\/version>/g,
    ),
  ];
  expect(artifacts.map(([, artifact, version]) => `${artifact} ${version}`)).toEqual([
    'neo4j 5.26.30',
    'neo4j-bolt 5.26.30',
    'neo4j-server 5.26.30',
    'neo4j-browser 5.24.0',
  ]);
});
