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

/**
 * What a row of people can be marked as (docs/rules.md: Marks). A list can be narrowed to the rows
 * with one of these marks.
 */
export const MARKS = ['without_user', 'not_people', 'inactive', 'guest', 'new', 'direct'] as const;

/** A mark of a row. */
export type Mark = (typeof MARKS)[number];

/** The orders that lists of access can have. Rows with equal values are ordered by their keys. */
export const LIST_ORDERS = ['name', 'label', 'application', 'key'] as const;

/** One of the orders of lists of access. */
export type ListOrder = (typeof LIST_ORDERS)[number];
