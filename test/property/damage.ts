import type { Driver } from 'neo4j-driver';

import { labelsOf, type Graph, type Label, type Node, type Relationship } from '../mirror/graph';
import { testNeo4j } from '../support/neo4j';

/** Something that somebody does by hand in Neo4j. */
export interface Damage {
  readonly kind: DamageKind;
  readonly cypher: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The key that a verification must name; null where it can only count. */
  readonly key: string | null;
  /** The relationship that is drawn to an end that it did not lead to. */
  readonly drawn?: Relationship;
}

type Made = Omit<Damage, 'kind'>;
type Pick = <T>(from: readonly T[]) => T | undefined;

const shared: readonly Label[] = ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'];
const derived = [
  'KNOWN_AS',
  'SOURCE_IDENTITY_OF',
  'MANAGED_BY',
  'SYSTEM_resource_managers',
  'RESOLVES_TO',
  'ACTS_AS',
  'HAS_ACCOUNT',
];
/** Relationships that the row at their end states (docs/rules.md: Relationships). */
const stateAtEnd = ['IDENTITY_OF', 'HOLDS', 'CONTAINS'];

const isShared = ({ label }: Node): boolean => shared.includes(label);
/** An employee's managers are stated, a user's are derived. */
const isDerived = ({ type, from, properties }: Relationship): boolean =>
  (derived.includes(type) && !(type === 'MANAGED_BY' && from.label === 'Employee')) ||
  properties.derived === true;

const match = ({ label }: Node): string => `MATCH (n:${label} {key: $key})`;
const between = ({ type, from, to, properties }: Relationship): string => {
  const which = properties.derived === true ? ' {derived: true}' : '';
  return `MATCH (a:${from.label} {key: $from})-[r:${type}${which}]->(b:${to.label} {key: $to})
    WITH r LIMIT 1`;
};
const ends = ({ from, to }: Relationship): { from: string; to: string } => ({
  from: from.key,
  to: to.key,
});
const stater = ({ type, from, to }: Relationship): string =>
  stateAtEnd.includes(type) ? to.key : from.key;

const onNode =
  (change: (node: Node, pick: Pick) => string | null, among = (node: Node) => !isShared(node)) =>
  ({ nodes }: Graph, pick: Pick): Made | null => {
    const node = pick(nodes.filter(among));
    if (node === undefined) return null;
    const cypher = change(node, pick);
    if (cypher === null) return null;
    return { cypher: `${match(node)} ${cypher}`, parameters: { key: node.key }, key: node.key };
  };

const onRelationship =
  (change: string, among: (one: Relationship) => boolean) =>
  ({ relationships }: Graph, pick: Pick): Made | null => {
    const one = pick(relationships.filter(among));
    if (one === undefined) return null;
    return { cypher: `${between(one)} ${change}`, parameters: ends(one), key: stater(one) };
  };

const text = (node: Node): readonly string[] =>
  Object.entries(node.properties)
    .filter(([name, value]) => typeof value === 'string' && name !== 'key')
    .map(([name]) => name);

/** Draws a relationship like one that stands, from its start to another end of the same label. */
const drawnLike =
  (among: (one: Relationship) => boolean, since: string) =>
  ({ nodes, relationships }: Graph, pick: Pick): Made | null => {
    const one = pick(relationships.filter(among));
    if (one === undefined) return null;
    const standing = relationships.filter(
      ({ type, from }) => type === one.type && from.key === one.from.key,
    );
    const others = nodes.filter(
      ({ label, key }) => label === one.to.label && !standing.some(({ to }) => to.key === key),
    );
    // Only in the same data source, or shared: what a person would take for right.
    const source = one.from.key.split('|')[0];
    const to = pick(others.filter((node) => isShared(node) || node.key.startsWith(`${source}|`)));
    if (to === undefined) return null;
    return {
      cypher: `MATCH (a:${one.from.label} {key: $from}) MATCH (b:${one.to.label} {key: $to})
        CREATE (a)-[:${one.type} ${since}]->(b)`,
      parameters: { from: one.from.key, to: to.key },
      key: stateAtEnd.includes(one.type) ? to.key : one.from.key,
      drawn: {
        type: one.type,
        from: one.from,
        to: { label: to.label, key: to.key },
        properties: { since: { instant: '' } },
      },
    };
  };

const isStated = (one: Relationship): boolean => !isDerived(one) && one.to.label !== 'DataSource';

