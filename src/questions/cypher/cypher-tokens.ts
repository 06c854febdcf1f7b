/** A word, a sign, a text, or a name in backquotes of a Cypher query. Comments are no tokens. */
export interface Token {
  readonly text: string;
  /** `name`: in backquotes, never a keyword. `literal`: a text in quotes; `text` is what it spells. */
  readonly kind: 'word' | 'sign' | 'name' | 'literal';
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

const TOKEN = new RegExp(`(?:${COMMENT})|(${TEXT})|${QUOTED}|(${WORD})|(${SIGN})`, 'gu');

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f' };

/** What a text in quotes spells. */
const spelled = (quoted: string): string =>
  quoted
    .slice(1, quoted.length > 1 && quoted.at(-1) === quoted[0] ? -1 : undefined)
    .replace(/\\([^])/g, (_both, sign: string) => ESCAPES[sign] ?? sign);

/** Splits a query into tokens in the same way as Neo4j, with the texts in quotes. */
export const allTokensOf = (cypher: string): readonly Token[] =>
  [...unescaped(cypher).matchAll(TOKEN)].flatMap(([, literal, quoted, word, sign]): Token[] => {
    if (literal !== undefined) return [{ text: spelled(literal), kind: 'literal' }];
    if (quoted !== undefined) return [{ text: quoted.replaceAll('``', '`'), kind: 'name' }];
    if (word !== undefined) return [{ text: word, kind: 'word' }];
    return sign === undefined ? [] : [{ text: sign, kind: 'sign' }];
  });
