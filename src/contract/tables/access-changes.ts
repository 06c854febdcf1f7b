import type { AccessChangeList, ChangedRow } from '../answers/questions/access-changes';
import { type CsvColumn, fieldColumns } from '../csv';
import { accountColumns, type LineOfHuman, permissionColumns, throughOf } from './access';

/** A line of a table of changes: one permission that a principal gained or lost (docs/api.md: CSV). */
export interface ChangeLine extends LineOfHuman {
  readonly change: 'gained' | 'lost';
  readonly row: Pick<ChangedRow, 'principal' | 'resource'>;
}

const of = (
  end: 'principal' | 'resource',
  ...names: readonly (
    'id' | 'label' | 'name' | 'path' | 'resource_type' | 'application' | 'provider'
  )[]
): readonly CsvColumn<ChangeLine>[] =>
  names.map((name) => ({ name: `${end}_${name}`, cell: ({ row }) => row[end][name] }));

/** Columns of changes of access. */
export const changeColumns: readonly CsvColumn<ChangeLine>[] = [
  ...fieldColumns('change'),
  ...of('principal', 'id', 'label', 'name'),
  ...of('resource', 'id', 'label', 'name', 'path', 'resource_type', 'application'),
  ...permissionColumns,
  ...accountColumns,
  ...of('principal', 'provider'),
  ...of('resource', 'provider'),
];

/** The lines of a page of changes. A row with several permissions has a line for each. */
export const changeLines = (answer: AccessChangeList): readonly ChangeLine[] =>
  answer.values.flatMap(({ principal, resource, ...sides }) =>
    (['lost', 'gained'] as const).flatMap((change) =>
      sides[change].map((held) => ({
        change,
        row: { principal, resource },
        held,
        through: throughOf(answer, held),
      })),
    ),
  );