/** All kinds of damage, and how each is made. */
const damages = {
  'node gone': ({ nodes }: Graph, pick: Pick): Made | null => {
    const node = pick(nodes.filter((one) => !isShared(one)));
    return node === undefined
      ? null
      : { cypher: `${match(node)} DETACH DELETE n`, parameters: { key: node.key }, key: null };
  },
  'shared node gone': ({ nodes, relationships }: Graph, pick: Pick): Made | null => {
    const node = pick(nodes.filter(isShared));
    if (node === undefined) return null;
    const stating = relationships.find(
      (one) => !isDerived(one) && (one.from.key === node.key || one.to.key === node.key),
    );
    const key = stating === undefined ? null : stater(stating);
    return { cypher: `${match(node)} DETACH DELETE n`, parameters: { key: node.key }, key };
  },
  'node added': ({ nodes }: Graph, pick: Pick): Made | null => {
    const node = pick(nodes.filter((one) => !isShared(one)));
    if (node === undefined) return null;
    const [source = ''] = node.key.split('|');
    const key = `${source}|${node.label}|by hand`;
    return {
      cypher: `CREATE (:${labelsOf[node.label].join(':')} {key: $key, data_source: $source, name: 'by hand'})`,
      parameters: { key, source },
      key,
    };
  },
  'stray added': ({ nodes }: Graph, pick: Pick): Made | null => {
    const [source = ''] = pick(nodes.filter((one) => !isShared(one)))?.key.split('|') ?? [];
    return {
      cypher: `CREATE (:Thing {key: 'by hand', data_source: $source, name: 'by hand'})`,
      parameters: { source },
      key: 'by hand',
    };
  },
  'property changed': onNode((node, pick) => {
    const name = pick(text(node));
    return name === undefined ? null : `SET n.\`${name}\` = 'changed by hand'`;
  }),
  'property removed': onNode((node, pick) => {
    const name = pick(Object.keys(node.properties).filter((one) => one !== 'key'));
    return name === undefined ? null : `REMOVE n.\`${name}\``;
  }),
  'property added': onNode(() => "SET n.note = 'by hand'"),
  'custom property added': onNode(
    () => "SET n.customprop_by_hand = 'by hand'",
    ({ label }) => label === 'IdpUser' || label === 'LocalUser',
  ),
  'look-up changed': onNode(
    () => "SET n.fold_name = 'by hand'",
    ({ label }) => label === 'IdpUser' || label === 'LocalRole' || label === 'Resource',
  ),
  'hash removed': onNode(() => 'REMOVE n.row_hash'),
  'hash changed': onNode(() => "SET n.row_hash = 'by hand'"),
  'label added': onNode(() => 'SET n:Flagged'),
  'label removed': onNode((node, pick) => {
    const label = pick(node.labels);
    return label === undefined ? null : `REMOVE n:${label}`;
  }),
  'label of a shared node removed': onNode((node, pick) => {
    const label = pick(node.labels);
    return label === undefined ? null : `REMOVE n:${label}`;
  }, isShared),
  'shared node changed': onNode(
    (node) =>
      `SET n.${node.label === 'CloudRole' ? 'arn' : node.label === 'ExternalEntity' ? 'id' : 'name'} = 'by hand'`,
    isShared,
  ),
  'shared node added': (): Made => ({
    cypher: "CREATE (:Tag {key: 'Tag|by|hand', name: 'by', value: 'hand'})",
    parameters: {},
    key: 'Tag|by|hand',
  }),
  'relationship gone': onRelationship('DELETE r', isStated),
  'relationship changed': onRelationship("SET r.note = 'by hand'", isStated),
  'relationship undated': onRelationship('REMOVE r.since', isStated),
  'relationship doubled': drawnTwice(isStated),
  'relationship drawn': drawnLike(isStated, ''),
  'relationship drawn and dated': drawnLike(isStated, '{since: datetime()}'),
  'relationship of no kind drawn': onNode(() => 'CREATE (n)-[:LIKES {since: datetime()}]->(n)'),
  'derived gone': onRelationship('DELETE r', isDerived),
  'derived doubled': drawnTwice(isDerived),
  'derived drawn': drawnLike((one) => isDerived(one) && one.type !== 'TAGGED', ''),
  'digest changed': ({ nodes }: Graph, pick: Pick): Made | null => {
    const [source = ''] = pick(nodes.filter((one) => !isShared(one)))?.key.split('|') ?? [];
    return {
      cypher: 'MATCH (d:DataSource {key: $source}) SET d.digest = $digest',
      parameters: { source, digest: 'ab'.repeat(32) },
      key: null,
    };
  },
};

function drawnTwice(among: (one: Relationship) => boolean) {
  return ({ relationships }: Graph, pick: Pick): Made | null => {
    const one = pick(relationships.filter(among));
    if (one === undefined) return null;
    return {
      cypher: `MATCH (a:${one.from.label} {key: $from})-[r:${one.type}]->(b:${one.to.label} {key: $to})
        WHERE coalesce(r.derived, false) = $derived
        WITH a, b, r LIMIT 1 CREATE (a)-[s:${one.type}]->(b) SET s = properties(r)`,
      parameters: { ...ends(one), derived: one.properties.derived === true },
      key: stater(one),
    };
  };
}

/** A kind of damage. */
export type DamageKind = keyof typeof damages;

/** Every kind of damage. */
export const damageKinds = Object.keys(damages) as readonly DamageKind[];

/** Damage of a kind to a graph, at a place that a number chooses; null where there is no such place. */
export function damageTo(graph: Graph, kind: DamageKind, choice: number): Damage | null {
  let next = choice;
  const pick: Pick = (from) => {
    const one = from[next % Math.max(1, from.length)];
    next = Math.floor(next / 7) + 3;
    return one;
  };
  const made = damages[kind](graph, pick);
  return made === null ? null : { kind, ...made };
}

/** Does it; tells whether that changed anything. */
export async function inflict(driver: Driver, { cypher, parameters }: Damage): Promise<boolean> {
  const { summary } = await driver.executeQuery(cypher, parameters, {
    database: testNeo4j().database,
  });
  return summary.counters.containsUpdates();
}
