import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { struct } from '../../../codec/struct';
import type { Entity } from '../../../contract/answers/questions/entities';
import { oneText } from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { Sent } from '../../../web/exchange/answer-stream';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { page, READERS } from '../../sign-in/contract';
import { findNamed } from '../asking/search';
import { address, entityAddress, PATHS } from '../frame/address';
import { byKind, kindOf, PEOPLE, PLACES } from '../frame/kinds';
import { sendPage } from '../frame/send-page';
import { From, Name } from '../parts/name';
import { beginningIn } from '../words/sentence';

const QUERY = struct('the query of suggestions', {}, { q: oneText });

/** A shorter text begins too many names. */
const SHORTEST = 2;
/** A longer one is no name that somebody is still writing. */
const LONGEST = 100;
const OFFERED = 8;
/** How many entities that begin with the text are read, so that people come before what has no page. */
const READ = 40;

/** Something that somebody may mean, and where it leads. */
interface Suggestion {
  readonly entity: Entity;
  /** What the words of a question are before and after its name; empty: it is no question. */
  readonly before: string;
  readonly after: string;
  readonly href: string;
}

/** What begins with the last name in a text: it, or the question about it. */
const suggestionsOf = (
  context: Context,
  text: string,
): TE.TaskEither<Failure, readonly Suggestion[]> => {
  const question = beginningIn(text);
  const name = question?.name ?? text;
  if (name.length < SHORTEST || text.length > LONGEST) return TE.right([]);
  const labels = question === null ? [...PEOPLE, ...PLACES] : question.isPlace ? PLACES : PEOPLE;
  return pipe(
    findNamed(context, name, 'beginning', { size: READ }),
    TE.map(({ answer }) => {
      const found = answer.values.filter(({ label }) => labels.includes(label)).toSorted(byKind);
      const suggested = found.flatMap((entity): readonly Suggestion[] => {
        const [before, after] = [question?.before ?? '', question?.after ?? ''];
        const href =
          question === null
            ? entityAddress(entity)
            : address(PATHS.find, { q: `${before}${entity.name}${after}` });
        return href === null ? [] : [{ entity, before, after, href }];
      });
      // Find asks who is meant if a name means several, so a question is there once.
      return [...new Map(suggested.map((each) => [each.href, each])).values()].slice(0, OFFERED);
    }),
  );
};

/** A resource is found by its path too. */
const calledBy = ({ label, name, properties: { path } }: Entity, before: string): string =>
  label === 'Resource' && before === '' && typeof path === 'string' && path !== '' ? path : name;

const Suggested = ({
  of: { entity, before, after, href },
  at,
}: {
  readonly of: Suggestion;
  readonly at: number;
}): JSX.Element => (
  <li role="option" id={`suggestion-${at}`} aria-selected="false" data-href={href}>
    {before}
    <Name>{calledBy(entity, before)}</Name>
    {after}
    {before === '' ? (
      <>
        <span class="kind"> {kindOf(entity.label)}</span>
        <From of={entity} />
      </>
    ) : null}
  </li>
);

/**
 * What Find suggests while somebody types, for the script of the page: options of a list. It is a
 * question as others are, with its turn and its deadline, and it ends when the browser leaves it.
 */
export const suggestionRoute = ({ question }: Pick<Web, 'question'>, context: Context): Route =>
  page({
    path: PATHS.suggestions,
    summary: 'What begins with a text, for the suggestions of Find.',
    people: READERS,
    query: QUERY,
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(QUERY, req)),
        TE.flatMap(({ q }) => suggestionsOf(context, (q ?? '').trimStart())),
        TE.flatMapTask((found) => async () => {
          const options = found.map((each, at) => <Suggested key={at} of={each} at={at} />);
          await sendPage(res, renderToString(<>{options}</>), []);
          return new Sent();
        }),
      ),
    ),
  });
