/** A text as one word of a shell. */
export const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
