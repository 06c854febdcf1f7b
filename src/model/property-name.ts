/** Before the names of custom properties, as the graph stores them. */
export const CUSTOM_PREFIX = 'customprop_';

/** Before the names of dynamic properties, as the graph stores them. */
export const DYNAMIC_PREFIX = 'dynprop_';

/** Whether a payload chose the name of a stored property: it is that of a custom or dynamic one. */
export const isChosenName = (name: string): boolean =>
  name.startsWith(CUSTOM_PREFIX) || name.startsWith(DYNAMIC_PREFIX);

/** What stands before a name that a payload chose. */
export type ChosenPrefix = typeof CUSTOM_PREFIX | typeof DYNAMIC_PREFIX;
