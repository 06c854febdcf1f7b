import type { HeldPermission } from '../answers/questions/access';
import type { AccessChangeList, ChangedRow } from '../answers/questions/access-changes';
import { type CsvColumn, fieldColumns } from '../csv';
import { permissionColumns } from './access';

/** A line of a table of changes: one permission that a principal gained or lost (docs/api.md: CSV). */
export interface ChangeLine {
  readonly change: 'gained' | 'lost';
  readonly row: ChangedRow;
  readonly held: HeldPermission;
}

const of = (
  end: 'principal' | 'resource',
  ...names: readonly ('id' | 'label' | 'name' | 'path' | 'resource_type' | 'application')[]
): readonly CsvColumn<ChangeLine>[] =>
  names.map((name) => ({ name: `${end}_${name}`, cell: ({ row }) => row[end][name] }));

/** Columns of changes of access. */
export const changeColumns: readonly CsvColumn<ChangeLine>[] = [
  ...fieldColumns('change'),
  ...of('principal', 'id', 'label', 'name'),
  ...of('resource', 'id', 'label', 'name', 'path', 'resource_type', 'application'),
  ...permissionColumns,
];

/** The lines of a page of changes. A row with several permissions has a line for each. */
export const changeLines = ({ values }: AccessChangeList): readonly ChangeLine[] =>
  values.flatMap((row) =>
    (['lost', 'gained'] as const).flatMap((change) =>
      row[change].map((held) => ({ change, row, held })),
    ),
  );
