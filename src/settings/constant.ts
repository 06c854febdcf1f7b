/** A value that operators need not set: it suits every installation, or follows from a setting. */
export interface Constant<A> {
  /** The name by which the docs and messages call it. */
  readonly name: string;
  readonly value: A;
  /** The value as docs/operating.md shows it. */
  readonly text: string;
  readonly doc: string;
  readonly reason: string;
}

/** A constant with a fixed value. `text` is the value in a unit. */
export const fixed = (
  name: string,
  value: number,
  doc: string,
  reason: string,
  text = String(value),
): Constant<number> => ({ name, value, text: `\`${text}\``, doc, reason });

/** A constant whose value the service derives from something else; `text` says how. */
export const following = (
  name: string,
  text: string,
  doc: string,
  reason: string,
): Constant<number | undefined> => ({ name, value: undefined, text, doc, reason });
