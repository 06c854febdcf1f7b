import { allTokensOf, type Token } from '../cypher-tokens';
import { beginEffort } from './effort';
import { QueryReader } from './query-reader';
import { TooMuch, Unreadable } from './refusal';
import { givenSize, type Size } from './size';
import { Meter } from './term';
import { DEEPEST } from './token-reader';

/** The most characters of a query. Longer lists can be parameters. */
const LONGEST = 30_000;
/** Neo4j may explain a query that this service cannot read if it has no more tokens. */
const MOST_UNREAD = 500;

/** What the service found out about a query before it runs. */
export type Verdict =
  | { readonly _tag: 'Passed' }
  /** It is refused; Neo4j must not even parse it. */
  | { readonly _tag: 'Refused'; readonly message: string }
  /** Neo4j may say what is wrong with it, but must not run it. */
  | { readonly _tag: 'Unread'; readonly message: string };

const refused = (message: string): Verdict => ({ _tag: 'Refused', message });

const OPENING = /^[([{]$/;
const CLOSING = /^[)\]}]$/;

/** Whether brackets and CASE nest too deep. */
const isTooDeep = (tokens: readonly Token[]): boolean => {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind === 'sign' && OPENING.test(text)) depth += 1;
    else if (kind === 'sign' && CLOSING.test(text)) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
};

/**
 * Judges a query before it runs: how deep it nests, how long it may loop within a row, and how large
 * the values are that it may make (docs/rules.md: What a query may make).
 */
export const judge = (cypher: string, parameters: Readonly<Record<string, unknown>>): Verdict => {
  if (cypher.length > LONGEST) {
    return refused(
      `has more than ${LONGEST} characters; send long lists as parameters, or use several queries`,
    );
  }
  const tokens = allTokensOf(cypher);
  if (isTooDeep(tokens)) {
    return refused(
      `nests deeper than ${DEEPEST} levels; write its parts one after the other, by WITH`,
    );
  }
  try {
    beginEffort();
    const part = new QueryReader(tokens).query();
    const sizes = new Map<string, Size>();
    const given = (name: string): Size => {
      const size = sizes.get(name) ?? givenSize(parameters[name]);
      sizes.set(name, size);
      return size;
    };
    part(new Map(), new Meter(given));
    return { _tag: 'Passed' };
  } catch (error) {
    if (error instanceof TooMuch) return refused(error.message);
    if (!(error instanceof Unreadable)) throw error;
    const message = `has something that the service cannot check, near "${error.message}"; write it otherwise`;
    return tokens.length > MOST_UNREAD ? refused(message) : { _tag: 'Unread', message };
  }
};
