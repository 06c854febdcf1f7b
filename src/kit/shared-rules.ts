import { ACTED_FOR, GAIN, GIVES, HOLDING, TARGETS } from '../graph/statements/access-rules';
import {
  accessFound,
  accessOf,
  accessTo,
  PERMISSIONS_BETWEEN,
} from '../graph/statements/access-statements';
import { FileFault } from './file-fault';
import { historyRule, historyRuleList } from './history-rules';
import { EXACT_NAME } from '../model/folded-texts';

/**
 * Cypher that folds what an analyst types. Only the service folds data (docs/rules.md: Folding).
 * Neo4j knows other versions of Unicode, so `namedAs` looks for the exact spelling too.
 */
const typed = (text: string): string => `replace(normalize(toLower(normalize(${text}))), 'ς', 'σ')`;

/** A condition on the look-ups of a node: one of them holds what an analyst types. */
const namedAs = (node: string, text: string, ...lookups: readonly string[]): string =>
  [
    ...lookups.map((lookup) => `${node}.${lookup} = ${typed(text)}`),
    `${node}.${EXACT_NAME} = normalize(${text})`,
  ].join('\n    OR ');

/**
 * `target` → columns `connected`, `way`, `place`: the shortest ways of everybody who has any
 * permission on a resource or application. They are exactly those whom `GET /access` lists for it
 * with `entities=true`.
 */
export const EVERYBODY = `// What is held on the target itself, or on anything that contains it: without a label, at which a plan might begin.
MATCH (scope)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH target, scope, given, collect(DISTINCT held) AS entitlements
${GIVES}
WITH target, scope, entitlements,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0
UNWIND entitlements AS held
WITH DISTINCT target, scope, held
// Everyone from whom a path of gain leads to a holder.
MATCH (holder)-[:HOLDS]->(held)
MATCH way = ALL SHORTEST (entity:Principal)-[:${GAIN}]->*(holder)
MATCH place = (holder)-[:HOLDS]->(held)-[:ON]->(scope)-[:CONTAINS*0..]->(target)
// A connected resource acts with that entity's access, one step, and does not pass it on.
OPTIONAL MATCH connected = (:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
RETURN connected, way, place
ORDER BY length(way), [node IN nodes(way) | coalesce(node.name, node.arn, node.id, node.unique_id)],
  held.name, scope.name, entity.key, held.key, scope.key`;

