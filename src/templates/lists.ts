import type { Codec } from '../codec/codec';
import { list, type List } from '../codec/collections';
import { entry, type EntryOf } from '../codec/entry';
import type { Fields, Struct } from '../codec/struct';
import type { EntityKind, EntityOf } from './kind';

/** The lists of these kinds in a full push. */
export type FullLists<K extends EntityKind> = {
  [E in K as E['list']]: E['isSingle'] extends true ? E['codec'] : List<E['codec']>;
};

/** The lists of these kinds in an increment. */
export type EntryLists<K extends EntityKind> = {
  [E in K as E['list']]: E['isSingle'] extends true
    ? Codec<EntryOf<EntityOf<E>>>
    : List<Codec<EntryOf<EntityOf<E>>>>;
};

/** Makes the codecs of these kinds' lists for full pushes. */
export const fullLists = <K extends EntityKind>(kinds: readonly K[]): FullLists<K> =>
  Object.fromEntries(
    kinds.map((kind) => [kind.list, kind.isSingle ? kind.codec : list(kind.codec)]),
  ) as unknown as FullLists<K>;

/** A sentence for each of these kinds' lists. */
export const listDocs = (kinds: readonly EntityKind[]): Readonly<Record<string, string>> =>
  Object.fromEntries(kinds.map(({ list: name, listDoc }) => [name, listDoc]));

/** Makes the codecs of these kinds' lists for increments. */
export const entryLists = <K extends EntityKind>(kinds: readonly K[]): EntryLists<K> =>
  Object.fromEntries(
    kinds.map((kind) => {
      const codec = entry(kind.codec as unknown as Struct<Fields, Fields>, kind.entry);
      return [kind.list, kind.isSingle ? codec : list(codec)];
    }),
  ) as unknown as EntryLists<K>;
