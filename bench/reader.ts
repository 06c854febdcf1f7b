import { setTimeout as sleep } from 'node:timers/promises';

import neo4j from 'neo4j-driver';

import { connect } from './neo4j-server';
import type { Reading } from './readers';

// An analyst in a process of its own. It asks Neo4j the same question again after each answer,
// until it is told to stop. Then it prints how many milliseconds each answer took.

const { uri, user, password, database, text, parameters, pauseMs } = JSON.parse(
  process.argv[2] ?? '',
) as Reading;

const main = async (): Promise<void> => {
  let isStopping = false;
  process.stdin.resume();
  process.stdin.once('end', () => (isStopping = true));
  const driver = connect({ uri, user, password });
  // A session for each question, as in Neo4j Browser. Within one session each question would wait
  // for what was being committed at the last answer.
  const ask = async (): Promise<number> => {
    const start = performance.now();
    const session = driver.session({ database, defaultAccessMode: neo4j.session.READ });
    await session.run(text, parameters);
    await session.close();
    return performance.now() - start;
  };
  await ask();
  process.stderr.write('An analyst reads.\n');
  const took: number[] = [];
  while (!isStopping) {
    took.push(await ask());
    await sleep(pauseMs);
  }
  await driver.close();
  process.stdout.write(JSON.stringify(took));
};

void main();
