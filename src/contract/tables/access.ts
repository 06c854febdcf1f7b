import type {
  AccessList,
  HeldThrough,
  HumanAccount,
  PrincipalRow,
  ResourceRow,
} from '../answers/questions/access';
import { type CsvColumn, fieldColumns } from '../csv';

/**
 * A line of a table of access: one permission of one row (docs/api.md: CSV). It has no others, since
 * somebody who writes it weighs all that it has.
 */
export type AccessLine = (Omit<ResourceRow, 'permissions'> | Omit<PrincipalRow, 'permissions'>) &
  LineOfHuman;

/** What a line says about the human for whom it is; `null` if it is for one principal. */
export interface LineOfHuman {
  readonly held: HeldThrough;
  /**
   * The accounts through which the human has it, or the node of the human that has it without an
   * account.
   */
  readonly through: readonly HumanAccount[] | null;
}

/** The human about whom an answer is, if it is about one. */
export interface AnsweredFor {
  readonly principal?: HumanAccount;
  readonly accounts?: readonly HumanAccount[];
}

/**
 * The nodes of a human through which a permission is held; `null` if the answer is about no human.
 */
export const throughOf = (
  { principal, accounts }: AnsweredFor,
  held: HeldThrough,
): readonly HumanAccount[] | null => {
  if (held.accounts === undefined || principal === undefined || accounts === undefined) return null;
  const ids = new Set(held.accounts);
  return ids.size === 0 ? [principal] : accounts.filter(({ id }) => ids.has(id));
};

/** A node of a human as people know it. `kind` is what its label is called. */
export const accountInWords = (
  { name, label, application, domain, provider }: HumanAccount,
  kind: string = label,
): string => {
  const place = application ?? domain;
  return `${name} (${kind}${place === null ? '' : ` in ${place}`}${provider === null ? '' : ` from ${provider}`})`;
};

/** How many accounts have a permission that an answer does not name. */
export const unnamedOf = ({ accounts = [], accounts_total = 0 }: HeldThrough): number =>
  Math.max(0, accounts_total - accounts.length);

/** Columns that say through which accounts a human has something. */
export const accountColumns: readonly CsvColumn<Pick<LineOfHuman, 'held' | 'through'>>[] = [
  {
    name: 'accounts',
    cell: ({ held, through }) => {
      const more = unnamedOf(held);
      const rest = more === 0 ? [] : [`and ${more} more`];
      return through && [...through.map((each) => accountInWords(each)), ...rest].join(', ');
    },
  },
  { name: 'account_ids', cell: ({ through }) => through?.map(({ id }) => id) },
];

/** Columns that describe a permission. */
export const permissionColumns: readonly CsvColumn<{
  readonly held: Pick<HeldThrough, 'name' | 'permission_type'>;
}>[] = [
  { name: 'permission', cell: ({ held }) => held.name },
  { name: 'permission_types', cell: ({ held }) => held.permission_type.join(' ') },
];

/** Columns of what a principal can reach. */
export const resourceColumns: readonly CsvColumn<AccessLine>[] = [
  ...fieldColumns('id', 'label', 'name', 'path', 'resource_type', 'application'),
  ...permissionColumns,
  ...accountColumns,
  ...fieldColumns('provider'),
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
  ...accountColumns,
  ...fieldColumns('provider'),
];

/** The lines of a page of access. A row with several permissions has a line for each. */
export const accessLines = (answer: AccessList): readonly AccessLine[] =>
  'resource' in answer
    ? answer.values.flatMap(({ permissions, ...row }) => {
        const { accounts = [] } = row;
        const through = row.person === true ? (accounts.length === 0 ? [row] : accounts) : null;
        return permissions.map((held) => ({ ...row, held, through }));
      })
    : answer.values.flatMap(({ permissions, ...row }) =>
        permissions.map((held) => ({ ...row, held, through: throughOf(answer, held) })),
      );
