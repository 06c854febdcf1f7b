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
