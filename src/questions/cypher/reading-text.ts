/** A word, a sign, a text, or a name in backquotes of a Cypher query. Comments are no tokens. */
interface Token {
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
const allTokensOf = (cypher: string): readonly Token[] =>
  [...unescaped(cypher).matchAll(TOKEN)].flatMap(([, literal, quoted, word, sign]): Token[] => {
    if (literal !== undefined) return [{ text: spelled(literal), kind: 'literal' }];
    if (quoted !== undefined) return [{ text: quoted.replaceAll('``', '`'), kind: 'name' }];
    if (word !== undefined) return [{ text: word, kind: 'word' }];
    return sign === undefined ? [] : [{ text: sign, kind: 'sign' }];
  });
const among = (namespace: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${namespace}.${name}`);

/**
 * Neo4j's own functions whose name has a dot and that compute only from their arguments. Functions
 * without a dot need no list: only Neo4j can define them.
 */
export const READING_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['date', 'datetime', 'localdatetime', 'localtime', 'time'].flatMap((type) =>
    among(type, 'realtime statement transaction truncate'),
  ),
  ...among('datetime', 'fromEpoch fromEpochMillis'),
  ...among('duration', 'between inDays inMonths inSeconds'),
  ...among('point', 'distance withinBBox'),
  ...among('vector.similarity', 'cosine euclidean'),
  ...among('coll', 'distinct flatten indexOf insert max min remove sort'),
  ...among('string', 'indexOf join regexReplace'),
  ...among('uuid', 'leastSignificantBits mostSignificantBits'),
]);

// Neo4j ignores case in names of its own functions.
const KNOWN = new Set([...READING_FUNCTIONS].map((name) => name.toLowerCase()));

const isSign = (token: Token | undefined, ...signs: readonly string[]): boolean =>
  token?.kind === 'sign' && signs.includes(token.text);

const isKeyword = (token: Token | undefined, keyword: string): boolean =>
  token?.kind === 'word' && token.text.toUpperCase() === keyword;

const isName = (token: Token | undefined): token is Token =>
  token?.kind === 'name' || token?.kind === 'word';

/** The dotted name that begins at a token, and the index after it. */
const nameAt = (
  tokens: readonly Token[],
  start: number,
): { readonly name: string; readonly end: number } => {
  let name = tokens[start]?.text ?? '';
  let end = start + 1;
  for (let part = tokens[end + 1]; isSign(tokens[end], '.') && isName(part);) {
    name += `.${part.text}`;
    end += 2;
    part = tokens[end + 1];
  }
  return { name, end };
};

/**
 * The dotted names that the query calls as functions. A name after `CALL` is a procedure, which the
 * check of the plan covers.
 */
const dottedCalls = (tokens: readonly Token[]): readonly string[] => {
  const called: string[] = [];
  for (let at = 0; at < tokens.length;) {
    if (!isName(tokens[at])) {
      at += 1;
      continue;
    }
    const { name, end } = nameAt(tokens, at);
    const isCall = isSign(tokens[end], '(') && !isKeyword(tokens[at - 1], 'CALL');
    if (isCall && name.includes('.')) called.push(name);
    at = end;
  }
  return called;
};

const LONGEST_NAME = 100;

const shown = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;

/**
 * Whether a token is the keyword of a `USE` clause, and not the name of a property, label, type,
 * parameter or map key.
 */
const isUse = (tokens: readonly Token[], at: number): boolean =>
  isKeyword(tokens[at], 'USE') &&
  !isSign(tokens[at - 1], '.', ':', '|', '&', '!', '$') &&
  !isSign(tokens[at + 1], ':');

/**
 * Why the text of a query is not allowed; `null` if it is. The plan does not show `USE`, and does
 * not show all functions. So this looks for both in the tokens of the text (docs/security.md:
 * Queries).
 */
export const textRefusalOf = (cypher: string): string | null => {
  const tokens = allTokensOf(cypher).filter(({ kind }) => kind !== 'literal');
  const foreign = dottedCalls(tokens).find((name) => !KNOWN.has(name.toLowerCase()));
  if (foreign !== undefined) {
    return `calls the function ${shown(foreign)}; allowed are Neo4j's own that compute only from their arguments`;
  }
  return tokens.some((_token, at) => isUse(tokens, at))
    ? 'chooses a database by USE; a query runs on the database of the service (a variable named use must be in backquotes)'
    : null;
};
