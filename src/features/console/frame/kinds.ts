import { nodeKinds } from '../../../templates/graph/nodes';

/** The labels of principals. */
export const PEOPLE: readonly string[] = nodeKinds
  .filter(({ also }) => also.includes('Principal'))
  .map(({ label }) => label);

/** The labels of what can be reached. */
export const PLACES: readonly string[] = ['Application', 'Resource'];
