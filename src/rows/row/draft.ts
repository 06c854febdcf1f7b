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

// Most rows state only a few relationships. Up to this number a draft searches its list, because a
// set for each row would be most of the memory that a push allocates.
const FEW = 16;

/** A row that is still being made. Unset values are not entered (docs/rules.md: Values). */
export class Draft {
  readonly properties: Record<string, Value> = {};
  private relationships: Stated[] = [];
  /** The identities of the relationships, once there are more than `FEW`. */
  private many: Set<string> | null = null;
  private tagKeys: string[] = [];

  constructor(
    readonly kind: NodeKind,
    readonly key: string,
  ) {}

  /** Makes a draft that starts with the content of a row. */
  static of({ kind, key, properties, relationships, tags }: Row): Draft {
    const draft = new Draft(kind, key);
    Object.assign(draft.properties, properties);
    draft.relationships = [...relationships];
    draft.tagKeys = [...tags];
    return draft;
  }

  /** Sets a text field of the specification, in NFC. `""` and `null` leave it unset. */
  text(name: string, value: string | null | undefined): void {
    if (value !== null && value !== undefined && value !== '') this.properties[name] = nfc(value);
  }

  /** Sets any other value. `null` and an empty list leave it unset. */
  set(name: string, value: Value | null | undefined): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value) && value.length === 0) return;
    this.properties[name] = value;
  }

  /** States a relationship. If the row states it already, the first statement remains. */
  relate(kind: RelationshipKind, other: string, properties: PropertyValues = NO_PROPERTIES): void {
    const relationship = stated(kind, other, properties);
    if (!this.states(relationship)) this.relationships.push(relationship);
  }

  private states({ identity }: Stated): boolean {
    if (this.relationships.length < FEW) {
      return this.relationships.some((one) => one.identity === identity);
    }
    this.many ??= new Set(this.relationships.map((one) => one.identity));
    const isKnown = this.many.has(identity);
    this.many.add(identity);
    return isKnown;
  }

  /** Removes the stated relationships that `isMeant` selects. */
  retract(isMeant: (stated: Stated) => boolean): void {
    this.relationships = this.relationships.filter((one) => !isMeant(one));
    this.many = null;
  }

  /** All relationships stated so far, without tags. */
  get stated(): readonly Stated[] {
    return this.relationships;
  }

  tag(key: string): void {
    this.tagKeys.push(key);
  }

  /** Removes the tags that `isMeant` selects. */
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
