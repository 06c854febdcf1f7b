import {
  type End,
  type Graph,
  isShared,
  labelsOf,
  type Label,
  type Node,
  type Relationship,
  relationshipId,
  type Value,
  type Values,
} from '../mirror/graph';
import { isBefore } from '../mirror/past';
import { differences } from './graph-comparison';
import type { StoredPast } from './stored-graph';

/** What a version of a node or relationship says beside its own properties. */
const OF_VERSIONS = new Set(['until', 'from', 'type', 'label']);
const OF_ENDS = new Set(['start', 'start_label', 'end', 'end_label']);

/** What the facts of an instant, as the rules say to read them, differ in from the graph of then (docs/rules.md: History). */
export function instantDifferences(
  then: Graph,
  at: string,
  now: Graph,
  past: readonly StoredPast[],
): readonly string[] {
  return differences(comparable(then), comparable(factsAt(at, now, past)));
}

/** The graph at an instant, from what stands and what ended. */
function factsAt(at: string, now: Graph, past: readonly StoredPast[]): Graph {
  const held = past.filter(({ values }) => holds(at, values.from ?? values.since, values.until));
  const nodes = new Map<string, Node>();
  const relationships = new Map<string, Relationship>();
  for (const { labels, values } of held) {
    if (labels.includes('PastNode')) {
      const node = nodeOf(values);
      expect([node.key, nodes.has(node.key)]).toEqual([node.key, false]);
      nodes.set(node.key, node);
    } else {
      const one = relationshipOf(values);
      const id = relationshipId(one);
      expect([id, relationships.has(id)]).toEqual([id, false]);
      relationships.set(id, one);
    }
  }
  for (const node of now.nodes) {
    if (isShared(node.label) || nodes.has(node.key)) continue;
    if (holds(at, node.properties.since)) nodes.set(node.key, node);
  }
  for (const one of now.relationships) {
    const id = relationshipId(one);
    if (!relationships.has(id) && holds(at, one.properties.since)) relationships.set(id, one);
  }
  const isThere = ({ label, key }: End): boolean =>
    label === 'DataSource' || isShared(label) || nodes.has(key);
  const seen = [...relationships.values()].filter(({ from, to }) => isThere(from) && isThere(to));
  return { nodes: [...nodes.values(), ...sharedBy(seen)], relationships: seen };
}

/** Shared nodes were there while something led to them. */
function sharedBy(relationships: readonly Relationship[]): readonly Node[] {
  const ends = relationships.flatMap(({ from, to }) => [from, to]);
  const shared = ends.filter(({ label }) => isShared(label));
  return [...new Map(shared.map((end) => [end.key, end])).values()].map(({ label, key }) => ({
    label: label as Label,
    key,
    labels: labelsOf[label as Label],
    properties: { key },
  }));
}

function holds(at: string, from: Value | undefined, until?: Value): boolean {
  if (isBefore(at, instantOf(from))) return false;
  return until === undefined || isBefore(at, instantOf(until));
}

function instantOf(value: Value | undefined): string {
  if (typeof value !== 'object' || !('instant' in value)) throw new Error(JSON.stringify(value));
  return value.instant;
}

function nodeOf(values: Values): Node {
  const label = values.label as Label;
  return {
    label,
    key: values.key as string,
    labels: labelsOf[label],
    properties: without(values, OF_VERSIONS),
  };
}

function relationshipOf(values: Values): Relationship {
  const own = without(values, OF_VERSIONS, OF_ENDS, new Set(['data_source']));
  return {
    type: values.type as string,
    from: { label: values.start_label as Label, key: values.start as string },
    to: { label: values.end_label as Label, key: values.end as string },
    properties: own,
  };
}

function without(values: Values, ...names: readonly ReadonlySet<string>[]): Values {
  const left = Object.entries(values).filter(([name]) => !names.some((some) => some.has(name)));
  return Object.fromEntries(left);
}

/** Versions do not tell when a row last changed, and nothing tells what shared nodes say but their keys. */
function comparable({ nodes, relationships }: Graph): Graph {
  return {
    relationships,
    nodes: nodes.map((node) => ({
      ...node,
      properties: isShared(node.label)
        ? { key: node.key }
        : without(node.properties, new Set(['changed'])),
    })),
  };
}
