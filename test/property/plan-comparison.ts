import { relationshipId, type Graph, type Node, type Relationship } from '../mirror/graph';
import type { Plan, PlannedList, PlannedThing } from './service-driver';

/** What a plan lists, or what a push changed, one line for each change, in any order. */
export interface ChangeLines {
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly shared_nodes: readonly string[];
  readonly derived_relationships: readonly string[];
}

const shared = new Set<string>(['Identity', 'CloudRole', 'ExternalEntity', 'Tag']);
const derived = new Set([
  'KNOWN_AS',
  'SOURCE_IDENTITY_OF',
  'MANAGED_BY',
  'SYSTEM_resource_managers',
  'RESOLVES_TO',
  'ACTS_AS',
  'HAS_ACCOUNT',
]);
/** When something came or changed is no part of what it says. */
const dates = new Set(['since', 'changed']);

/** What a plan lists. */
export function plannedLines(plan: Plan): ChangeLines {
  return {
    nodes: lines(plan.nodes, nodeName),
    relationships: lines(plan.relationships, relationshipName),
    shared_nodes: lines(plan.shared_nodes, nodeName),
    derived_relationships: lines(plan.derived_relationships, relationshipName),
  };
}

/** What differs between two graphs, in the words of a plan. */
export function changedLines(before: Graph, after: Graph): ChangeLines {
  const nodes = nodeChanges(before, after);
  const relationships = relationshipChanges(before, after);
  const isShared = ({ node }: { node: Node }): boolean => shared.has(node.label);
  // An employee's managers are stated, a user's are derived.
  const isDerived = ({ one }: { one: Relationship }): boolean =>
    (derived.has(one.type) && !(one.type === 'MANAGED_BY' && one.from.label === 'Employee')) ||
    one.properties.derived === true;
  return {
    nodes: sortedLines(nodes.filter((change) => !isShared(change))),
    relationships: sortedLines(relationships.filter((change) => !isDerived(change))),
    shared_nodes: sortedLines(nodes.filter(isShared)),
    derived_relationships: sortedLines(relationships.filter(isDerived)),
  };
}

function nodeName({ label, id }: PlannedThing): string {
  return `(${String(label)} ${String(id)})`;
}

function relationshipName({ type, from, to }: PlannedThing): string {
  return `(${String(from?.label)} ${String(from?.id)})-[${String(type)}]->(${String(to?.label)} ${String(to?.id)})`;
}

function lines(list: PlannedList, nameOf: (thing: PlannedThing) => string): readonly string[] {
  return list.values
    .map((one) => `${one.change} ${nameOf(one)} ${propertiesLine(one.properties ?? {})}`)
    .toSorted();
}

function propertiesLine(
  properties: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>,
): string {
  return Object.entries(properties)
    .map(([name, { from, to }]) => `${name}: ${JSON.stringify(from)} > ${JSON.stringify(to)}`)
    .toSorted()
    .join(', ');
}

function differing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names
    .filter((name) => !dates.has(name))
    .map((name) => [name, { from: plain(before[name]), to: plain(after[name]) }] as const)
    .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to));
  return propertiesLine(Object.fromEntries(changes));
}

/** A value as JSON tells it. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  const isInstant = typeof value === 'object' && value !== null && 'instant' in value;
  return isInstant ? value.instant : value;
}

function nodeChanges(before: Graph, after: Graph): readonly { node: Node; line: string }[] {
  const old = new Map(before.nodes.map((node) => [node.key, node]));
  const now = new Map(after.nodes.map((node) => [node.key, node]));
  const name = ({ label, key }: Node): string => `(${label} ${key})`;
  return [
    ...after.nodes.flatMap((node) => {
      const stood = old.get(node.key);
      if (stood === undefined) return [{ node, line: `created ${name(node)} ` }];
      const isSame = plain(stood.properties.changed) === plain(node.properties.changed);
      const what = differing(stood.properties, node.properties);
      return isSame && what === '' ? [] : [{ node, line: `changed ${name(node)} ${what}` }];
    }),
    ...before.nodes
      .filter(({ key }) => !now.has(key))
      .map((node) => ({ node, line: `removed ${name(node)} ` })),
  ];
}

function relationshipChanges(
  before: Graph,
  after: Graph,
): readonly { one: Relationship; line: string }[] {
  const old = new Map(before.relationships.map((one) => [relationshipId(one), one]));
  const now = new Set(after.relationships.map(relationshipId));
  const name = ({ type, from, to }: Relationship): string =>
    `(${from.label} ${from.key})-[${type}]->(${to.label} ${to.key})`;
  return [
    ...after.relationships.flatMap((one) => {
      const stood = old.get(relationshipId(one));
      if (stood === undefined) return [{ one, line: `created ${name(one)} ` }];
      // Whatever stays keeps its date.
      if (plain(stood.properties.since) !== plain(one.properties.since)) {
        return [{ one, line: `redrawn ${name(one)} ` }];
      }
      const what = differing(stood.properties, one.properties);
      return what === '' ? [] : [{ one, line: `changed ${name(one)} ${what}` }];
    }),
    ...before.relationships
      .filter((one) => !now.has(relationshipId(one)))
      .map((one) => ({ one, line: `removed ${name(one)} ` })),
  ];
}

function sortedLines(changes: readonly { readonly line: string }[]): readonly string[] {
  return changes.map(({ line }) => line).toSorted();
}
