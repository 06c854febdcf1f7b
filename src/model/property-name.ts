/** The graph stores a custom property under its name with this prefix. */
export const CUSTOM_PREFIX = 'customprop_';

/** The graph stores a dynamic property under its name with this prefix. */
export const DYNAMIC_PREFIX = 'dynprop_';

/** Whether a stored property is a custom or dynamic one, so that a payload chose its name. */
export const isChosenName = (name: string): boolean =>
  name.startsWith(CUSTOM_PREFIX) || name.startsWith(DYNAMIC_PREFIX);

/** The prefix of a custom or dynamic property. */
export type ChosenPrefix = typeof CUSTOM_PREFIX | typeof DYNAMIC_PREFIX;

const STORED_NAME = /^(customprop|dynprop)_[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/**
 * Whether a text may be the stored name of a custom or dynamic property. Names are in NFC
 * (docs/rules.md: Property names).
 */
export const isStoredName = (name: string): boolean => STORED_NAME.test(name);
