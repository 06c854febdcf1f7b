import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { QueryAnswer } from '../../../questions/endpoints';
import { isTrue } from '../../../contract/parameters/query-parameters';
import { type ParameterType, typeOf } from '../../../kit/values';
import { savedQueries } from '../../../kit/saved-queries';
import { nameOf, type SavedQuery } from '../../../kit/saved-query';
import type { Parameter } from '../../../kit/values';
import type { Failure } from '../../../problem';
import { interfaceOf, mayRun, savedQueryFor } from '../../../questions/contract';
import { type MissingName, missingNames } from '../asking/missing-names';
import {
  ASK_QUERY,
  type AskedQuestion,
  type AskedSaved,
  exampleOf,
  savedQuestion,
} from '../asking/saved';
import { address, CSV_ADDRESSES, PATHS } from '../frame/address';
import { Alike } from '../finding/choice';
import { page, type Shown } from '../frame/page';
import { waysOfRows } from '../map/answer-ways';
import { pathMap } from '../map/layout';
import { Picture } from '../map/path-map';
import { AskedInCypher } from '../parts/asked';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { RowTable, SHOWN_ROWS } from '../tables/row-table';

const PATH = PATHS.ask;

const HINTS: Readonly<Record<ParameterType, string>> = {
  'key of who': 'A name, an email or a key.',
  'key of what': 'A name, a path or a key.',
  time: 'A date, a time, or now.',
  duration: 'Such as P7D for seven days.',
  number: 'A whole number.',
  texts: 'Several with commas between them; empty: all.',
  text: '',
};

