/**
 * A word, a sign, or a name in backquotes of a Cypher query. String literals and comments are no
 * tokens.
 */
export interface Token {
  readonly text: string;
  /** Whether the token stands in backquotes. Then it is a name, never a keyword. */
  readonly isQuoted: boolean;
}

const ESCAPED = /\\(?:u([\da-f]{4})|[^])/gi;

/**
 * Replaces each `\uXXXX` by its character, as Neo4j does everywhere in a query before it parses it.
 */
const unescaped = (cypher: string): string =>
  cypher.replace(ESCAPED, (both, code?: string) =>
    code === undefined ? both : String.fromCharCode(parseInt(code, 16)),
  );

const COMMENT = String.raw`/\*[^]*?(?:\*/|$)|//[^\n\r]*`;
const TEXT = String.raw`'(?:\\[^]|[^'\\])*'?|"(?:\\[^]|[^"\\])*"?`;
const QUOTED = '`((?:``|[^`])*)`?';
// Neo4j allows control characters and currency signs in names, except the control characters that
// it treats as spaces.
const WORD = String.raw`(?:(?![\t-\r\x1c-\x1f])[\p{L}\p{M}\p{N}\p{Pc}\p{Sc}\p{C}])+`;
const SIGN = String.raw`\.\.|[!-/:-@[-^{-~]`;

const TOKEN = new RegExp(`(?:${COMMENT}|${TEXT})|${QUOTED}|(${WORD}|${SIGN})`, 'gu');

/** Splits a query into tokens in the same way as Neo4j. */
export const tokensOf = (cypher: string): readonly Token[] =>
  [...unescaped(cypher).matchAll(TOKEN)].flatMap(([, quoted, plain]): Token[] => {
    if (quoted !== undefined) return [{ text: quoted.replaceAll('``', '`'), isQuoted: true }];
    return plain === undefined ? [] : [{ text: plain, isQuoted: false }];
  });
