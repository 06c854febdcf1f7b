import type { AnyCodec } from '../codec/codec';
import { flag } from '../codec/scalars';
import { PropertyTypes } from '../codec/shared';
import { struct, type Struct } from '../codec/struct';
import { notes, text } from '../codec/text';
import type { ProblemCode } from '../problem';
import type { EntityKind } from './kind';
import { DECLARATIONS, declarationDocs, INCREMENTAL } from './payload-docs';
import { entryLists, listDocs, fullLists, type EntryLists, type FullLists } from './lists';

/**
 * A text field at the top of a payload, and the property that it becomes on the root, or on every
 * row if `isEverywhere`.
 */
export interface TopField<T extends string = string> {
  readonly field: T;
  readonly property: string;
  readonly isEverywhere: boolean;
  /** Set if it may have several lines. */
  readonly hasLines?: true;
  readonly doc: string;
}

/**
 * A flat template: its payload lists entities side by side. Identity providers and HR systems have
 * one.
 */
export interface FlatTemplate {
  /** The kinds, in the order of the payload's lists. */
  readonly kinds: readonly EntityKind[];
  /**
   * The kind of which each payload has exactly one entity, which represents the complete system.
   */
  readonly root: EntityKind;
  /** The property in which every row has the root's name. */
  readonly rootName: string;
  /** The problem code for a payload that does not have exactly one root. */
  readonly rootCount: ProblemCode;
  readonly top: readonly TopField[];
  /** The kinds that may have declared custom properties, by the names that definitions use. */
  readonly owners: readonly string[];
  /** The payload's field that holds the type of the system. */
  readonly typeField: string;
  /** Whether the service adds that type to the provider's `idp_types`. */
  readonly isDirectory: boolean;
}

type Texts<T extends string> = { [K in T]: typeof text };
type Definition = Struct<Record<never, never>, Readonly<Record<string, typeof PropertyTypes>>>;
type Frame = { custom_property_definition: Definition; incremental_change: typeof flag };

/** The codecs of a flat template's payloads. */
export interface FlatCodecs<K extends EntityKind, T extends string> {
  readonly whole: Struct<Record<never, never>, Texts<T> & Frame & FullLists<K>>;
  readonly increment: Struct<Record<never, never>, Texts<T> & Frame & EntryLists<K>>;
}

/** Makes the codecs of a flat template from its declaration. */
export const flatCodecs = <K extends EntityKind, T extends string>(
  name: string,
  kinds: readonly K[],
  top: readonly TopField<T>[],
  owners: readonly string[],
): FlatCodecs<K, T> => {
  const definition = struct(
    'custom property definition',
    {},
    Object.fromEntries(owners.map((owner) => [`${owner}_properties`, PropertyTypes])),
    { docs: declarationDocs(owners) },
  );
  const frame: Readonly<Record<string, AnyCodec>> = {
    ...Object.fromEntries(
      top.map(({ field, hasLines }) => [field, hasLines === true ? notes : text]),
    ),
    custom_property_definition: definition,
    incremental_change: flag,
  };
  const docs = {
    ...Object.fromEntries(top.map(({ field, doc }) => [field, doc])),
    custom_property_definition: DECLARATIONS,
    incremental_change: INCREMENTAL,
    ...listDocs(kinds),
  };
  return {
    whole: struct(name, {}, { ...frame, ...fullLists(kinds) }, { docs }),
    increment: struct(name, {}, { ...frame, ...entryLists(kinds) }, { docs }),
  } as unknown as FlatCodecs<K, T>;
};
