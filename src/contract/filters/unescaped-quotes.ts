/** One comparison, with everything between its first and last quote. */
const ONE_TEXT = /^\s*([^\s"()[\]]+)\s+([a-z]{2})\s+"([^]*)"\s*$/i;

/**
 * Escapes the quotes within the text of one comparison, if the client did not (`eq "Zoë "Z" Dee"`,
 * as clients made with SCIM-SDK send it). Null if the filter is not certainly such a comparison. In
 * a correct filter the first quote within the text would end it, and a word could not follow that
 * end without a space.
 */
export const withQuotesEscaped = (text: string): string | null => {
  const [, property = '', operator = '', inside = ''] = ONE_TEXT.exec(text) ?? [];
  const first = /(?<!\\)"([^])/.exec(inside)?.[1] ?? ' ';
  if (/[\s)\]]/.test(first) || /"\s+(?:and|or)\s/i.test(inside)) return null;
  return `${property} ${operator} ${JSON.stringify(inside.replaceAll('\\"', '"'))}`;
};
