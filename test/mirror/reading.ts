import type { Whole } from './entity';
import type { Declaration } from './definitions';
import type { Mention } from './warnings';
import type { PropertyValues, Optional } from './payload';
import { below, child, type Problem } from './pointer';
import { holdsProperties } from './spelling';

/** What a payload says: the whole it describes, what is wrong with it, and what may deserve a warning. */
export interface Reading {
  readonly whole: Whole;
  readonly problems: readonly Problem[];
  readonly mentions: readonly Mention[];
  readonly declarations: readonly Declaration[];
}

/** The second and each later of things that must differ (docs/rules.md: Problems). */
export function duplicateProblems(
  things: readonly { readonly key: string; readonly pointer: string }[],
): readonly Problem[] {
  return things
    .filter(({ key }, at) => things.findIndex((other) => other.key === key) < at)
    .map(({ pointer }) => ({ pointer, code: 'DUPLICATE_ID' }));
}

/** More dynamic properties than five (docs/rules.md: Problems). */
export function dynamicPropertyProblems(
  sent: Optional<PropertyValues>,
  pointer: string,
): readonly Problem[] {
  if (Object.keys(sent ?? {}).length <= 5) return [];
  return [{ pointer: below(pointer, 'dynamic_properties'), code: 'TOO_MANY_DYNAMIC_PROPERTIES' }];
}

/** Every `operation` in a payload: in a full push each is an error (docs/rules.md: Full pushes). */
export function operationProblems(json: unknown, pointer = ''): readonly Problem[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.keys(json).flatMap((name) => {
    if (holdsProperties(name)) return [];
    const value = child(json, name);
    const at = below(pointer, name);
    if (name === 'operation' && typeof value === 'string')
      return [{ pointer: at, code: 'OPERATION_IN_FULL_PUSH' }];
    return operationProblems(value, at);
  });
}
