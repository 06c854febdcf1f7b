import { fold } from '../../model/fold';
import { foldOf } from '../../model/folded-texts';
import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { Tag } from '../../model/shared-nodes';
import { type Derivation, ENTITY } from '../../model/table';
import { derivedLabelOf, keepDerived } from './past';
import { seek, seekEntity } from '../statements/seek';

const arrow = ({ from, type }: Derivation): string =>
  from === 'asker' ? `(asker)-[r:${type}]->(answerer)` : `(answerer)-[r:${type}]->(asker)`;

/** The conditions of a derivation in addition to equal values. */
const conditions = (
  { asking, where }: Derivation,
  ...trusted: readonly string[]
): readonly string[] => [
  ...(asking === undefined ? [] : [`asker.${asking.property} = '${asking.value}'`]),
  ...(where === undefined ? [] : [where]),
  ...trusted,
];

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `\nWHERE ${conditions.join(' AND ')}`;

const and = (conditions: readonly string[]): string =>
  conditions.map((one) => ` AND ${one}`).join('');

/** Whether trusts let the provider of a node be at this end (docs/rules.md: Trusts). */
const bindable = (node: string, allowed: string, denied: string): string =>
  `(${allowed} IS NULL OR ${node}.provider IN ${allowed}) AND NOT ${node}.provider IN ${denied}`;

/** Whether the asker of a derivation is a row, to whose provider trusts apply. */
const judgesAsker = ({ asker, isClaim }: Derivation, isTrusting: boolean): boolean =>
  isTrusting && isClaim === true && asker.keeper === 'row';

const judgesAnswerer = ({ isClaim }: Derivation, isTrusting: boolean): boolean =>
  isTrusting && isClaim === true;

// Returns both ends, because managers of resources may follow from these relationships.
const returned = 'RETURN asker.key AS asker, answerer.key AS answerer';

/** Keeps the relationship `r` of a derivation, which ends. */
const keepEnded = ({ type, from, asker, answerer }: Derivation): string => {
  const ends = [
    ['asker.key', asker.label],
    ['answerer.key', answerer.label],
  ] as const;
  const [[start, startLabel], [end, endLabel]] = from === 'asker' ? ends : [ends[1], ends[0]];
  return keepDerived({
    type: `'${type}'`,
    start,
    startLabel: `'${startLabel}'`,
    end,
    endLabel: `'${endLabel}'`,
  });
};

const drawn = (derivation: Derivation): string => `
MERGE ${arrow(derivation)}
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
${returned}`;

/**
 * Draws the relationships of new or changed answerers. `$pairs[0]`: `[answerer's key, a value of
 * its look-ups]`; where trusts are set also the providers of askers that may be bound, and those
 * that may not.
 */
export const drawForAnswerers = (derivation: Derivation, isTrusting = false): string => {
  const { asker, ask } = derivation;
  const trusted = judgesAsker(derivation, isTrusting)
    ? [bindable('asker', 'pair[2]', 'pair[3]')]
    : [];
  return `UNWIND $pairs[0] AS pair
${seekEntity('answerer', 'pair[0]')}
${seek('asker', asker, ask, 'pair[1]')}${where(conditions(derivation, ...trusted))}${drawn(derivation)}`;
};

/**
 * Draws the relationships of new or changed askers, by one look-up property of the answerers.
 * `$pairs[0]`: `[asker's key, its value]`; where trusts are set also the providers of answerers
 * that may be bound, and those that may not.
 */
export const drawForAskers = (
  derivation: Derivation,
  answer: string,
  isTrusting = false,
): string => {
  const { answerer } = derivation;
  const trusted = judgesAnswerer(derivation, isTrusting)
    ? [bindable('answerer', 'pair[2]', 'pair[3]')]
    : [];
  return `UNWIND $pairs[0] AS pair
${seekEntity('asker', 'pair[0]')}
${seek('answerer', answerer, answer, 'pair[1]')}${where(conditions(derivation, ...trusted))}${drawn(derivation)}`;
};

