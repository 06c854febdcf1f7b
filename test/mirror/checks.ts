import { customPropertyProblems, customValues, type Declaration } from './definitions';
import type { Values } from './graph';
import type { Optional, PropertyValues } from './payload';
import { below, type Problem } from './pointer';

/** What values of custom properties are checked against, and where problems are gathered. */
export interface Checks {
  readonly declarations: readonly Declaration[];
  readonly problems: Problem[];
}

/** The custom properties of what stands at a pointer, checked and in their stored form (docs/rules.md: Nodes, Problems). */
export function checkedCustomValues(
  sent: { readonly custom_properties?: Optional<PropertyValues> },
  scope: string,
  pointer: string,
  { declarations, problems }: Checks,
): Values {
  const at = below(pointer, 'custom_properties');
  problems.push(...customPropertyProblems(sent.custom_properties, scope, declarations, at));
  return customValues(sent.custom_properties, scope, declarations);
}
