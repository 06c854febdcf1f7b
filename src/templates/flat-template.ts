import type { AnyCodec } from '../codec/codec';
import { flag } from '../codec/scalars';
import { PropertyTypes } from '../codec/shared';
import { struct, type Struct } from '../codec/struct';
import { text } from '../codec/text';
import type { ProblemCode } from '../problem';
import type { EntityKind } from './kind';
import { entryLists, wholeLists, type EntryLists, type WholeLists } from './lists';

/** A text of the payload itself and the property that it becomes: of the root alone, or of every row. */
export interface TopField<T extends string = string> {
  readonly field: T;
  readonly property: string;
  readonly isEverywhere: boolean;
}

/** A template whose payload lists its entities side by side: an identity provider or an HR system. */
export interface FlatTemplate {
  /** In the order of the payload's lists. */
  readonly kinds: readonly EntityKind[];
  /** The kind of which a payload has exactly one entity, which stands for the whole. */
  readonly root: EntityKind;
  /** The property in which every row carries the root's name. */
  readonly rootName: string;
  /** The problem of a payload without exactly one root. */
  readonly rootCount: ProblemCode;
  readonly top: readonly TopField[];
  /** What has declared custom properties. */
  readonly owners: readonly string[];
  /** The field of the payload that says of which type the system is. */
  readonly typeField: string;
  /** Whether that type is one of the identity provider types in the provider's record. */
  readonly isDirectory: boolean;
}

type Texts<T extends string> = { [K in T]: typeof text };
type Definition = Struct<Record<never, never>, Readonly<Record<string, typeof PropertyTypes>>>;
type Frame = { custom_property_definition: Definition; incremental_change: typeof flag };

/** The codecs of a flat template's payloads. */
export interface FlatCodecs<K extends EntityKind, T extends string> {
  readonly whole: Struct<Record<never, never>, Texts<T> & Frame & WholeLists<K>>;
  readonly increment: Struct<Record<never, never>, Texts<T> & Frame & EntryLists<K>>;
}

/** The codecs that follow from what a flat template declares. */
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
  );
  const frame: Readonly<Record<string, AnyCodec>> = {
    ...Object.fromEntries(top.map(({ field }) => [field, text])),
    custom_property_definition: definition,
    incremental_change: flag,
  };
  return {
    whole: struct(name, {}, { ...frame, ...wholeLists(kinds) }),
    increment: struct(name, {}, { ...frame, ...entryLists(kinds) }),
  } as unknown as FlatCodecs<K, T>;
};
