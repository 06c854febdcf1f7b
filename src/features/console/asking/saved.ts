import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { flagText, oneText } from '../../../contract/parameters/query-parameters';
import type { Role } from '../../../contract/team-key';
import type { Context } from '../../../context';
import { isOptional, typeOf } from '../../../kit/values';
import { savedQueries } from '../../../kit/saved-queries';
import type { SavedQuery } from '../../../kit/saved-query';
import type { Parameter } from '../../../kit/values';
import { isInstant } from '../../../model/instant';
import { badField, type Failure, invalid } from '../../../problem';
import { inCypher, interfaceOf, type Query, savedQueryFor } from '../../../questions/contract';
import { instantDaysAgo } from '../overview/days';
import { keysMeant } from './meant';

const names = [
  ...new Set(savedQueries().flatMap(({ parameters }) => parameters.map((p) => p.name))),
];

/** The parameters of Ask: the query, whether to run it, and the values of all parameters. */
export const ASK_QUERY = struct(
  'the query of Ask',
  {},
  { query: oneText, run: flagText, ...Object.fromEntries(names.map((name) => [name, oneText])) },
);

/** What an address of Ask says. */
export type AskedSaved = Readonly<Record<string, string | null | undefined>>;

/** The value of an example that people can write; empty if it is an expression. */
export const exampleOf = (parameter: Parameter): string => {
  const { example } = parameter;
  const [, text] = /^'([^']*)'$/.exec(example) ?? [];
  if (text !== undefined) return text;
  const [, named] = /fold_(?:name|path): '([^']+)'/.exec(example) ?? [];
  if (named !== undefined) return named;
  const [, span] = /^duration\('([^']+)'\)$/.exec(example) ?? [];
  if (span !== undefined) return span;
  const [, days] = /^datetime\(\) - duration\('P(\d+)D'\)$/.exec(example) ?? [];
  if (days !== undefined) return instantDaysAgo(Number(days)).slice(0, 10);
  if (example === 'datetime()') return 'now';
  return /^-?\d+$/.test(example) ? example : '';
};

const refused = (name: string, message: string): Failure =>
  badField(`/${name}`, 'BAD_PARAMETER', message);

const timeIn = (name: string, text: string): E.Either<Failure, unknown> => {
  if (text === '' || text.toLowerCase() === 'now') return E.right(new Date().toISOString());
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  return isInstant(time)
    ? E.right(time)
    : E.left(refused(name, 'is neither a date like 2026-03-01 nor a time'));
};

/**
 * The key of the human to whom several nodes certainly belong (docs/rules.md: One human). The
 * interface decides that, and refuses others.
 */
const humanOf = (
  context: Context,
  name: string,
  keys: readonly string[],
): TE.TaskEither<Failure, string | null> =>
  pipe(
    interfaceOf(context).access.list({
      query: { principal: [...keys], person: 'true', page_size: '1' },
      params: {},
    }),
    TE.map((answer) => ('principal' in answer ? answer.principal.id : null)),
    TE.mapLeft((failure) =>
      failure._tag === 'Invalid'
        ? refused(name, failure.problems.map(({ message }) => message).join('; '))
        : failure,
    ),
  );

/** The key of the one entity or human with this name, or the key itself. */
const keyMeant = (
  context: Context,
  name: string,
  text: string,
  sort: 'people' | 'places',
): TE.TaskEither<Failure, unknown> =>
  text === ''
    ? TE.left(refused(name, 'is needed: a name, a path or a key'))
    : pipe(
        keysMeant(context, name, text, sort),
        TE.flatMap(([one, ...others]) =>
          others.length === 0 ? TE.right(one) : humanOf(context, name, [one, ...others]),
        ),
      );

const valueOf = (
  context: Context,
  parameter: Parameter,
  written: string,
): TE.TaskEither<Failure, unknown> => {
  const { name } = parameter;
  const text = written.trim();
  const type = typeOf(parameter);
  switch (type) {
    case 'key of who':
      return keyMeant(context, name, text, 'people');
    case 'key of what':
      return keyMeant(context, name, text, 'places');
    case 'time':
      return TE.fromEither(timeIn(name, text));
    case 'duration':
      return TE.right(text);
    case 'number':
      return /^-?\d{1,9}$/.test(text)
        ? TE.right(Number(text))
        : TE.left(refused(name, 'is no whole number'));
    case 'text':
      return TE.right(text === '' && isOptional(parameter) ? null : text);
    case 'texts': {
      const texts = text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');
      return TE.right(texts.length === 0 ? null : texts);
    }
  }
};

/** A saved query with the values of an address, as somebody with a key sends it. */
export interface AskedQuestion {
  readonly saved: SavedQuery;
  /** Plain JSON (docs/api.md: Saved queries). */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query: Query;
}

/** A page names its parameters in the address. */
const inAddress = (failure: Failure): Failure =>
  failure._tag === 'Invalid'
    ? invalid(failure.message, {
        problems: failure.problems.map((problem) => ({
          ...problem,
          pointer: problem.pointer.replace(/^\/parameters/, ''),
        })),
        total: failure.total,
      })
    : failure;

/** The saved query of an address with its values, if somebody with a role may run it. */
export const savedQuestion = (
  context: Context,
  asked: AskedSaved,
  role: Role | null,
): TE.TaskEither<Failure, AskedQuestion> =>
  pipe(
    TE.fromEither(savedQueryFor(asked.query ?? '', role)),
    TE.bindTo('saved'),
    TE.bind('parameters', ({ saved }) =>
      pipe(
        saved.parameters,
        TE.traverseSeqArray((parameter) =>
          pipe(
            valueOf(context, parameter, asked[parameter.name] ?? ''),
            TE.map((value) => [parameter.name, value] as const),
          ),
        ),
        TE.map((values): Readonly<Record<string, unknown>> => Object.fromEntries(values)),
      ),
    ),
    TE.bind('query', ({ saved, parameters }) =>
      TE.fromEither(E.mapLeft(inAddress)(inCypher(saved, parameters))),
    ),
  );
