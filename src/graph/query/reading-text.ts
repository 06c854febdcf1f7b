import { type Token, tokensOf } from './cypher-tokens';

const among = (namespace: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${namespace}.${name}`);

/**
 * Neo4j's own functions that have a dot in their names, and compute from what they are given alone. All functions without a dot are Neo4j's own:
 * it lets nobody define one.
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

// Neo4j finds its own functions in any case.
const KNOWN = new Set([...READING_FUNCTIONS].map((name) => name.toLowerCase()));

const isSign = (token: Token | undefined, ...signs: readonly string[]): boolean =>
  token?.isQuoted === false && signs.includes(token.text);

const isKeyword = (token: Token | undefined, keyword: string): boolean =>
  token?.isQuoted === false && token.text.toUpperCase() === keyword;

const isName = (token: Token | undefined): token is Token =>
  token !== undefined && (token.isQuoted || !/^[!-/:-@[-^{-~]/.test(token.text));

/** The dotted name that begins at a token, and where it ends. */
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

/** Names with a dot in them that are called; what follows `CALL` is a procedure, which the plan tells of. */
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

/** Whether a token is the keyword of a clause `USE`, rather than the name of a property, label, type, parameter or key of a map. */
const isUse = (tokens: readonly Token[], at: number): boolean =>
  isKeyword(tokens[at], 'USE') &&
  !isSign(tokens[at - 1], '.', ':', '|', '&', '!', '$') &&
  !isSign(tokens[at + 1], ':');

/**
 * Why the text of a query is more than a reading query; `null` if it is one. A plan does not tell of databases that are chosen, nor reliably of
 * functions: these are found in what Neo4j reads, without texts and comments (docs/security.md, "Queries").
 */
export const textRefusalOf = (cypher: string): string | null => {
  const tokens = tokensOf(cypher);
  const foreign = dottedCalls(tokens).find((name) => !KNOWN.has(name.toLowerCase()));
  if (foreign !== undefined) {
    return `calls the function ${shown(foreign)}; allowed are Neo4j's own that compute from their arguments alone`;
  }
  return tokens.some((_token, at) => isUse(tokens, at))
    ? 'chooses a database by USE; a query is asked of the database of the service (a variable named use stands in backquotes)'
    : null;
};
