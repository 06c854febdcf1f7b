import { optional, type Setting, withDefault } from './setting';

/**
 * A value that operators need not set, and the reason. Its variable was a setting of earlier
 * releases, and the service still reads it.
 */
export interface Constant<A> extends Setting<A> {
  /** The value that applies while the variable is unset, as docs/operating.md shows it. */
  readonly value: string;
  readonly reason: string;
}

/** A constant with a fixed value. */
export const fixed = <A>(
  variable: string,
  value: string,
  parse: Setting<A>['parse'],
  doc: string,
  reason: string,
): Constant<A> & { readonly fallback: string } => ({
  ...withDefault(variable, value, parse, doc),
  value: `\`${value}\``,
  reason,
});

/** A constant whose value follows from something else; `value` says how. */
export const following = <A>(
  variable: string,
  parse: Setting<A>['parse'],
  value: string,
  doc: string,
  reason: string,
): Constant<A> & { readonly fallback: undefined } => ({
  ...optional(variable, parse, doc),
  value,
  reason,
});
