/** One comparison, and all between its first and last quote. */
const ONE_TEXT = /^\s*([^\s"()[\]]+)\s+([a-z]{2})\s+"([^]*)"\s*$/i;

/**
 * One comparison with a text whose quotes the client did not escape (`eq "Zoë "Z" Dee"`), as clients
 * made with SCIM-SDK send it, with these escaped; null if it is not certainly one. The first quote
 * within the text would be its end, and no word may follow an end without a space.
 */
export const withQuotesEscaped = (text: string): string | null => {
  const [, property = '', operator = '', inside = ''] = ONE_TEXT.exec(text) ?? [];
  const first = /(?<!\\)"([^])/.exec(inside)?.[1] ?? ' ';
  if (/[\s)\]]/.test(first) || /"\s+(?:and|or)\s/i.test(inside)) return null;
  return `${property} ${operator} ${JSON.stringify(inside.replaceAll('\\"', '"'))}`;
};
