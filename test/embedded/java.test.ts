import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJavas, readRelease } from '../../src/embedded/java';

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['openjdk version "25" 2025-09-16', 25],
  ['java version "1.8.0_392"', 8],
  ['openjdk version "21-ea" 2023-09-19', 21],
  ['Unable to locate a Java Runtime.', undefined],
])('readRelease of %s', (text, release) => {
  expect(readRelease(text)).toBe(release);
});

describe('findJavas', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'grantgraph-java-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const install = async (home: string, script: string) => {
    await mkdir(join(root, home, 'bin'), { recursive: true });
    await writeFile(join(root, home, 'bin', 'java'), `#!/bin/sh\n${script}\n`);
    await chmod(join(root, home, 'bin', 'java'), 0o755);
    return join(root, home);
  };
  const version = (release: string) => `echo 'openjdk version "${release}"' >&2`;

  test('JAVA_HOME comes first, then the PATH, then the folders; each once; broken ones not at all', async () => {
    const home = await install('home', version('21.0.2'));
    const onPath = await install('path', version('17.0.1'));
    await install('jvm/b25', version('25.0.1'));
    await install('jvm/a-broken', 'exit 1');
    await symlink(onPath, join(root, 'jvm', 'c-link'));
    const env = { JAVA_HOME: home, PATH: `${join(onPath, 'bin')}:/nowhere` };
    const javas = await findJavas(env, [join(root, 'jvm'), '/nowhere']);
    expect(javas.map(({ release }) => release)).toEqual([21, 17, 25]);
    expect(javas[0]).toEqual({ release: 21, home, executable: join(home, 'bin', 'java') });
  });

  test('a machine without Java has none', async () => {
    expect(await findJavas({ PATH: '' }, [])).toEqual([]);
  });
});
