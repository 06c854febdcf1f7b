import * as E from 'fp-ts/Either';

import { Hints } from '../codec/hints/hints';
import { FirstProblems } from '../codec/first-problems';
import { quote } from '../codec/quote';
import { PropertyType } from '../codec/shared';
import { nfc } from '../model/fold';
import type { ProblemList } from '../problem';
import { type CellFault, CELL_OF_TYPE, type ReadCell } from './cell';
import type { CsvKinds } from './kinds';
import { CSV_POINTER, HEADER_ROW } from './table';

/** The column that says of which kind a row is. */
export const KIND = 'kind';
/** The kind of a row that says what somebody holds on resources. */
export const GRANT = 'grant';
/** The columns of such a row. Rows of accounts and groups may have the first two as well. */
export const HELD = { permissions: 'permission', roles: 'local_role' } as const;
const GRANT_COLUMNS = ['identity', 'identity_type', 'resources', ...Object.keys(HELD)];
/** The column with the path of the resource that contains the resource of the row. */
export const PARENT = 'parent';

const CUSTOM = /^custom_properties\.([^:]*)(?::(.*))?$/i;

/** A column of a CSV file that means something. */
export interface CsvColumn {
  /** Its name in the file. */
  readonly header: string;
  /** Its place in each row. */
  readonly index: number;
  /** The field that it holds. */
  readonly field: string;
  /** The custom property that it holds. */
  readonly custom?: {
    readonly name: string;
    readonly type: PropertyType;
    readonly read: ReadCell;
  };
}

/**
 * The field that each column holds, by the column's name in the file. A column with an empty field
 * is ignored.
 */
export type ColumnMapping = Readonly<Record<string, string | null>>;

const spelled = (name: string): string =>
  CUSTOM.test(name) ? name : name.toLowerCase().replace(/[ -]+/g, '_');

const customColumn = (field: string): E.Either<CellFault, CsvColumn['custom']> => {
  const [, name = '', type = 'STRING'] = CUSTOM.exec(field) ?? [];
  const known = type.toUpperCase();
  return PropertyType.is(known)
    ? E.right({ name: nfc(name), type: known, read: CELL_OF_TYPE[known] })
    : E.left({ code: 'UNKNOWN_VALUE', message: `${quote(type)} is no type of custom properties` });
};

/** All fields that columns of a template's files can hold. */
export const fieldsOf = (kinds: CsvKinds): ReadonlySet<string> => {
  const all = [...kinds.values()].flatMap(({ cells }) => [...cells.keys()]);
  const ofApplications = kinds.has('resource') ? [...GRANT_COLUMNS, PARENT] : [];
  return new Set([KIND, ...all, ...ofApplications]);
};

/** Finds out what each column means: the mapping says so, or else its name. */
export const readColumns = (
  header: readonly string[],
  kinds: CsvKinds,
  mapping: ColumnMapping,
): E.Either<ProblemList, readonly CsvColumn[]> => {
  const known = fieldsOf(kinds);
  const hints = new Hints();
  const problems = new FirstProblems();
  const columns = new Map<string, CsvColumn>();
  const refuse = (column: string, fault: () => CellFault): void =>
    problems.add(() => ({ pointer: CSV_POINTER, ...fault(), row: HEADER_ROW, column }));
  const mapped = new Map(Object.entries(mapping).map(([name, field]) => [nfc(name), field ?? '']));
  header.forEach((name, index) => {
    const field = mapped.get(nfc(name)) ?? spelled(name);
    if (field === '' && mapped.has(nfc(name))) return;
    const custom = CUSTOM.test(field) ? customColumn(field) : E.right(undefined);
    if (E.isLeft(custom)) return refuse(name, () => custom.left);
    if (custom.right === undefined && !known.has(field)) {
      return refuse(name, () => {
        const hint = hints.didYouMean(field, known, 1);
        const separated = header.length === 1 && /[;\t]/.test(name);
        const commas = separated ? '; commas separate cells, not semicolons or tabs' : '';
        const message = `no entity has a field ${quote(field)}${hint || commas}`;
        return { code: 'UNKNOWN_FIELD', message };
      });
    }
    const key = custom.right === undefined ? field : `custom_properties.${custom.right.name}`;
    const first = columns.get(key);
    if (first !== undefined) {
      return refuse(name, () => {
        const message = `${quote(name)} and ${quote(first.header)} are one field`;
        return { code: 'REPEATED_FIELD', message };
      });
    }
    const column = { header: name, index, field: key };
    columns.set(key, custom.right === undefined ? column : { ...column, custom: custom.right });
  });
  const headers = new Set(header.map(nfc));
  for (const name of Object.keys(mapping)) {
    if (headers.has(nfc(name))) continue;
    refuse(name, () => {
      const message = `the file has no column ${quote(name)}${hints.didYouMean(name, headers, 1)}`;
      return { code: 'UNKNOWN_FIELD', message };
    });
  }
  return problems.total > 0 ? E.left(problems.list) : E.right([...columns.values()]);
};
