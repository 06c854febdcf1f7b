import * as E from 'fp-ts/Either';

import type { AnyCodec } from '../codec/codec';
import { List, type Members, Shapes } from '../codec/collections';
import { ParentGroup } from '../codec/parent-group';
import { quote } from '../codec/quote';
import { flag } from '../codec/scalars';
import { IdentityReference, Operation, type PropertyType, Tag } from '../codec/shared';
import { type Fields, Struct } from '../codec/struct';
import { Enumeration, Text, time } from '../codec/text';
import type { ProblemCode } from '../problem';

/** What is wrong with a cell. */
export interface CellFault {
  readonly code: ProblemCode;
  readonly message: string;
}

/** Converts the text of a cell to the value of a field. */
export type ReadCell = (cell: string) => E.Either<CellFault, unknown>;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

const readText: ReadCell = (cell) => E.right(cell);

const readFlag: ReadCell = (cell) => {
  const value = FLAGS.get(cell.toLowerCase());
  const message = `${quote(cell)} is none of true, false, yes, no, 1, 0`;
  return value === undefined ? E.left({ code: 'WRONG_TYPE', message }) : E.right(value);
};

/** Decimal numbers as JSON spells them. They may also begin with a `+` or with zeros. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

const readNumber: ReadCell = (cell) =>
  NUMBER.test(cell) && Number.isFinite(Number(cell))
    ? E.right(Number(cell))
    : E.left({ code: 'WRONG_TYPE', message: `${quote(cell)} is not a number` });

const readTag: ReadCell = (cell) => {
  const [, key = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(cell) ?? [];
  return E.right(value === undefined ? { key } : { key, value });
};

/** The names in a cell that holds several names with semicolons between them. */
export const namesIn = (cell: string): readonly string[] =>
  cell
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const listOf =
  (readOne: ReadCell): ReadCell =>
  (cell) => {
    const read = namesIn(cell).map(readOne);
    const fault = read.find(E.isLeft);
    return fault ?? E.right(read.flatMap((one) => (E.isRight(one) ? [one.right] : [])));
  };

/**
 * How the cells of a field are read. This follows from the field's codec. Returns `null` for a
 * field that no cell can hold.
 */
export const cellOf = (codec: AnyCodec): ReadCell | null => {
  if (codec === Operation) return null;
  if (codec === flag) return readFlag;
  if (codec === Tag) return readTag;
  if (codec === ParentGroup) return cellOf(IdentityReference);
  if (codec === time || codec instanceof Text || codec instanceof Enumeration) return readText;
  if (codec instanceof List) {
    const readOne = cellOf((codec as List<AnyCodec>).element);
    return readOne === null ? null : listOf(readOne);
  }
  if (codec instanceof Shapes) {
    const { list } = codec.members as Members;
    return list === undefined ? null : cellOf(list);
  }
  if (codec instanceof Struct) {
    // A reference such as {"identity": "staff"}.
    const [field, ...others] = Object.keys((codec as Struct<Fields, Fields>).required);
    if (field === undefined || others.length > 0) return null;
    return (cell) => E.right({ [field]: cell });
  }
  return null;
};

/** How the cells of a custom property are read. */
export const CELL_OF_TYPE: Readonly<Record<PropertyType, ReadCell>> = {
  BOOLEAN: readFlag,
  NUMBER: readNumber,
  STRING: readText,
  STRING_LIST: listOf(readText),
  TIMESTAMP: readText,
};
