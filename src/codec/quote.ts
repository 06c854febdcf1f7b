const LONGEST_QUOTE = 60;

/** A text quoted for a message, cut when long. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
