import { optional, type Setting, withDefault } from './setting';

/** A value that operators need not set, and why. Its variable, a setting of earlier releases, is still read. */
export interface Constant<A> extends Setting<A> {
  /** The value where the variable is unset, as docs/operating.md tells it. */
  readonly value: string;
  readonly reason: string;
}

/** A constant of one fixed value. */
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

/** A value that follows from something else; `value` says how. */
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
