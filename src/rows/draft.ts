import { nfc } from '../model/fold';
import type { NodeKind, RelationshipKind } from '../model/table';
import {
  NO_PROPERTIES,
  type PropertyValues,
  type Row,
  stated,
  type Stated,
  type Value,
} from './row';

/** A row in the making: what is unset leaves no trace (graph.md 2). */
export class Draft {
  readonly properties: Record<string, Value> = {};
  private readonly relationships = new Map<string, Stated>();
  private readonly tagKeys = new Set<string>();

  constructor(
    readonly kind: NodeKind,
    readonly key: string,
  ) {}

  /** Sets a text of the specification, in NFC; `""` and `null` leave it unset. */
  text(name: string, value: string | null | undefined): void {
    if (value !== null && value !== undefined && value !== '') this.properties[name] = nfc(value);
  }

  /** Sets any other value; `null`, and an empty list, leave it unset. */
  set(name: string, value: Value | null | undefined): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value) && value.length === 0) return;
    this.properties[name] = value;
  }

  /** States a relationship; one that stands already stays as it was first stated. */
  relate(kind: RelationshipKind, other: string, properties: PropertyValues = NO_PROPERTIES): void {
    const relationship = stated(kind, other, properties);
    if (!this.relationships.has(relationship.identity)) {
      this.relationships.set(relationship.identity, relationship);
    }
  }

  tag(key: string): void {
    this.tagKeys.add(key);
  }

  /** The finished row. */
  row(lookups: Row['lookups']): Row {
    return {
      kind: this.kind,
      key: this.key,
      properties: this.properties,
      lookups,
      relationships: [...this.relationships.values()],
      tags: [...this.tagKeys],
    };
  }
}
