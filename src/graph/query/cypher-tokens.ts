/** A word, a sign or a name in backquotes of a query; texts and comments are no tokens. */
export interface Token {
  readonly text: string;
  /** Whether it stands in backquotes: a name, whatever it spells. */
  readonly isQuoted: boolean;
}

const ESCAPED = /\\(?:u([\da-f]{4})|[^])/gi;

/** Neo4j reads `\uXXXX` as its character anywhere, before it reads anything else. */
const unescaped = (cypher: string): string =>
  cypher.replace(ESCAPED, (both, code?: string) =>
    code === undefined ? both : String.fromCharCode(parseInt(code, 16)),
  );

const COMMENT = String.raw`/\*[^]*?(?:\*/|$)|//[^\n\r]*`;
const TEXT = String.raw`'(?:\\[^]|[^'\\])*'?|"(?:\\[^]|[^"\\])*"?`;
const QUOTED = '`((?:``|[^`])*)`?';
// Neo4j takes control characters and signs of currencies for parts of names, but those that it takes for spaces.
const WORD = String.raw`(?:(?![\t-\r\x1c-\x1f])[\p{L}\p{M}\p{N}\p{Pc}\p{Sc}\p{C}])+`;
const SIGN = String.raw`\.\.|[!-/:-@[-^{-~]`;

const TOKEN = new RegExp(`(?:${COMMENT}|${TEXT})|${QUOTED}|(${WORD}|${SIGN})`, 'gu');

/** The words, signs and quoted names of a query, in order, as Neo4j tells them apart. */
export const tokensOf = (cypher: string): readonly Token[] =>
  [...unescaped(cypher).matchAll(TOKEN)].flatMap(([, quoted, plain]): Token[] => {
    if (quoted !== undefined) return [{ text: quoted.replaceAll('``', '`'), isQuoted: true }];
    return plain === undefined ? [] : [{ text: plain, isQuoted: false }];
  });
