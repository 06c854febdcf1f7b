import { ENTITY } from '../model/table';
import { sharedKinds } from '../templates/graph/nodes';
import { textList } from '../graph/statements/text-list';

const SHARED = sharedKinds.map(({ label }) => label);

const nameOf = (node: string): string =>
  `coalesce(${node}.path, ${node}.name, ${node}.arn, ${node}.id, ${node}.unique_id)`;

/**
 * The name that the node of a key had at a time. It is the name in the version that was valid at
 * that time, or else the present name. If there is neither, it is read from the key (docs/rules.md:
 * History).
 */
const nameThen = (key: string, time: string, column: string): string => `coalesce(
  COLLECT {
    MATCH (version:PastNode {key: ${key}})
    USING INDEX SEEK version:PastNode(key, until)
    WHERE version.until > ${time}
    RETURN ${nameOf('version')}
    ORDER BY version.until LIMIT 1
  }[0],
  COLLECT {
    MATCH (node:${ENTITY} {key: ${key}})
    RETURN ${nameOf('node')}
  }[0],
  split(${key}, '|')[-1]
) AS ${column},`;

/** The label of the node of a key. The label is a part of the key (docs/rules.md: Keys). */
const labelIn = (key: string, column: string): string =>
  `split(${key}, '|')[CASE WHEN split(${key}, '|')[0] IN ${textList(SHARED)} THEN 0 ELSE 1 END] AS ${column},`;

const NAME = /^name of (\S+) at (\S+) as (\w+)$/;
const LABEL = /^label of (\S+) as (\w+)$/;

/** The rules about ended facts, by the names in their markers, with their variables. */
export const historyRuleList: readonly (readonly [name: string, variables: string])[] = [
  ['name of <key> at <time> as <column>', 'a key and a time → column'],
  ['label of <key> as <column>', 'a key → column'],
];

/** The text of a rule about ended facts; `undefined` if no rule has this name. */
export const historyRule = (name: string): string | undefined => {
  const [, key, time, column] = NAME.exec(name) ?? [];
  if (key !== undefined && time !== undefined && column !== undefined) {
    return nameThen(key, time, column);
  }
  const [, of, as] = LABEL.exec(name) ?? [];
  return of === undefined || as === undefined ? undefined : labelIn(of, as);
};
