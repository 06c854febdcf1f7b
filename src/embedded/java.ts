import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A Java that runs on this machine. */
export interface Java {
  /** The feature release, such as 21. */
  readonly release: number;
  /** Its JAVA_HOME. */
  readonly home: string;
  readonly executable: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The folders in which installers put Javas, each Java in a folder of its own. */
const usualFolders = (): readonly string[] => [
  '/usr/lib/jvm',
  '/usr/java',
  '/opt/java',
  '/opt',
  '/Library/Java/JavaVirtualMachines',
  '/opt/homebrew/opt',
  '/usr/local/opt',
  'C:\\Program Files\\Java',
  'C:\\Program Files\\Eclipse Adoptium',
  join(homedir(), '.sdkman', 'candidates', 'java'),
  join(homedir(), '.jdks'),
];

/**
 * Finds all Javas of this machine, each once: first that of JAVA_HOME, then those of the PATH, then
 * those in the usual folders.
 */
export const findJavas = async (
  env: Environment,
  folders: readonly string[] = usualFolders(),
): Promise<readonly Java[]> => {
  const homes = await Promise.all(folders.map(homesIn));
  const bins = [
    ...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin')] : []),
    ...pathFolders(env),
    ...homes.flat().map((home) => join(home, 'bin')),
  ];
  const name = process.platform === 'win32' ? 'java.exe' : 'java';
  const executables = await Promise.all(bins.map((bin) => real(join(bin, name))));
  const distinct = [...new Set(executables)].filter((path) => path !== undefined);
  const javas = await Promise.all(distinct.map(askJava));
  return javas.filter((java) => java !== undefined);
};

/** The folders of the PATH. */
export const pathFolders = (env: Environment): readonly string[] =>
  (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');

/**
 * Reads the feature release from the output of `java -version`: 17 of `"17.0.15"`, 8 of
 * `"1.8.0_392"`.
 */
export const readRelease = (text: string): number | undefined => {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  const release = Number(first === '1' ? second : first);
  return Number.isInteger(release) ? release : undefined;
};

/** The file to which a path leads through all links; undefined if there is none. */
export const real = (path: string): Promise<string | undefined> =>
  realpath(path).catch(() => undefined);

async function homesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  // In macOS bundles and in Homebrew the home is a folder further down.
  return entries.sort().flatMap((entry) => {
    const home = join(folder, entry);
    return [
      home,
      join(home, 'Contents', 'Home'),
      join(home, 'libexec', 'openjdk.jdk', 'Contents', 'Home'),
    ];
  });
}

function askJava(executable: string): Promise<Java | undefined> {
  return new Promise((resolve) => {
    execFile(executable, ['-version'], { timeout: 20_000 }, (error, _stdout, stderr) => {
      const release = error === null ? readRelease(stderr) : undefined;
      const home = dirname(dirname(executable));
      resolve(release === undefined ? undefined : { release, home, executable });
    });
  });
}
