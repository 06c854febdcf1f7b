import { printErrors } from '../visible-text';
import { distribution, type Progress } from './distribution';
import { findJavas } from './java';
import { chooseLine, type LineChoice, type LineName } from './line';
import { existingStores } from './store';

/** What decides which Neo4j is fetched. */
export interface Wanted {
  /** The folder of the stores; undefined for a server that stores nothing. */
  readonly dataFolder: string | undefined;
  readonly line: LineName | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
}

/** A Neo4j that is on this machine: its line, the Java to run it with, and the folder of its jars. */
export interface FetchedNeo4j extends LineChoice {
  readonly lib: string;
}

/**
 * Chooses the Neo4j to run, and fetches it if it is not on this machine yet. Rejects with a
 * StartFailure.
 */
export const fetchedNeo4j = async (wanted: Wanted): Promise<FetchedNeo4j> => {
  const { dataFolder, env, progress } = wanted;
  const choice = chooseLine({
    javas: await findJavas(env),
    stores: dataFolder === undefined ? [] : await existingStores(dataFolder),
    wanted: wanted.line,
    dataFolder: dataFolder ?? '',
  });
  const lib = await distribution(choice.line, { env, java: choice.java, progress });
  return { ...choice, lib };
};

/**
 * Fetches Neo4j before the first start, while npm installs packages (`scripts/run.mjs`). What
 * prevents it is no failure here: the start meets it again, and explains it or uses a container.
 */
const main = async (): Promise<void> => {
  const { env } = process;
  if (env.NEO4J_URI) return;
  await fetchedNeo4j({
    dataFolder: env.DATA_DIR,
    line: undefined,
    env,
    progress: (text) => printErrors(`  ${text}`),
  }).catch(() => undefined);
};

if (require.main === module) void main();
