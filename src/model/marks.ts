/**
 * What a row of people can be marked as (docs/rules.md: Marks). A list can be narrowed to the rows
 * with one of these marks.
 */
export const MARKS = ['without_user', 'not_people', 'inactive', 'guest', 'new', 'direct'] as const;

/** A mark of a row. */
export type Mark = (typeof MARKS)[number];
