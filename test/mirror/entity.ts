import type { Label, Values } from './graph';

/** Where a link leads: an entity of the data source, or a shared node with its properties. */
export interface Target {
  readonly label: Label;
  readonly key: string;
  /** The properties of a shared node; absent for an entity. */
  readonly shared?: Values;
}

/** A relationship that an entity states; an incoming one points at the entity (docs/rules.md: Relationships). */
export interface Link {
  readonly type: string;
  readonly target: Target;
  readonly properties: Values;
  readonly incoming?: true;
}

/** What an entity names by a text, not yet bound to what it means (docs/rules.md: References). */
export interface Reference {
  /** The type of the relationship that it becomes. */
  readonly type: string;
  readonly to: Label;
  readonly text: string;
  readonly properties: Values;
  readonly pointer: string;
}

/** What one entry of a payload says of its entity's own fields. */
export interface Stated {
  readonly values: Values;
  readonly resourceTypes: readonly string[];
  /** Links to shared nodes. */
  readonly links: readonly Link[];
  readonly references: readonly Reference[];
}

/** A tag in its stored form; no value is `""` (docs/rules.md: Tags). */
export interface EntityTag {
  readonly name: string;
  readonly value: string;
}

/** One entity of a data source's whole: its own fields, its tags, and its references, bound. */
export interface Entity {
  readonly kind: Label;
  readonly key: string;
  readonly id: string;
  /** The id of the application it is in; its own for an application; null outside applications. */
  readonly application: string | null;
  /** The key of the resource that contains a sub-resource. */
  readonly parent: string | null;
  readonly values: Values;
  /** A permission's `resource_types`: one node for each (docs/rules.md: Nodes). */
  readonly resourceTypes: readonly string[];
  readonly tags: readonly EntityTag[];
  readonly links: readonly Link[];
}

/** A grant or role assignment of the whole: this identity holds this, on this scope (docs/rules.md: Increments). */
export interface Statement {
  readonly kind: 'Grant' | 'RoleAssignment';
  readonly key: string;
  readonly application: string;
  readonly holder: Target;
  /** The permission or the role. */
  readonly held: Target;
  readonly values: Values;
  readonly onApplication: boolean;
  readonly resources: readonly string[];
}

/** All that a data source holds: what a full push replaces and an increment changes (docs/rules.md: Full pushes, Increments). */
export interface Whole {
  /** Fields at the top of a flat template's payload that its entities carry. */
  readonly top: Values;
  readonly entities: readonly Entity[];
  readonly statements: readonly Statement[];
}

/** What a data source holds before its first push. */
export const nothing: Whole = { top: {}, entities: [], statements: [] };