/**
 * Removes the relationships for which changed answerers no longer have the value. `$rows[0]`:
 * `{key, values}`; where trusts are set also `allowed` and `denied`, the providers of askers that
 * may be bound by each value, and those that may not. `$until[0]`.
 */
export const undrawForAnswerers = (derivation: Derivation, isTrusting = false): string => {
  const { asker, ask } = derivation;
  const trusted = judgesAsker(derivation, isTrusting)
    ? [bindable('asker', `row.allowed[asker.${ask}]`, `row.denied[asker.${ask}]`)]
    : [];
  return `UNWIND $rows[0] AS row
${seekEntity('answerer', 'row.key')}
MATCH ${arrow(derivation)}
WHERE asker:${asker.label} AND NOT coalesce(asker.${ask} IN row.values${and(conditions(derivation, ...trusted))}, false)
${keepEnded(derivation)}
DELETE r
${returned}`;
};

/**
 * Removes the relationships for which changed askers no longer have the value. `$rows[0]`: `{key}`;
 * where trusts are set also `allowed` and `denied`, the providers of answerers that may be bound,
 * and those that may not. `$until[0]`.
 */
export const undrawForAskers = (derivation: Derivation, isTrusting = false): string => {
  const { ask, answerer, answers } = derivation;
  const any = answers.map((answer) => `answerer.${answer}`).join(', ');
  const trusted = judgesAnswerer(derivation, isTrusting)
    ? [bindable('answerer', 'row.allowed', 'row.denied')]
    : [];
  return `UNWIND $rows[0] AS row
${seekEntity('asker', 'row.key')}
MATCH ${arrow(derivation)}
WHERE answerer:${answerer.label} AND NOT coalesce(asker.${ask} IN [${any}]${and(conditions(derivation, ...trusted))}, false)
${keepEnded(derivation)}
DELETE r
${returned}`;
};

/**
 * Removes the derived relationships of rows that are about to be removed: those of the types that
 * the service derives at their kind. `$keys[0]`, `$until[0]`.
 */
export const undrawAt = (types: readonly string[]): string => `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)-[r:${types.join('|')}]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
${keepDerived({
  type: 'type',
  start: 'start',
  startLabel: derivedLabelOf('a'),
  end: 'end',
  endLabel: derivedLabelOf('b'),
})}
DELETE r
RETURN type, start, end`;

/**
 * The nodes of a label to which an external entity resolves, which its owner may manage. `$pairs[0]`:
 * `[external entity, owner]`. `$label[0]`.
 */
export const MANAGED_THROUGH = `UNWIND $pairs[0] AS pair
${seekEntity('entity', 'pair[0]')}
MATCH (entity)-[:RESOLVES_TO]->(managed)
WHERE $label[0] IN labels(managed)
RETURN DISTINCT managed.key AS managed, pair[1] AS manager`;

/**
 * The owners of an external entity that have a label, which may be managers. `$pairs[0]`: `[external
 * entity, managed]`. `$label[0]`.
 */
export const MANAGERS_THROUGH = `UNWIND $pairs[0] AS pair
${seekEntity('entity', 'pair[0]')}
MATCH (entity)<-[:OWNS]-(manager)
WHERE $label[0] IN labels(manager)
RETURN DISTINCT pair[1] AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id`;

// An entity may have very many owners, so the second step only looks for this one.
const OWNED =
  'EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } }';

/** Whether somebody manages a node. `$meant`: whom each provider means that is narrowed. */
const managing = (isTrusting: boolean): string =>
  isTrusting
    ? `(${OWNED} AND coalesce(manager.provider IN $meant[managed.provider], true))`
    : OWNED;

/**
 * Draws the relationships to managers. `$pairs[0]`: `[managed, manager]`; where trusts are set also
 * `$meant` (docs/rules.md: Derived relationships).
 */
