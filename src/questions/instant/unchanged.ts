import { seekEntity } from '../../graph/statements/seek';
import { arrows, endedFacts, endedVersion, type Step } from '../statements/instant-statements';

/*
 * Cypher that says whether what a question reads is as it was at an instant, `$at`
 * (docs/architecture.md: A question about an instant).
 */

const indented = (cypher: string, by: string): string => cypher.replaceAll('\n', `\n${by}`);

const joined = (lists: readonly string[]): string => lists.join(' + ') || '[]';

/** Finds the nodes of a set at which a walk begins. `$asked` has their keys by set. */
const begin = (set: string, list: string): string => `CALL () {
  UNWIND $asked['${set}'] AS key
  ${indented(seekEntity('node', 'key'), '  ')}
  RETURN collect(node) AS ${list}
}`;

/** Follows a step from nodes in lists, along what exists now. */
const follow = (
  { types, towards, repeats }: Step,
  from: readonly string[],
  into: string,
): string => {
  const [left, right] = arrows(towards);
  return `CALL (${from.join(', ')}) {
  UNWIND ${joined(from)} AS near
  WITH DISTINCT near
  MATCH (near)${left}[:${types.join('|')}${repeats === true ? '*0..' : ''}]${right}(far)
  RETURN collect(DISTINCT far) AS ${into}
}`;
};

/** Whether a relationship of a step began at one of these nodes since `$at`, or ended since. */
const compare = (step: Step, near: readonly string[], into: string): string => {
  const [left, right] = arrows(step.towards);
  return `CALL (${near.join(', ')}) {
  UNWIND ${joined(near)} AS near
  WITH DISTINCT near
  WHERE EXISTS {
      MATCH (near)${left}[fact:${step.types.join('|')}]${right}()
      WHERE NOT coalesce(fact.since <= $at, false)
    }
    OR EXISTS {
      ${indented(endedFacts(step, 'near.key'), '      ')}
    }
  WITH near LIMIT 1
  RETURN count(near) AS ${into}
}`;
};

/** Whether one of these nodes was created, changed or deactivated since `$at`. */
const compareNodes = (all: readonly string[], into: string): string => `CALL (${all.join(', ')}) {
  UNWIND ${joined(all)} AS node
  WITH DISTINCT node
  WHERE node.deactivated_at > $at
    OR node.data_source IS NOT NULL AND (NOT coalesce(node.since <= $at, false) OR node.changed > $at)
    OR EXISTS {
      ${indented(endedVersion('node.key'), '      ')}
    }
  WITH node LIMIT 1
  RETURN count(node) AS ${into}
}`;

/**
 * Whether everything that a walk passes is as it was at `$at`. `$asked`: the keys of the nodes at
 * which it begins, by set. It goes along what exists now. So it meets the first change on each way,
 * and what lies behind a change need not be compared.
 */
export const unchanged = (steps: readonly Step[], asked: readonly string[]): string => {
  const lists = new Map<string, string[]>();
  const of = (set: string): string[] => {
    const own = lists.get(set) ?? [];
    lists.set(set, own);
    return own;
  };
  const clauses: string[] = [];
  const compared: string[] = [];
  for (const [at, set] of asked.entries()) {
    const list = `begin_${at}`;
    clauses.push(begin(set, list));
    of(set).push(list);
  }
  const begun = [...lists.values()].flat();
  for (const [at, step] of steps.entries()) {
    const [from, found, changed] = [[...of(step.from)], `found_${at}`, `changed_${at}`];
    clauses.push(follow(step, from, found));
    of(step.into).push(found);
    clauses.push(compare(step, step.repeats === true ? [found] : from, changed));
    compared.push(changed);
  }
  const all = [...lists.values()].flat();
  clauses.push(compareNodes(all, 'changed_nodes'));
  const wanted = asked.map((set) => `size($asked['${set}'])`).join(' + ');
  return `${clauses.join('\n')}
RETURN ${[...compared, 'changed_nodes'].join(' + ')} = 0 AND size(${joined(begun)}) = ${wanted} AS is_unchanged`;
};
