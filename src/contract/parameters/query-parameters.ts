import type { ProblemCode } from '../../problem';
import { Codec, typeInWords, type Walk } from '../../codec/codec';
import { type Instant, isInstant, parseInstant } from '../../model/instant';
import type { Message } from '../../codec/problem-collector';
import { quote } from '../../codec/quote';
import { struct } from '../../codec/struct';

/*
 * Codecs of query parameters. A request gives each parameter as a text, or as a list of texts if it
 * is repeated.
 */

const MOST_LISTED = 30;

/** What is wrong with the text of a parameter: code and message. */
type Fault = readonly [code: ProblemCode, message: Message];

/** Returns what is wrong with the text of a parameter, or an empty list. */
type Rule = (value: string) => readonly Fault[];

const explainText = (value: unknown, rule: Rule, walk: Walk): void => {
  if (typeof value === 'string') {
    for (const [code, message] of rule(value)) walk.refuse(code, message);
  } else walk.refuse('WRONG_TYPE', () => `expected a text, got ${typeInWords(value)}`);
};

const isGood = (value: unknown, rule: Rule): boolean =>
  typeof value === 'string' && rule(value).length === 0;

/** A parameter that may occur once. An empty one is unset. */
const once = (name: string, rule: Rule, schema: object): Codec<string> =>
  new Codec<string>(
    name,
    (value) => isGood(value, rule),
    (value, walk) => {
      if (Array.isArray(value)) walk.refuse('REPEATED_FIELD', () => 'may occur only once');
      else explainText(value, rule, walk);
    },
    { unset: 'empty text', schema: { type: 'string', ...schema } },
  );

/** A parameter that may occur several times. */
const several = (name: string, rule: Rule, schema: object): Codec<string | readonly string[]> => {
  const textsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
  return new Codec<string | readonly string[]>(
    name,
    (value) => textsIn(value).every((each) => isGood(each, rule)),
    (value, walk) => textsIn(value).forEach((each) => explainText(each, rule, walk)),
    { unset: 'empty text', schema: { type: 'array', items: { type: 'string', ...schema } } },
  );
};

const anything: Rule = () => [];

const oneOf =
  (values: readonly string[]): Rule =>
  (value) => {
    if (values.includes(value)) return [];
    const listed = values.length > MOST_LISTED ? '' : ` is none of ${values.join(', ')}`;
    const message: Message = (hints) =>
      `${quote(value)}${listed || ' is not known'}${hints.didYouMean(value, values, 1)}`;
    return [['UNKNOWN_VALUE', message]];
  };

/** Any text, once. */
export const oneText = once('text', anything, {});

const needed: Rule = (value) => (value === '' ? [['MISSING_FIELD', () => 'is needed']] : []);

/** Any text that is not empty, once: for a parameter that a question needs. */
export const neededText = once('needed text', needed, { minLength: 1 });

/** One or more texts that are not empty. */
export const neededTexts = several('needed texts', needed, { minLength: 1 });

/** Any texts. */
export const texts = several('texts', anything, {});

/** One of these texts. */
export const choice = (name: string, values: readonly string[]): Codec<string> =>
  once(name, oneOf(values), { enum: values });

/** Several of these texts. */
export const choices = (
  name: string,
  values: readonly string[],
): Codec<string | readonly string[]> => several(name, oneOf(values), { enum: values });

/** `true` or `false`, in any case, since some clients write `True`. */
export const flagText = once(
  'true or false',
  (value) =>
    /^(true|false)$/i.test(value)
      ? []
      : [['UNKNOWN_VALUE', () => `${quote(value)} is neither true nor false`]],
  { enum: ['true', 'false'] },
);

/** An RFC 3339 time. */
export const timeText = once(
  'time',
  (value) =>
    isInstant(value)
      ? []
      : [['BAD_TIME', () => `${quote(value)} is no RFC 3339 time like 2026-03-01T12:00:00Z`]],
  { format: 'date-time' },
);

/** A whole number that is at least 1. */
export const countText = once(
  'count',
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) > 0
      ? []
      : [['OUT_OF_RANGE', () => `${quote(value)} is not a whole number of at least 1`]],
  { type: 'integer', minimum: 1, maximum: 999_999_999 },
);

/** A list as JSON, page by page, or as CSV, complete. */
export const formatText = choice('format', ['json', 'csv']);

/** The parameters of a list that is answered page by page, or complete. */
export const pageParameters = {
  page_size: countText,
  page_token: oneText,
  format: formatText,
} as const;

/** A field that orders a list, with `asc`, `desc` or nothing after it. */
export const orderText = (fields: readonly string[]): Codec<string> =>
  once(
    'order',
    (value) => {
      const [field = '', direction = 'asc', ...more] = value.trim().split(/\s+/);
      if (more.length > 0)
        return [['UNKNOWN_VALUE', () => 'has more than a field and asc or desc']];
      return [...oneOf(fields)(field), ...oneOf(['asc', 'desc'])(direction.toLowerCase())];
    },
    { pattern: `^\\s*(${fields.join('|')})(\\s+([aA][sS][cC]|[dD][eE][sS][cC]))?\\s*$` },
  );

/** The texts of a parameter, without empty ones. */
export const textsOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  (typeof value === 'string' ? [value] : (value ?? [])).filter((each) => each !== '');

/** The instant of a parameter; `null` if it is unset. */
export const instantOf = (value: string | null | undefined): Instant | null =>
  parseInstant(value ?? '');

/** Whether a flag is set. */
export const isTrue = (value: string | null | undefined): boolean =>
  value?.toLowerCase() === 'true';

/*
 * The query parameters of the service's own endpoints. An endpoint refuses an unknown parameter and
 * suggests a known one, so that a mistyped one never makes an answer wider than the question
 * (docs/api.md: Query parameters). Endpoints of the original API ignore unknown parameters.
 */

/**
 * Parameters of the lists that public clients use (docs/rules.md: Lists). They accept any
 * `page_size` and `order_by`.
 */
export const ListParameters = struct(
  'the query of a list',
  {},
  { filter: oneText, order_by: oneText, page_size: oneText, page_token: oneText },
);

/** Parameters of endpoints that accept none. */
export const NoParameters = struct('the query', {});
