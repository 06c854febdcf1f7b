import type { Driver } from 'neo4j-driver';

import { testNeo4j } from '../support/neo4j';
import type { Taken } from './concurrent-clients';

interface Placed {
  readonly taken: Taken;
  /** Its place among the pushes that changed the graph; of one that changed nothing, that of the next change of its data source. */
  readonly turn: number;
}

/**
 * Accepted pushes in the order of their commits. Within a data source that is the order of their `at`; between data sources the service
 * counts the pushes that change the graph under the lock that each of them holds to its commit.
 */
export async function inCommitOrder(
  driver: Driver,
  taken: readonly Taken[],
): Promise<readonly Taken[]> {
  const turns = await readTurns(driver);
  const sources = new Set(taken.map(({ stream }) => stream));
  const placed = [...sources].flatMap((source) =>
    placesOf(
      taken.filter(({ stream }) => stream === source),
      turns,
    ),
  );
  return placed.sort((a, b) => a.turn - b.turn || byAt(a.taken, b.taken)).map((one) => one.taken);
}

function placesOf(ofSource: readonly Taken[], turns: ReadonlyMap<string, number>): Placed[] {
  let next = Infinity;
  return ofSource.toSorted(byAt).reduceRight<Placed[]>((later, one) => {
    const turn = turns.get(one.answer.push);
    if ((turn === undefined) !== one.answer.unchanged) {
      throw new Error(`${one.answer.push} changed something and took no turn, or the other way`);
    }
    if (turn !== undefined && turn >= next) throw new Error('at does not follow the commits');
    next = turn ?? next;
    return [{ taken: one, turn: next }, ...later];
  }, []);
}

async function readTurns(driver: Driver): Promise<ReadonlyMap<string, number>> {
  const { records } = await driver.executeQuery(
    'MATCH (push:Push) WHERE push.turn IS NOT NULL RETURN push.id AS id, push.turn AS turn',
    {},
    { database: testNeo4j().database },
  );
  return new Map(records.map((record) => [record.get('id') as string, Number(record.get('turn'))]));
}

/** Instants of one data source, with up to nine digits after the second. */
function byAt(a: Taken, b: Taken): number {
  const [left, right] = [a, b].map(({ answer }) => answer.at.replace('Z', '').padEnd(29, '0'));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
