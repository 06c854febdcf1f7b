import type { PropertyKind } from '../check/property-owner';
import type { NodeKind } from '../model/table';
import type { Field } from './field';

/** A kind of entity that a payload lists. */
export interface EntityKind<E> {
  readonly list: string;
  readonly node: NodeKind;
  /** How definitions of custom properties call it. */
  readonly definition: PropertyKind;
  /** How messages call it. */
  readonly word: string;
  readonly fields: readonly Field<E>[];
}
