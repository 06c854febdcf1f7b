import type {
  AccessList,
  HeldPermission,
  PrincipalRow,
  ResourceRow,
} from '../answers/questions/access';
import { type CsvColumn, fieldColumns } from '../csv';

/** A line of a table of access: one permission of one row (docs/api.md: CSV). */
export type AccessLine = (ResourceRow | PrincipalRow) & { readonly held: HeldPermission };

/** Columns that tell a permission. */
export const permissionColumns: readonly CsvColumn<{ readonly held: HeldPermission }>[] = [
  { name: 'permission', cell: ({ held }) => held.name },
  { name: 'permission_types', cell: ({ held }) => held.permission_type.join(' ') },
];

/** Columns of what a principal can reach. */
export const resourceColumns: readonly CsvColumn<AccessLine>[] = [
  ...fieldColumns('id', 'label', 'name', 'path', 'resource_type', 'application'),
  ...permissionColumns,
];

/** Columns of who can reach a resource. */
export const principalColumns: readonly CsvColumn<AccessLine>[] = [
  ...fieldColumns('id', 'label', 'name', 'application', 'domain', 'inactive'),
  ...permissionColumns,
  {
    name: 'drawn_together',
    cell: (row) => ('drawn_together' in row ? row.drawn_together : null),
  },
  { name: 'person', cell: (row) => ('person' in row ? row.person : null) },
];

/** The lines of a page of access. A row with several permissions has a line for each. */
export const accessLines = ({ values }: AccessList): readonly AccessLine[] =>
  (values as readonly (ResourceRow | PrincipalRow)[]).flatMap((row) =>
    row.permissions.map((held) => ({ ...row, held })),
  );
