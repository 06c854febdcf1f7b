import type { ExportedAccess, HeldPermission } from '../answers/questions/access';
import { type CsvColumn, csvLines } from '../csv';
import { permissionColumns } from './access';

interface Line extends Omit<ExportedAccess, 'cursor'> {
  readonly held: HeldPermission;
  readonly cursor: string | undefined;
}

const wordsOf = ({ explanation }: Line): string | null =>
  explanation
    ? `${explanation.hops.map(({ name }) => name).join(' → ')} on ${explanation.scope.map(({ name }) => name).join(' / ')}`
    : null;

/** Columns of an export of access (docs/api.md: Exports of access). */
export const exportColumns: readonly CsvColumn<Line>[] = [
  { name: 'principal_id', cell: ({ principal }) => principal.id },
  { name: 'principal_label', cell: ({ principal }) => principal.label },
  { name: 'principal_name', cell: ({ principal }) => principal.name },
  { name: 'principal_application', cell: ({ principal }) => principal.application },
  { name: 'principal_domain', cell: ({ principal }) => principal.domain },
  { name: 'inactive', cell: ({ principal }) => principal.inactive },
  { name: 'human_id', cell: ({ human }) => human?.id },
  { name: 'human_label', cell: ({ human }) => human?.label },
  { name: 'human_name', cell: ({ human }) => human?.name },
  { name: 'resource_id', cell: ({ resource }) => resource.id },
  { name: 'resource_label', cell: ({ resource }) => resource.label },
  { name: 'resource_name', cell: ({ resource }) => resource.name },
  { name: 'path', cell: ({ resource }) => resource.path },
  { name: 'resource_type', cell: ({ resource }) => resource.resource_type },
  { name: 'application', cell: ({ resource }) => resource.application },
  ...permissionColumns,
  { name: 'explanation', cell: wordsOf },
  { name: 'as_of', cell: ({ as_of }) => as_of?.at },
  { name: 'push', cell: ({ as_of }) => as_of?.push },
  { name: 'cursor', cell: ({ cursor }) => cursor },
  { name: 'principal_provider', cell: ({ principal }) => principal.provider },
  { name: 'human_provider', cell: ({ human }) => human?.provider },
  { name: 'provider', cell: ({ resource }) => resource.provider },
];

/**
 * Rows of an export as lines of CSV. A row with several permissions has a line for each. The last
 * of these lines has the cursor of the row.
 */
export const exportedLines = (rows: readonly ExportedAccess[]): string =>
  csvLines(
    exportColumns,
    rows.flatMap((row): readonly Line[] =>
      row.permissions.map((held, at) => ({
        ...row,
        held,
        cursor: at === row.permissions.length - 1 ? row.cursor : undefined,
      })),
    ),
  );
