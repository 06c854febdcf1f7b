import type { Summary } from '../../contract/answers/questions/access';
import { LEADING_TO } from '../statements/human-statements';
import type { Runner } from '../../neo4j/transaction';
import { Joins } from '../../access/joins';

interface Leading {
  readonly asked: readonly (readonly [key: string, isCut: boolean])[];
  readonly nodes: readonly Summary[];
  readonly joins: readonly (readonly [from: string, to: string])[];
}

/** How many principals one statement looks at, so that one record stays small. */
const AT_ONCE = 100;

/**
 * Whose accounts some principals certainly are, by their keys (docs/rules.md: One human). `null`
 * means nobody's, or several people's. A principal with which too much is joined is left out.
 */
export const whoseAre = async (
  tx: Runner,
  principals: readonly string[],
): Promise<ReadonlyMap<string, Summary | null>> => {
  const whose = new Map<string, Summary | null>(principals.map((key) => [key, null]));
  for (let at = 0; at < principals.length; at += AT_ONCE) {
    const { records } = await tx.run<{ [F in keyof Leading]: Leading[F] }>(LEADING_TO, {
      principals: principals.slice(at, at + AT_ONCE),
    });
    const { asked = [], nodes = [], joins: all = [] } = records[0]?.toObject() ?? {};
    const joins = new Joins(nodes, all);
    for (const [key, isCut] of asked) {
      const human = isCut ? null : joins.humanOf([key]);
      if (isCut) whose.delete(key);
      else whose.set(key, human === null ? null : joins.node(human));
    }
  }
  return whose;
};
