import type { StoredProperties } from './stored-value';

/** What a backup says of the graph that it holds. */
export interface BackedUpGraph {
  /** The store version of the graph. */
  readonly store_version: number;
  /** The Neo4j from which it was read. */
  readonly neo4j: string;
  /** When it was read, by Neo4j's clock. */
  readonly as_of: string;
  /** How many pushes had changed the graph by then. */
  readonly commit_sequence: number;
  /** Since when the graph stores ended facts; absent if it stores none. */
  readonly history_since?: string;
}

/** A node: its labels and properties. */
export type NodeLine = readonly [labels: readonly string[], properties: StoredProperties];

/** A relationship: its ends by label and key, its type and properties. */
export type RelationshipLine = readonly [
  from: string,
  type: string,
  toLabel: string,
  to: string,
  properties: StoredProperties,
];

/** Nodes of one label, or relationships that leave nodes of one label. */
export type Section = { readonly nodes: string } | { readonly relationships: string };

/** A part of a graph, as it is read from Neo4j and written to it. */
export type GraphPart =
  | { readonly section: Section }
  | { readonly node: NodeLine }
  | { readonly relationship: RelationshipLine };

/** What a backup does not hold. */
export interface LeftOut {
  /** Multipart uploads that were under way. */
  readonly uploads: number;
  /** Nodes and relationships that the service did not make. */
  readonly foreign_nodes: number;
  readonly foreign_relationships: number;
}
