const LONGEST_QUOTE = 60;

/** Quotes a text for a message, and shortens a long one. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);

/** Quotes a text for a message, however long it is. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A count with the word for what is counted, such as `1 row` or `2 rows`. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
