import { relationshipId, type Graph, type Value, type Values } from '../mirror/graph';

/** A graph as one text per node and relationship, by what each is. */
function textsOf({ nodes, relationships }: Graph): ReadonlyMap<string, string> {
  return new Map([
    ...nodes.map(
      ({ label, key, labels, properties }) =>
        [`(${label} ${key})`, `${labels.toSorted().join(':')} ${textOf(properties)}`] as const,
    ),
    ...relationships.map((one) => {
      const { type, from, to, properties } = one;
      const id = `(${from.key})-[${type}]->(${to.key}) ${relationshipId(one)}`;
      return [id, `${from.label} > ${to.label} ${textOf(properties)}`] as const;
    }),
  ]);
}

function textOf(values: Values): string {
  const pairs = Object.entries<Value>(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ');
}

/** What two graphs differ in, node by node and relationship by relationship; nothing when they are equal. */
export function differences(expected: Graph, actual: Graph): readonly string[] {
  const wanted = textsOf(expected);
  const found = textsOf(actual);
  const sizes = [actual.nodes.length + actual.relationships.length, found.size];
  return [
    ...(sizes[0] === sizes[1] ? [] : [`twice the same: ${sizes.join(' things, distinct ')}`]),
    ...[...wanted.keys()].filter((id) => !found.has(id)).map((id) => `missing  ${id}`),
    ...[...found.keys()].filter((id) => !wanted.has(id)).map((id) => `too much ${id}`),
    ...[...wanted]
      .filter(([id, text]) => found.has(id) && found.get(id) !== text)
      .map(([id, text]) => `differs  ${id}\n  wanted ${text}\n  found  ${found.get(id)}`),
  ];
}

/** A graph without the times at which its facts came or changed. */
export const undated = ({ nodes, relationships }: Graph): Graph => {
  const dateless = <A extends { readonly properties: Values }>(one: A): A => ({
    ...one,
    properties: Object.fromEntries(
      Object.entries(one.properties).filter(
        (entry): entry is [string, Value] => entry[0] !== 'since' && entry[0] !== 'changed',
      ),
    ),
  });
  return { nodes: nodes.map(dateless), relationships: relationships.map(dateless) };
};