export const drawManagers = (isTrusting: boolean): string => `UNWIND $pairs[0] AS pair
${seekEntity('managed', 'pair[0]')}
${seekEntity('manager', 'pair[1]')}
WHERE ${managing(isTrusting)}
MERGE (managed)-[r:${RESOURCE_MANAGERS}]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end`;

/**
 * Removes the relationships to those who no longer manage. `$pairs[0]`: `[managed, manager]`;
 * where trusts are set also `$meant`. `$until[0]`, and the labels of both: `$managed_label[0]`,
 * `$manager_label[0]`.
 */
export const undrawManagers = (isTrusting: boolean): string => `UNWIND $pairs[0] AS pair
${seekEntity('managed', 'pair[0]')}
${seekEntity('manager', 'pair[1]')}
WITH managed, manager, pair, head([(managed)-[drawn:${RESOURCE_MANAGERS}]->(manager) | drawn]) AS r
WHERE r IS NOT NULL AND NOT ${managing(isTrusting)}
${keepDerived({
  type: `'${RESOURCE_MANAGERS}'`,
  start: 'pair[0]',
  startLabel: '$managed_label[0]',
  end: 'pair[1]',
  endLabel: '$manager_label[0]',
})}
DELETE r
RETURN managed.key AS start, manager.key AS end`;

/**
 * The noted tags of each managed node, one after the other, and the ids of those who manage it. The
 * ids are read once for a node: somebody may give it very many managers.
 */
const EACH_TAG = `UNWIND $pairs[0] AS noted
${seekEntity('managed', 'noted[0]')}
WITH managed, noted[1] AS tags,
  [(managed)-[:${RESOURCE_MANAGERS}]->(manager) | coalesce(manager.identity, manager.name)] AS ids
UNWIND tags AS pair`;

/**
 * Tags managed nodes with the ids of their managers. `$pairs[0]`: `[managed, its tags]`, each tag as
 * `[tag's key, manager's id, that id folded if that changes it]`.
 */
export const DRAW_MANAGER_TAGS = `${EACH_TAG}
WITH managed, pair, ids
WHERE pair[1] IN ids
MERGE (tag:${ENTITY} {key: pair[0]})
ON CREATE SET tag:${Tag.label}, tag.name = '${RESOURCE_MANAGERS}', tag.${foldOf('name')} = '${fold(RESOURCE_MANAGERS)}',
  tag.value = pair[1], tag.${foldOf('value')} = pair[2]
MERGE (managed)-[r:TAGGED {derived: true}]->(tag)
ON CREATE SET r.since = $at
WITH managed, tag, r
WHERE r.since = $at
RETURN managed.key AS start, tag.key AS end`;

/** Keeps the tag `r` of a manager at the node `managed`, of the label `$label[0]`, which ends. */
const KEPT_TAG = keepDerived(
  {
    type: "'TAGGED'",
    start: 'managed.key',
    startLabel: '$label[0]',
    end: 'tag.key',
    endLabel: `'${Tag.label}'`,
  },
  { derived: 'true' },
);

/**
 * Removes the tags of those who no longer manage. `$pairs[0]`: `[managed, its tags]`, each tag as
 * `[tag's key, manager's id]`. `$until[0]`, `$label[0]`: the label of what is managed.
 */
export const UNDRAW_MANAGER_TAGS = `${EACH_TAG}
${seekEntity('tag', 'pair[0]')}
WITH managed, tag, pair, ids
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag) AND NOT coalesce(pair[1] IN ids, false)
${KEPT_TAG}
DELETE r
RETURN managed.key AS start, tag.key AS end`;

/**
 * Removes the managers' tags at rows of a label that are about to be removed. `$keys[0]`, `$until[0]`,
 * `$label[0]`.
 */
export const UNDRAW_MANAGER_TAGS_AT = `UNWIND $keys[0] AS key
${seekEntity('managed', 'key')}
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag)
${KEPT_TAG}
DELETE r
RETURN key AS start, tag.key AS end`;
