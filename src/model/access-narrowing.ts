/**
 * The canonical types that make a permission privileged: who has it changes or removes the settings
 * that exist (docs/rules.md: Privileged permissions).
 */
export const PRIVILEGED_TYPES = ['MetadataDelete', 'MetadataWrite'] as const;

/** Whether a permission with these canonical types is privileged. */
export const isPrivileged = (types: readonly string[]): boolean =>
  types.some((type) => PRIVILEGED_TYPES.some((each) => each === type));

/** What questions call these types together, in place of a canonical type. */
export const PRIVILEGED = 'privileged';

/** The canonical types that a question means by the ones that it names. */
export const typesMeant = (named: readonly string[]): readonly string[] => [
  ...new Set(named.flatMap((type) => (type === PRIVILEGED ? PRIVILEGED_TYPES : [type]))),
];

const OF_HUMANS: readonly string[] = ['Employee', 'IdpUser', 'Identity', 'LocalUser'];

/** Whether nodes with this label can be a human's. */
export const isOfHumans = (label = ''): boolean => OF_HUMANS.includes(label);

/**
 * What a row of people can be marked as (docs/rules.md: Marks). A list can be narrowed to the rows
 * with one of these marks.
 */
export const MARKS = [
  'without_user',
  'not_people',
  'inactive',
  'guest',
  'not_employees',
  'new',
  'direct',
] as const;

/** A mark of a row. */
export type Mark = (typeof MARKS)[number];

/** The marks to which a list of what a principal reaches can be narrowed, and a list of entities. */
export const MARKS_OF_REACHED: readonly Mark[] = ['new'];

/**
 * To which types one click narrows a list in addition to marks, as questions name them: each by what the
 * interface calls the count of its rows.
 */
export const CHIPS_OF_TYPES = { privileged: PRIVILEGED, write: 'DataWrite' } as const;

/**
 * The orders that lists of access can have. Rows with equal values are ordered by their keys. With
 * `largest_application` the application with the most rows of the list comes first.
 */
export const LIST_ORDERS = ['name', 'label', 'application', 'largest_application', 'key'] as const;

/** One of the orders of lists of access. */
export type ListOrder = (typeof LIST_ORDERS)[number];

/** A list has fewer rows than this. */
const MOST_ROWS = 999_999_999;

const SIZE_DIGITS = String(MOST_ROWS).length;

/**
 * The text by which a list orders a row if the largest application comes first. It is smaller the more
 * rows of the list the application has. Applications of one size are ordered by their names.
 */
export const sizeText = (rows: number, application: string): string =>
  `${String(MOST_ROWS - rows).padStart(SIZE_DIGITS, '0')} ${application}`;

/** The same in Cypher, of expressions. */
export const sizeTextOf = (rows: string, application: string): string =>
  `right('${'0'.repeat(SIZE_DIGITS)}' + toString(${MOST_ROWS} - ${rows}), ${SIZE_DIGITS}) + ' ' + ${application}`;
