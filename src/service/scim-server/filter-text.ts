import { type Filter, parse } from 'scim2-parse-filter';

export type { Filter };

/** The text is no filter. */
export class BadFilter extends Error {}

/** More than the filter of any client has. */
const LONGEST = 4096;

// A text in quotes, or an entry of a list with a part of it that is compared.
const TEXT = /"(?:[^"\\]|\\.)*"/;
const VALUE_PATH = new RegExp(
  `${TEXT.source}|(?<![\\w:.$-])([\\w:.$-]+)\\[((?:[^\\]"]|${TEXT.source})*)\\]\\.([\\w$-]+)` +
    `\\s+(?:(pr)\\b|(eq|ne|co|sw|ew|gt|ge|lt|le)\\s+(${TEXT.source}|[^\\s()\\[\\]]+))`,
  'gi',
);

/**
 * The library reads `emails[type eq "work"].value eq "a"` as two conditions that different emails
 * may fulfil. They are about one and the same email.
 */
const together = (filter: string): string =>
  filter.replace(
    VALUE_PATH,
    (
      whole: string,
      path: string | undefined,
      inner: string,
      sub: string,
      present: string | undefined,
      operator: string,
      value: string,
    ) =>
      path === undefined
        ? whole
        : `${path}[(${inner}) and ${sub} ${present ?? `${operator} ${value}`}]`,
  );

/** Reads a filter (RFC 7644, 3.4.2.2). Throws `BadFilter`. */
export const parseFilter = (text: string): Filter => {
  if (text.length > LONGEST) throw new BadFilter(`is longer than ${LONGEST} characters`);
  try {
    return parse(together(text));
  } catch (error) {
    // A filter that is nested too deep ends here too.
    throw new BadFilter(error instanceof Error ? error.message : String(error));
  }
};