/** The same as a picture in Neo4j Browser, about the resource with this path, in few letters. */
export const pictureOf = (path: string): string =>
  `MATCH (target:Resource {path: '${path}'})\n${EVERYBODY}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('//'))
    .join('\n');

/** Finds `target` for `$resource`, by indexes. */
const FIND_RESOURCE = `CALL () {
  MATCH (target:Entity {key: $resource})
  WHERE target:Resource|Application
  RETURN target
  UNION
  MATCH (target:Resource)
  WHERE ${namedAs('target', '$resource', 'fold_path', 'fold_name')}
  RETURN target
  UNION
  MATCH (target:Application)
  WHERE ${namedAs('target', '$resource', 'fold_name')}
  RETURN target
}`;

/** Finds `person` for `$person`, by indexes. */
const FIND_PERSON = `CALL () {
  MATCH (person:Entity {key: $person})
  WHERE person:IdpUser
  RETURN person
  UNION
  MATCH (person:IdpUser)
  WHERE ${namedAs('person', '$person', 'fold_id', 'fold_name', 'fold_email')}
  RETURN person
}`;

/** Finds `group` for `$group`, by indexes. */
const FIND_GROUP = `CALL () {
  MATCH (group:Entity {key: $group})
  WHERE group:IdpGroup|LocalGroup
  RETURN group
  UNION
  MATCH (group:IdpGroup)
  WHERE ${namedAs('group', '$group', 'fold_id', 'fold_name')}
  RETURN group
  UNION
  MATCH (group:LocalGroup)
  WHERE ${namedAs('group', '$group', 'fold_id', 'fold_other_id', 'fold_name')}
  RETURN group
}`;

/** Finds `application` for the name of one, by indexes. */
const findApplication = (name: string): string => `CALL (${name.startsWith('$') ? '' : name}) {
  MATCH (application:Entity {key: ${name}})
  WHERE application:Application
  RETURN application
  UNION
  MATCH (application:Application)
  WHERE ${namedAs('application', name, 'fold_name')}
  RETURN application
}`;

/**
 * Marks on a principal that readers should see: inactive ones still have their access
 * (docs/rules.md: Effective access).
 */
const marksOf = (node: string): string => `[mark IN [
  CASE WHEN ${node}.is_active = false OR ${node}.deactivated_at <= datetime() THEN 'inactive' END,
  CASE WHEN ${node}.is_guest THEN 'guest' END,
  CASE WHEN ${node}.identity_type = 'NONHUMAN' OR ${node}.user_type = 'service_account' THEN 'not human' END
] WHERE mark IS NOT NULL] AS marks,`;

/** A rule that saved queries share: its variables and its Cypher. */
interface SharedRule {
  readonly variables: string;
  readonly cypher: string;
}

/** The shared rules by the names in their markers. */
const SHARED_RULES: Readonly<Record<string, SharedRule>> = {
  'find the resource': { variables: '`$resource` → `target`', cypher: FIND_RESOURCE },
  'find the person': { variables: '`$person` → `person`', cypher: FIND_PERSON },
  'find the group': { variables: '`$group` → `group`', cypher: FIND_GROUP },
  'find the application': {
    variables: '`$application` → `application`',
    cypher: findApplication('$application'),
  },
  'find the application of a name': {
    variables: '`name` → `application`',
    cypher: findApplication('name'),
  },
  'what a permission or role gives': { variables: '`given` → `gives`', cypher: GIVES },
  'on what it may hold': { variables: '`scope`, `gives` → `target`', cypher: TARGETS },
  'what holds on the target': {
    variables: '`scope`, `gives`, `target` → `permissions`',
    cypher: `${HOLDING.replaceAll('\n  ', '\n')} AS permissions`,
  },
  'who acts with its access': { variables: '`entity` → `who`', cypher: ACTED_FOR },
  'what a principal can reach': {
    variables: '`$principal` → `target`, `permissions`',
    cypher: accessOf,
  },
  'who can reach a resource': {
    variables: '`$resource` → `who`, `permissions`',
    cypher: accessTo,
  },
  'what a principal may do': {
    variables: '`$principal`, `$resource` → columns `name`, `permission_type`',
    cypher: PERMISSIONS_BETWEEN,
  },
  'everybody who reaches the target': {
    variables: '`target` → columns `connected`, `way`, `place`',
    cypher: EVERYBODY,
  },
  'what gives access': {
    variables: '`$principal`, `$resource`, `$names`, `$permission_type` → `who`, `target`, `found`',
    cypher: accessFound,
  },
};

const MARKS = /^marks of (\w+)$/;
const MARKS_TOLD = 'marks of <variable>';

/** Each marker and its variables. */
export const sharedRuleList = (): readonly (readonly [name: string, variables: string])[] => [
  ...Object.entries(SHARED_RULES).map(([name, { variables }]) => [name, variables] as const),
  [MARKS_TOLD, 'any principal → column `marks`'],
  ...historyRuleList,
];

const ruleNamed = (name: string): string | undefined => {
  const [, node] = MARKS.exec(name) ?? [];
  if (node !== undefined) return marksOf(node);
  return historyRule(name) ?? SHARED_RULES[name]?.cypher;
};

const MARKER = /^( *)\/\/ <(.*)>$/;
const OPENING = /^shared: (.+)$/;
const CLOSING = '/shared';

/** A text without its marker lines. */
export const withoutMarkers = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !MARKER.test(line))
    .join('\n');

/**
 * Lists of relationship types. The list that contains `KNOWN_AS` and `HOLDS` has the types by which
 * access is gained.
 */
const TYPES = /\b[A-Z_]+(?:\|[A-Z_]+)+\b/g;
const isGain = (types: readonly string[]): boolean =>
  types.includes('KNOWN_AS') && types.includes('HOLDS');

const withGain = (line: string): string =>
  line.replace(TYPES, (list) => (isGain(list.split('|')) ? GAIN : list));

/**
 * The text of a saved query with the present text of each shared rule. The function replaces the
 * lines between markers, and each list of the relationships by which access is gained. If markers
 * do not match, it throws a `FileFault`.
 */
export const withSharedRules = (file: string, text: string): string => {
  const fresh: string[] = [];
  /** The line of the marker that is open. */
  let opened: number | undefined;
  text.split('\n').forEach((line, index) => {
    const [, indent = '', marker] = MARKER.exec(line) ?? [];
    const fault = (message: string): FileFault => new FileFault(file, index + 1, message);
    if (marker === CLOSING) {
      if (opened === undefined) throw fault('closes a shared rule that is not open');
      opened = undefined;
      fresh.push(line);
    } else if (marker !== undefined) {
      const name = OPENING.exec(marker)?.[1];
      if (name === undefined) throw fault('is no marker: <shared: name of a rule> or </shared>');
      if (opened !== undefined) throw fault(`opens a shared rule within that of line ${opened}`);
      const rule = ruleNamed(name);
      if (rule === undefined) {
        const names = sharedRuleList().map(([each]) => each);
        throw fault(`names no shared rule; there are: ${names.join(', ')}`);
      }
      opened = index + 1;
      fresh.push(line, ...rule.split('\n').map((each) => `${indent}${each}`));
    } else if (opened === undefined) fresh.push(withGain(line));
  });
  if (opened !== undefined)
    throw new FileFault(file, opened, 'opens a shared rule that is not closed');
  return fresh.join('\n');
};
