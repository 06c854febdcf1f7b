import { FOLDED_PROVIDER } from '../../model/folded-texts';
import { PastNode, PastRelationship } from '../../model/past-facts';
import { boundKinds, management } from '../../templates/graph/derivations';
import { hasProperties, isVersioned } from '../../model/table';
import { nodeKinds } from '../../templates/graph/nodes';
import type { RelationshipType } from '../../templates/relationship-type';
import { labelsOf } from './labels';
import { textList } from '../statements/text-list';

/*
 * Cypher that stores facts that end (docs/rules.md: History). `$until[0]` is the moment of the end.
 * If the list is empty, nothing is stored. Neo4j would plan each statement twice if `$until` were
 * null at some times (docs/recipes.md: Write a statement).
 */
const UNTIL = '$until[0]';

const mapOf = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

/** What a past relationship says of its ends, each as Cypher. */
interface Ends {
  readonly type: string;
  readonly start: string;
  readonly startLabel: string;
  readonly end: string;
  readonly endLabel: string;
}

const propertiesOfEnds = ({
  type,
  start,
  startLabel,
  end,
  endLabel,
}: Ends): Record<string, string> => ({
  type,
  start,
  start_label: startLabel,
  end,
  end_label: endLabel,
});

const createIf = (condition: string, create: string): string =>
  `FOREACH (_ IN CASE WHEN ${condition} THEN [0] END |
  ${create})`;

/**
 * Stores the relationship `r`, which the service derived. `more` are further properties of it. It
 * is not stored if it begins and ends at one moment.
 */
export const keepDerived = (ends: Ends, more: Readonly<Record<string, string>> = {}): string =>
  createIf(
    `r.since < ${UNTIL}`,
    `CREATE (:${labelsOf(PastRelationship)} {${mapOf({ ...propertiesOfEnds(ends), ...more, since: 'r.since', until: UNTIL })}})`,
  );

/** The labels of all nodes at which derived relationships start or end. */
const DERIVED_LABELS = [
  ...new Set([...boundKinds, ...management.managers, ...management.managed]),
].map(({ label }) => label);

/** The label of a node at the end of a derived relationship. Both are Cypher. */
export const derivedLabelOf = (node: string): string =>
  `head([label IN labels(${node}) WHERE label IN ${textList(DERIVED_LABELS)}])`;

/**
 * Keeps the relationship `r` of a type, or the version of it that ends. Its ends are `pair[0]` and
 * `pair[1]`, and what distinguishes it follows. `$data_source`, and the labels of both ends:
 * `$start_label[0]`, `$end_label[0]`.
 */
export const keepStated = (kind: RelationshipType): string => {
  const { type, distinguishedBy } = kind;
  const properties = {
    ...propertiesOfEnds({
      type: `'${type}'`,
      start: 'pair[0]',
      startLabel: '$start_label[0]',
      end: 'pair[1]',
      endLabel: '$end_label[0]',
    }),
    data_source: '$data_source',
    until: UNTIL,
  };
  if (!hasProperties(kind)) {
    const create = `CREATE (:${labelsOf(PastRelationship)} {${mapOf({ ...properties, since: 'r.since' })}})`;
    return createIf(`r.since < ${UNTIL}`, create);
  }
  const create = (more: Readonly<Record<string, string>>): string =>
    `CREATE (past:${labelsOf(PastRelationship)})
  SET past = r {.*, ${mapOf({ ...properties, ...more })}}`;
  if (!isVersioned(kind)) return createIf(`r.since < ${UNTIL}`, create({}));
  const apart = distinguishedBy.map(
    (name) =>
      ` AND (earlier.${name} = r.${name} OR (earlier.${name} IS NULL AND r.${name} IS NULL))`,
  );
  return `CALL (pair, r) {
  OPTIONAL MATCH (earlier:${PastRelationship.label} {start: pair[0]})
  USING INDEX SEEK earlier:${PastRelationship.label}(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = '${type}'${apart.join('')}
  RETURN max(earlier.until) AS from
}
${createIf(`coalesce(from, r.since) < ${UNTIL}`, create({ from: 'from' }))}`;
};

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

/** The labels of the kinds whose versions keep a look-up. */
const keeping = (lookup: string): readonly string[] =>
  rowKinds.filter(({ lookups }) => lookups[lookup]?.isVersioned === true).map(({ label }) => label);

/**
 * What a version of a node does not say as the node does: what the service keeps for itself, and
 * look-ups, most of which no version has.
 */
const OTHER_IN_VERSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'row_hash',
    'changed',
    FOLDED_PROVIDER,
    ...new Set(rowKinds.flatMap(({ lookups }) => Object.keys(lookups))),
  ].map((name): readonly [string, string] => {
    const labels = keeping(name);
    const ownValue = `CASE WHEN label IN ${textList(labels)} THEN n.${name} END`;
    return [name, labels.length === 0 ? 'null' : ownValue];
  }),
);

/**
 * Keeps the version of the node `n`, which ends. `key` and `label` are its key and the label of its
 * kind.
 */
export const KEEP_VERSION = `CALL (n, key) {
  OPTIONAL MATCH (earlier:${PastNode.label} {key: key})
  USING INDEX SEEK earlier:${PastNode.label}(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, label, coalesce(ended, n.since) AS from
WHERE from < ${UNTIL}
CREATE (past:${labelsOf(PastNode)})
SET past = n {.*, ${mapOf({ label: 'label', from: 'from', until: UNTIL, ...OTHER_IN_VERSIONS })}}`;
