import * as E from 'fp-ts/Either';

import { type ConfigProblem, configRefusal } from '../config';
import { bytes } from '../settings/setting';
import { tellFailure } from '../start/tell-failure';

const MB = 1024 ** 2;
/** The page cache that docker-compose.yml gives to Neo4j. */
const PAGE_CACHE = 512 * MB;
/**
 * What a JVM needs in addition to its heap: classes, compiled code, threads, buffers of
 * connections.
 */
const REST_OF_JVM = 1024 * MB;

const size = bytes(1, 1024 ** 4);

const passwordProblem = (password: string): string | undefined => {
  if (password === 'neo4j') return 'must not be neo4j, which is the default and refused by Neo4j';
  if (password.length < 8) return 'must have at least 8 characters: Neo4j accepts no shorter one';
  if (password.includes('/')) return 'must have no slash: NEO4J_AUTH, which holds it, ends there';
  return undefined;
};

const memoryProblem = (heap: string, memory: string): ConfigProblem | undefined => {
  const [heapBytes, memoryBytes] = [size(heap), size(memory)];
  const expected = 'must be a size in bytes or with the unit k, m or g, such as 4g';
  if (E.isLeft(heapBytes)) return { variable: 'NEO4J_HEAP', message: expected };
  if (E.isLeft(memoryBytes)) return { variable: 'NEO4J_MEMORY', message: expected };
  const needed = heapBytes.right + PAGE_CACHE + REST_OF_JVM;
  if (memoryBytes.right >= needed) return undefined;
  return {
    variable: 'NEO4J_MEMORY',
    message:
      `must be at least ${Math.ceil(needed / MB)}m, not ${memory}: ` +
      `the heap (NEO4J_HEAP=${heap}), 512m of page cache and 1g for the rest of the JVM`,
  };
};

/** Checks the settings of docker-compose.yml for the container of Neo4j. */
export const neo4jSettingProblems = ({
  NEO4J_PASSWORD: password = '',
  NEO4J_HEAP: heap = '',
  NEO4J_MEMORY: memory = '',
}: Readonly<Record<string, string | undefined>>): readonly ConfigProblem[] => {
  const wrongPassword = passwordProblem(password);
  const wrongMemory = memoryProblem(heap, memory);
  return [
    ...(wrongPassword === undefined
      ? []
      : [{ variable: 'NEO4J_PASSWORD', message: wrongPassword }]),
    ...(wrongMemory === undefined ? [] : [wrongMemory]),
  ];
};

// docker-compose.yml runs this first. With wrong settings Docker would restart or kill Neo4j's
// container again and again.
if (require.main === module) {
  const problems = neo4jSettingProblems(process.env);
  if (problems.length > 0) {
    tellFailure(configRefusal(problems));
    process.exitCode = 2;
  }
}