const List = ({ of }: { readonly of: readonly SavedQuery[] }): JSX.Element => {
  const topics = [...new Set(of.map(({ topic }) => topic))];
  return (
    <>
      {topics.map((topic) => (
        <section key={topic} aria-labelledby={`topic-${topic}`}>
          <h2 id={`topic-${topic}`}>{topic}</h2>
          <ul class="found">
            {of
              .filter((query) => query.topic === topic)
              .map((query) => (
                <li key={query.name}>
                  <a href={address(PATH, { query: nameOf(query) })}>{query.title}</a>
                  <span class="apart">{query.question}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
};

const Field = ({ of, value }: { readonly of: Parameter; readonly value: string }): JSX.Element => {
  const type = typeOf(of);
  return (
    <p>
      <label for={`p-${of.name}`}>{of.name.replaceAll('_', ' ')}</label>
      <input
        id={`p-${of.name}`}
        name={of.name}
        value={value}
        inputMode={type === 'number' ? 'numeric' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`h-${of.name}`}
      />
      <span class="hint" id={`h-${of.name}`}>
        {of.doc.replace(/; the example finds one by its name$/, '')}. {HINTS[type]}
      </span>
    </p>
  );
};

const Form = ({
  of,
  asked,
}: {
  readonly of: SavedQuery;
  readonly asked: AskedSaved;
}): JSX.Element => (
  <form class="ask" method="get" action={PATH} aria-label="The values of the query">
    <input type="hidden" name="query" value={nameOf(of)} />
    <input type="hidden" name="run" value="true" />
    {of.parameters.map((parameter) => (
      <Field
        key={parameter.name}
        of={parameter}
        value={isTrue(asked.run) ? (asked[parameter.name] ?? '') : exampleOf(parameter)}
      />
    ))}
    <button>Ask</button>
  </form>
);

/** The paths of an answer as a picture, if it has any. */
const PictureOf = ({ rows }: { readonly rows: QueryAnswer['rows'] }): JSX.Element | null => {
  const ways = waysOfRows(rows.slice(0, SHOWN_ROWS));
  const map = pathMap(ways);
  if (map.shown === 0) return null;
  return (
    <>
      <Picture of={map} />
      {map.shown === ways.length ? null : (
        <p>
          The picture has {map.shown} of {counted(ways.length, 'way')}, the shortest first. The rows
          have the others.
        </p>
      )}
    </>
  );
};

/** Says which values are names of nothing, and offers names that exist. */
const Missing = ({
  of,
  asked,
}: {
  readonly of: readonly MissingName[];
  readonly asked: AskedSaved;
}): JSX.Element => (
  <>
    {of.map(({ parameter, name, kind, alike }) => (
      <div key={parameter} class="note warn" role="status">
        <p>
          No {kind} is called <Name>{name}</Name>.
        </p>
        <Alike of={alike} addressWith={(like) => address(PATH, { ...asked, [parameter]: like })} />
      </div>
    ))}
  </>
);

const Answer = ({
  of,
  missing,
  question,
  asked,
}: {
  readonly of: QueryAnswer;
  readonly missing: readonly MissingName[];
  readonly question: AskedQuestion;
  readonly asked: AskedSaved;
}): JSX.Element => (
  <>
    <p role="status">
      {of.rows.length === 0 ? 'No rows.' : `${counted(of.rows.length, 'row')}.`}
      {of.truncated ? ' There are more: narrow the question.' : ''}
    </p>
    <Missing of={missing} asked={asked} />
    {of.rows.length > 0 && (asked.query ?? '').startsWith('access/') ? (
      <p class="hint">
        Rows are no people: somebody has a row for each of their users, identities and accounts. The
        page of a resource counts people.
      </p>
    ) : null}
    {of.rows.length === 0 ? null : (
      <>
        <PictureOf rows={of.rows} />
        <RowTable of={of} />
        <p class="asked">
          <a href={address(CSV_ADDRESSES.query, asked)}>All rows as CSV</a>
        </p>
      </>
    )}
    <AskedInCypher of={question} />
  </>
);

const head = (saved: SavedQuery, asked: AskedSaved): JSX.Element => (
  <>
    <h1>{saved.title}</h1>
    <p class="subtitle">
      {saved.question} <a href={PATH}>All saved queries</a>
    </p>
    <p class="hint">{saved.rows}</p>
    <Form of={saved} asked={asked} />
  </>
);

/** Values that a query cannot use: the form is shown again, with what is wrong. */
const orFaults =
  (saved: SavedQuery, asked: AskedSaved) =>
  (failure: Failure): TE.TaskEither<Failure, Shown> =>
    failure._tag !== 'Invalid'
      ? TE.left(failure)
      : TE.right({
          title: saved.title,
          body: (
            <>
              {head(saved, asked)}
              <div class="note warn" role="alert">
                <ul>
                  {failure.problems.map(({ pointer, code, message }) => (
                    <li key={pointer}>
                      <Name>{`${pointer.slice(1).replaceAll('_', ' ')} ${message}`.trim()}</Name>
                      {code === 'UNKNOWN_ENTITY' || code === 'AMBIGUOUS_REFERENCE' ? (
                        <>
                          {'. '}
                          <a href={address(PATHS.find, { q: asked[pointer.slice(1)] })}>
                            Search for it
                          </a>
                        </>
                      ) : null}
                    </li>
                  ))}
                </ul>
              </div>
            </>
          ),
        });

/** Saved queries as forms, and their rows as tables. */
export const ask = page({
  path: PATH,
  summary: 'Saved queries as forms, and their rows as a table.',
  link: { name: 'Ask', key: 'a' },
  readers: 'role',
  query: ASK_QUERY,
  show: ({ context, query, reader: { role } }) => {
    const asked: AskedSaved = query;
    if (!asked.query) {
      return TE.right({
        title: 'Ask',
        body: (
          <>
            <h1>Ask</h1>
            <p>Each of these is a question with values of your own.</p>
            <List of={savedQueries().filter((saved) => mayRun(saved, role))} />
          </>
        ),
      });
    }
    const found = savedQueryFor(asked.query, role);
    if (E.isLeft(found)) return TE.left(found.left);
    const saved = found.right;
    if (saved.parameters.length > 0 && !isTrue(asked.run)) {
      return TE.right({ title: saved.title, body: head(saved, asked) });
    }
    return pipe(
      savedQuestion(context, asked, role),
      TE.bindTo('question'),
      TE.bind('answer', ({ question }) => interfaceOf(context).query(question.query)),
      TE.bind('missing', ({ answer: { value } }) =>
        value.rows.length > 0
          ? TE.right<Failure, readonly MissingName[]>([])
          : missingNames(context, saved, asked),
      ),
      TE.map(({ question, missing, answer: { value } }): Shown => ({
        title: saved.title,
        body: (
          <>
            {head(saved, asked)}
            <Answer of={value} {...{ missing, question, asked }} />
          </>
        ),
      })),
      TE.orElse(orFaults(saved, asked)),
    );
  },
});
