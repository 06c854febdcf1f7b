import { nfc } from '../../model/fold';
import type { NodeKind, RelationshipKind } from '../../model/table';
import {
  NO_PROPERTIES,
  type PropertyValues,
  type Row,
  stated,
  type Stated,
  type Value,
} from './row';

// Most rows state a few relationships, and a set for each row is the larger part of what a push allocates.
const FEW = 16;

/** A row in the making: what is unset leaves no trace (docs/rules.md: Values). */
export class Draft {
  readonly properties: Record<string, Value> = {};
  private relationships: Stated[] = [];
  /** Identities of the relationships, once they are more than a few. */
  private many: Set<string> | null = null;
  private tagKeys: string[] = [];

  constructor(
    readonly kind: NodeKind,
    readonly key: string,
  ) {}

  /** What a row says, to be changed. */
  static of({ kind, key, properties, relationships, tags }: Row): Draft {
    const draft = new Draft(kind, key);
    Object.assign(draft.properties, properties);
    draft.relationships = [...relationships];
    draft.tagKeys = [...tags];
    return draft;
  }

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
    if (!this.states(relationship)) this.relationships.push(relationship);
  }

  private states({ identity }: Stated): boolean {
    if (this.relationships.length < FEW) {
      return this.relationships.some((standing) => standing.identity === identity);
    }
    this.many ??= new Set(this.relationships.map((standing) => standing.identity));
    const isKnown = this.many.has(identity);
    this.many.add(identity);
    return isKnown;
  }

  /** Takes back what is stated of these. */
  retract(isMeant: (stated: Stated) => boolean): void {
    this.relationships = this.relationships.filter((standing) => !isMeant(standing));
    this.many = null;
  }

  /** All that is stated so far but tags. */
  get stated(): readonly Stated[] {
    return this.relationships;
  }

  tag(key: string): void {
    this.tagKeys.push(key);
  }

  /** Takes tags off. */
  untag(isMeant: (key: string) => boolean): void {
    this.tagKeys = this.tagKeys.filter((key) => !isMeant(key));
  }

  get tags(): readonly string[] {
    return this.tagKeys;
  }

  /** The finished row. */
  row(lookups: Row['lookups']): Row {
    return {
      kind: this.kind,
      key: this.key,
      properties: this.properties,
      lookups,
      relationships: this.relationships,
      tags: this.tagKeys.length < 2 ? this.tagKeys : [...new Set(this.tagKeys)],
    };
  }
}
