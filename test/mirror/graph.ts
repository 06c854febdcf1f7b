import type { Instant } from './instant';

/** A property's value (docs/rules.md: Nodes). */
export type Value = string | number | boolean | readonly string[] | Instant;

/** Properties of a node or a relationship. */
export type Values = Readonly<Record<string, Value>>;

/** A node's own label with those that come with it (docs/rules.md: Nodes). */
export const labelsOf = {
  IdpDomain: ['Entity', 'IdpDomain'],
  IdpUser: ['Entity', 'IdpUser', 'Principal'],
  IdpGroup: ['Entity', 'IdpGroup', 'Principal'],
  IdpApp: ['Entity', 'IdpApp'],
  HrisSystem: ['Entity', 'HrisSystem'],
  Employee: ['Employee', 'Entity', 'Principal'],
  HrisGroup: ['Entity', 'HrisGroup'],
  Application: ['Application', 'Entity'],
  LocalUser: ['Entity', 'LocalUser', 'Principal'],
  LocalGroup: ['Entity', 'LocalGroup', 'Principal'],
  LocalAgent: ['Entity', 'LocalAgent', 'Principal'],
  AccessCredential: ['AccessCredential', 'Entity', 'Principal'],
  LocalModel: ['Entity', 'LocalModel'],
  LocalRole: ['Entity', 'LocalRole', 'Principal', 'Role'],
  Resource: ['Entity', 'Resource'],
  Permission: ['Entity', 'Permission'],
  Grant: ['Entitlement', 'Entity', 'Grant'],
  RoleAssignment: ['Entitlement', 'Entity', 'RoleAssignment'],
  Identity: ['Entity', 'Identity', 'Principal'],
  CloudRole: ['CloudRole', 'Entity', 'Role'],
  ExternalEntity: ['Entity', 'ExternalEntity'],
  Tag: ['Entity', 'Tag'],
} as const;

/** The label that names a node's kind. */
export type Label = keyof typeof labelsOf;

/** Whether nodes of a label belong to nobody (docs/rules.md: Shared nodes). */
export function isShared(label: string): boolean {
  return ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'].includes(label);
}

/** An end of a relationship; data sources appear as ends of FROM only. */
export interface End {
  readonly label: Label | 'DataSource';
  readonly key: string;
}

/** A node of the expected graph; `properties` include `key`. */
export interface Node {
  readonly label: Label;
  readonly key: string;
  readonly labels: readonly string[];
  readonly properties: Values;
}

/** A relationship of the expected graph. */
export interface Relationship {
  readonly type: string;
  readonly from: End;
  readonly to: End;
  readonly properties: Values;
}

/** The expected graph, whole or in part. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];
}

/** An entity as it should stand: its node and the relationships it owns (docs/rules.md: Words). */
export interface Row {
  readonly node: Node;
  readonly relationships: readonly Relationship[];
  /** The shared nodes that the relationships lead to. */
  readonly shared: readonly Node[];
}

/** A node of a kind, with its labels. */
export function node(label: Label, key: string, properties: Values): Node {
  return { label, key, labels: labelsOf[label], properties: { ...properties, key } };
}

/** What makes two relationships one (docs/rules.md: Relationships; a derived TAGGED stands beside a stated one). */
export function relationshipId({ type, from, to, properties }: Relationship): string {
  const apart =
    type === 'ASSIGNED_TO'
      ? [properties.id]
      : type === 'OWNED_BY'
        ? [properties.owner_type ?? null, properties.primary ?? null]
        : type === 'TAGGED'
          ? [properties.derived ?? false]
          : [];
  return JSON.stringify([type, from.key, to.key, ...apart]);
}

/** The same values always in the same text, whatever the order of their names. */
export function textOfValues(values: Values): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
