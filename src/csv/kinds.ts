import type { AnyCodec } from '../codec/codec';
import type { NodeKind } from '../model/table';
import { localKinds } from '../templates/application/local-kinds';
import { Permission, PermissionCodec } from '../templates/application/permissions';
import { resources } from '../templates/application/resources';
import { ITSELF } from '../templates/field';
import type { AnyStruct, EntityKind } from '../templates/kind';
import { type Template, templates } from '../templates/templates';
import { cellOf, type ReadCell } from './cell';

/** A kind of entity that a row of a CSV file can describe. */
export interface CsvKind {
  /** The word for it in the column `kind`. */
  readonly word: string;
  /** The list of the payload that holds its entities. */
  readonly list: string;
  /** How the cells of each field are read. */
  readonly cells: ReadonlyMap<string, ReadCell>;
  /** An entity is referred to by the first of these fields that is set. */
  readonly ids: readonly string[];
  /** The fields that name entities of another kind, with the word of that kind. */
  readonly names: ReadonlyMap<string, string>;
  readonly identityType: string | null;
  /** Whether its entities may have custom properties. */
  readonly isDeclared: boolean;
  /** Whether a name is enough to make an entity. */
  readonly needsNameAlone: boolean;
}

/**
 * The kinds of a template's CSV files, by their words. A row is of the first kind if it does not
 * name one.
 */
export type CsvKinds = ReadonlyMap<string, CsvKind>;

const PERMISSION = 'permission';

const cellsOf = (codecs: Readonly<Record<string, AnyCodec>>): ReadonlyMap<string, ReadCell> =>
  new Map(
    Object.entries(codecs).flatMap(([field, codec]) => {
      const read = cellOf(codec);
      return read === null ? [] : [[field, read] as const];
    }),
  );

const needsNameAlone = ({ required }: AnyStruct): boolean =>
  Object.keys(required).every((field) => field === 'name');

const wordOf = ({ definition, list }: EntityKind): string => definition ?? list;

const kindsOf = (declared: readonly EntityKind[]): readonly CsvKind[] => {
  const named = (node: NodeKind): string | undefined => {
    if (node === Permission) return PERMISSION;
    const kind = declared.find((one) => one.node === node);
    return kind === undefined ? undefined : wordOf(kind);
  };
  return declared.map((kind) => ({
    word: wordOf(kind),
    list: kind.list,
    cells: cellsOf({ ...kind.codec.required, ...kind.codec.optional }),
    ids: kind.entry.ids,
    names: new Map(
      Object.entries(kind.fields).flatMap(([field, { becomes }]) => {
        if (becomes._tag !== 'references' || becomes.to === ITSELF) return [];
        const word = named(becomes.to);
        return word === undefined ? [] : [[field, word] as const];
      }),
    ),
    identityType: kind.identityType,
    isDeclared: kind.definition !== null,
    needsNameAlone: needsNameAlone(kind.codec),
  }));
};

const permission: CsvKind = {
  word: PERMISSION,
  list: 'permissions',
  cells: cellsOf({ ...PermissionCodec.required, ...PermissionCodec.optional }),
  ids: ['name'],
  names: new Map(),
  identityType: null,
  isDeclared: false,
  needsNameAlone: true,
};

/** The kinds that rows of a template's CSV file can describe. */
export const csvKinds = (template: Template): CsvKinds => {
  const { flat } = templates[template];
  const kinds =
    flat === null
      ? [...kindsOf([...localKinds, resources]), permission]
      : kindsOf(flat.kinds.filter((kind) => kind !== flat.root));
  return new Map(kinds.map((kind) => [kind.word, kind]));
};
