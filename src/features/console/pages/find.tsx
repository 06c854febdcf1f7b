import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type { EntityList, Entity } from '../../../contract/answers/questions/entities';
import type { Context } from '../../../context';
import { flagText, isTrue, oneText } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import type { Answered } from '../asking/ask';
import { areOneHuman, type Meant, meantByName } from '../asking/meant';
import { askEntity } from '../asking/person';
import { askAllOf, findNamed } from '../asking/search';
import {
  allChangesIn,
  type Lookup,
  lookupIn,
  permissionMeant,
  type Sentence,
  sentenceIn,
} from '../words/sentence';
import {
  address,
  changesAddress,
  entityAddress,
  PATHS,
  personAddress,
  resourceAddress,
  whyAddress,
} from '../frame/address';
import { type Page, page, type Shown } from '../frame/page';
import type { FindFindings } from '../overview/finding';
import { AskedBy } from '../parts/asked';
import { Name } from '../parts/name';
import { FoundEntity } from '../parts/found';
import { Alike, Choice, choiceOf, likeMissing, Missing } from '../finding/choice';
import { hasMembers, kindsOf, KINDS } from '../frame/kinds';
import {
  type GoneList as ListOfGone,
  NOTHING_GONE,
  readGone,
  readGoneNamed,
  readNamesLike,
} from '../overview/gone';
import { PageOf } from '../tables/sorting';
import { Overview, readNews } from './find/news';
import { EndedLast, GoneList } from './gone';

/** Results of one kind. */
interface ResultsOfKind {
  readonly title: string;
  readonly label: string;
  readonly entities: readonly Entity[];
}

/** Results by kind: people first, what has no page last. */
const resultsOf = (found: readonly Entity[]): readonly ResultsOfKind[] => {
  const labels = new Set([...KINDS, ...found].map(({ label }) => label));
  return [...labels]
    .map((label) => ({
      label,
      title: kindsOf(label),
      entities: found.filter((entity) => entity.label === label),
    }))
    .filter(({ entities }) => entities.length > 0);
};

const QUERY = struct(
  'the query of Find',
  {},
  {
    q: oneText,
    kind: oneText,
    anywhere: flagText,
    ended: flagText,
    resource: oneText,
    question: flagText,
    page: oneText,
  },
);

/** The questions that Find answers, as examples, and what their answers show. */
const QUESTIONS: readonly (readonly [question: string, about: string])[] = [
  ['who can write motor-control', 'the people of a resource or application who can'],
  ['who has access to motor-control', 'all of its people'],
  ['who is privileged on motor-control', 'those of them who are, or: inactive people, guests, …'],
  ['ann can write motor-control', 'through what she can'],
  ['what can ann do', 'all that she reaches'],
  ['who is in editors', 'the members of a group or role'],
  ['changes of ann since monday', 'what she gained and lost'],
];
const QUESTIONS_ABOUT_ALL: typeof QUESTIONS = [
  ['changes since monday', 'what everybody gained and lost'],
  ['who gained access this week', 'who can do more than seven days ago'],
];

const Box = ({ q }: { readonly q: string }): JSX.Element => (
  <form role="search" action={PATHS.find} method="get" class="find">
    <label for="q">A person, account, group, role, resource or application</label>
    <div>
      <input
        type="search"
        id="q"
        name="q"
        value={q}
        autofocus={q === ''}
        data-suggest={PATHS.suggestions}
      />
      <button>Find</button>
    </div>
    <p class="hint">
      Part of a name, an email or an id; or a question:{' '}
      {QUESTIONS.map(([question], at) => (
        <span key={question}>
          {at === 0 ? '' : ', '}
          <q>{question}</q>
        </span>
      ))}
      .
    </p>
  </form>
);

/** What a search found, and whether it looked within names too. */
interface SearchResult {
  readonly found: Answered<EntityList>;
  readonly isWithin: boolean;
  /** What had the text in its name, if nothing has it now, or if somebody asks for it. */
  readonly gone: ListOfGone;
  /** Names that differ little from the text, if nothing has it in its name or had it. */
  readonly alike: readonly string[];
}

/** What is gone and had this key, or this text in its name; of one kind, and without what was found. */
const goneNamed = (
  context: Context,
  q: string,
  label = '',
  found: readonly string[] = [],
): TE.TaskEither<Failure, ListOfGone> =>
  q.includes('|')
    ? pipe(
        readGone(context, q),
        TE.map((gone) =>
          gone.filter((each) => (label === '' || each.label === label) && !found.includes(each.id)),
        ),
        TE.map((values) => ({ ...NOTHING_GONE, values })),
      )
    : readGoneNamed(context, q, { label, found });

/** Names that begin with a text; or, if there are none or somebody asks for it, those that have it. */
const search = (
  context: Context,
  q: string,
  kind: string,
  anywhere: boolean,
): TE.TaskEither<Failure, SearchResult> => {
  const sought = (how: 'within' | 'beginning'): TE.TaskEither<Failure, SearchResult> =>
    pipe(
      findNamed(context, q, how, { label: kind }),
      TE.map((found) => ({ found, isWithin: how === 'within', gone: NOTHING_GONE, alike: [] })),
    );
  const otherwise = (nothing: SearchResult): TE.TaskEither<Failure, SearchResult> =>
    pipe(
      TE.Do,
      TE.bind('gone', () => goneNamed(context, q, kind)),
      TE.bind('alike', ({ gone }) =>
        gone.values.length > 0 ? TE.right([]) : readNamesLike(context, q),
      ),
      TE.map((instead) => ({ ...nothing, ...instead })),
    );
  const within = pipe(
    sought('within'),
    TE.flatMap((last) => (last.found.answer.total > 0 ? TE.right(last) : otherwise(last))),
  );
  if (anywhere) return within;
  return pipe(
    sought('beginning'),
    TE.flatMap((first) => (first.found.answer.total > 0 ? TE.right(first) : within)),
  );
};

const statusOf = ({ found: { answer }, isWithin }: SearchResult): string => {
  const { total, has_more, values } = answer;
  if (total === 0) return 'Nothing has this in its name now.';
  const first = has_more ? ` The first ${values.length} by name are below.` : '';
  return `${total} found${isWithin ? '' : ' that begin with this'}.${first} `;
};

/** The same result, and what else had the text in its name among what ended last. */
const withEnded = (
  context: Context,
  q: string,
  kind: string,
  of: SearchResult,
): TE.TaskEither<Failure, SearchResult> =>
  pipe(
    goneNamed(
      context,
      q,
      kind,
      of.found.answer.values.map(({ id }) => id),
    ),
    TE.map((gone) => ({ ...of, gone })),
  );

/** Says that a search looked at what ended too and found nothing there, or leads to such a search. */
const EndedToo = ({
  address: href,
  isAsked,
  gone: { values, lookedSince },
}: {
  readonly address: string;
  readonly isAsked: boolean;
  readonly gone: ListOfGone;
}): JSX.Element | null => {
  if (!isAsked) return <a href={href}>Search what ended last too</a>;
  return values.length > 0 ? null : (
    <>
      Nothing else of <EndedLast since={lookedSince} /> had it in its name.
    </>
  );
};

/** Leads from what is called like a question to its answer. */
const AskInstead = ({ q }: { readonly q: string }): JSX.Element => (
  <p class="note">
    Something is called <Name>{q}</Name>. It reads like a question, too:{' '}
    <a href={address(PATHS.find, { q, question: 'true' })}>answer the question</a>
  </p>
);

/** What Find took a text for that nothing has, and what else it answers. */
const Understood = ({
  q,
  since,
}: {
  readonly q: string;
  readonly since: string | null;
}): JSX.Element => (
  <section aria-labelledby="understood">
    <h2 id="understood">What Find understood</h2>
    <p>
      It looked for <Name>{q}</Name> within names, emails, paths and ids of what exists, and in
      names of <EndedLast since={since} />. It understood no question.
    </p>
    <p>These are questions that it answers. Write names that exist:</p>
    <ul>
      {[...QUESTIONS, ...QUESTIONS_ABOUT_ALL].map(([question, about]) => (
        <li key={question}>
          <q>{question}</q>: {about}
        </li>
      ))}
    </ul>
  </section>
);

const Results = ({
  q,
  kind,
  of,
  hasEnded,
}: {
  readonly q: string;
  readonly kind: string;
  readonly of: SearchResult;
  /** Whether somebody asked for what ended too. */
  readonly hasEnded: boolean;
}): JSX.Element => {
  const { isWithin } = of;
  const { answer, shown } = of.found;
  const anywhere = isWithin ? 'true' : '';
  const { values, total } = answer;
  const groups = resultsOf(values);
  return (
    <>
      <p role="status">
        {statusOf(of)}
        {isWithin ? null : (
          <a href={address(PATHS.find, { q, kind, anywhere: 'true' })}>
            Search within names, emails and ids too
          </a>
        )}{' '}
        {kind === '' ? null : <a href={address(PATHS.find, { q, anywhere })}>Show all kinds</a>}{' '}
        {total === 0 ? null : (
          <EndedToo
            address={address(PATHS.find, { q, kind, anywhere, ended: 'true' })}
            isAsked={hasEnded}
            gone={of.gone}
          />
        )}
      </p>
      {groups.map(({ title, label, entities }) => (
        <section key={title} aria-labelledby={`kind-${label}`}>
          <h2 id={`kind-${label}`}>
            {title} <span class="count">{entities.length}</span>
          </h2>
          <ul class="found">
            {entities.map((entity) => (
              <FoundEntity key={entity.id} of={entity} />
            ))}
          </ul>
          {answer.has_more && kind === '' ? (
            <p>
              <a href={address(PATHS.find, { q, kind: label, anywhere })}>
                Only {title.toLowerCase()}
              </a>
            </p>
          ) : null}
        </section>
      ))}
      <Alike of={of.alike} addressWith={(name) => address(PATHS.find, { q: name })} />
      <GoneList of={of.gone} />
      {total === 0 && of.gone.values.length === 0 ? (
        <Understood q={q} since={of.gone.lookedSince} />
      ) : null}
      {total === 0 ? null : <AskedBy of={shown} />}
    </>
  );
};

/** Where a sentence leads with another name at its beginning, or at its end. */
const findAddress = (q: string): string => address(PATHS.find, { q });
const startingWith = (q: string, who: string) => (name: string) =>
  findAddress(`${name}${q.slice(who.length)}`);
const endingWith = (q: string, resource: string) => (name: string) =>
  findAddress(`${q.slice(0, q.length - resource.length)}${name}`);

/** What a reader may have meant by a sentence in which a name fits several things, or none. */
const Unclear = ({
  q,
  who,
  resource,
  whom,
  what,
  alike,
  question,
}: {
  readonly q: string;
  readonly who: string;
  readonly resource: string;
  readonly whom: Meant;
  readonly what: Meant;
  readonly alike: readonly string[];
  readonly question: Readonly<Record<string, string>>;
}): JSX.Element => {
  const [people, places] = [whom.found, what.found];
  const [place] = places;
  if (people.length === 0) {
    const addressWith = startingWith(q, who);
    const understood = 'through what somebody can do something';
    return <Missing of={whom} called={who} none="Nobody" {...{ alike, addressWith, understood }} />;
  }
  if (place === undefined) {
    const addressWith = endingWith(q, resource);
    const understood = 'through what somebody can do something';
    return (
      <Missing
        {...{ of: what, called: resource, alike, addressWith, understood }}
        none="No resource"
      />
    );
  }
  if (places.length > 1 || what.isCut) {
    // A choice of the resource asks again, so that whom the name means is decided then.
    return (
      <Choice
        legend={choiceOf('Which resource?', what)}
        of={places}
        addressOf={({ id }) => address(PATHS.find, { q, resource: id })}
      />
    );
  }
  return (
    <Choice
      legend={choiceOf('Who?', whom)}
      of={people}
      addressOf={({ id }) => whyAddress({ ...question, principal: id, resource: place.id })}
    />
  );
};

/** The resource of a choice, or what a name means. */
const placesOf = (context: Context, name: string, chosen: string): TE.TaskEither<Failure, Meant> =>
  chosen === ''
    ? meantByName(context, name, 'places')
    : pipe(
        askEntity(context, { id: chosen, at: '' }),
        TE.map((entity): Meant => ({ found: [entity], isCut: false, isExact: true })),
      );

const shownOfFind = (q: string, body: JSX.Element): Shown => ({
  title: 'Find',
  body: (
    <>
      <h1>Find</h1>
      <Box q={q} />
      {body}
    </>
  ),
});

/** Where the question who can leads: to the people of the resource, or to a choice of resources. */
const answeredWho = (
  context: Context,
  q: string,
  { what: verb, resource, mark }: Sentence,
  chosen: string,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    placesOf(context, resource, chosen),
    TE.bindTo('what'),
    TE.bind('alike', ({ what }) => likeMissing(context, resource, what)),
    TE.map(({ what, alike }): Shown => {
      const [place, another] = what.found;
      const addressWith = endingWith(q, resource);
      const addressOf = ({ id }: { readonly id: string }): string =>
        resourceAddress(id, { ...permissionMeant(verb, true), mark });
      if (place === undefined)
        return shownOfFind(
          q,
          <Missing
            {...{ of: what, called: resource, alike, addressWith }}
            none="No resource"
            understood="who can do something"
          />,
        );
      return another === undefined && !what.isCut
        ? { leadsTo: addressOf(place) }
        : shownOfFind(
            q,
            <Choice
              legend={choiceOf('Which resource?', what)}
              of={what.found}
              addressOf={addressOf}
            />,
          );
    }),
  );

/** Where a question about somebody leads: to the page that answers it, or to a choice of whom it means. */
const answerOf = (
  context: Context,
  q: string,
  { name, answer, since }: Lookup,
): TE.TaskEither<Failure, Shown> => {
  // That page asks who is meant.
  if (answer === 'changes') {
    return TE.right({ leadsTo: changesAddress({ principal: name, since, list: 'true' }) });
  }
  const ofMembers = answer === 'members';
  return pipe(
    TE.Do,
    TE.bind('meant', () =>
      pipe(
        meantByName(context, name, 'people'),
        TE.map((meant): Meant => {
          const groups = meant.found.filter(({ label }) => hasMembers(label));
          return ofMembers && groups.length > 0 ? { ...meant, found: groups } : meant;
        }),
      ),
    ),
    TE.bind('isOne', ({ meant: { found, isCut } }) =>
      isCut || found.length === 0
        ? TE.right(false)
        : areOneHuman(
            context,
            found.map(({ id }) => id),
          ),
    ),
    TE.bind('gone', ({ meant: { found, isCut } }) =>
      found.length === 0 && !isCut
        ? goneNamed(context, name)
        : TE.right<Failure, ListOfGone>(NOTHING_GONE),
    ),
    TE.bind('alike', ({ meant, gone }) =>
      gone.values.length > 0 ? TE.right([]) : likeMissing(context, name, meant),
    ),
    TE.map(({ meant, meant: { found }, isOne, gone, alike }): Shown => {
      const [first] = found;
      if (first === undefined) {
        const at = q.lastIndexOf(name);
        const addressWith = (other: string): string =>
          findAddress(q.slice(0, at) + other + q.slice(at + name.length));
        const understood = ofMembers ? 'who is in something' : 'what somebody can do';
        return shownOfFind(
          q,
          <>
            <Missing
              of={meant}
              called={name}
              none="Nobody"
              {...{ alike, addressWith, understood }}
            />
            <GoneList of={gone} />
          </>,
        );
      }
      const addressOf = ({ id }: { readonly id: string }): string =>
        personAddress(id, { view: ofMembers ? 'members' : '' });
      return isOne
        ? { leadsTo: addressOf(first) }
        : shownOfFind(
            q,
            <Choice legend={choiceOf('Who?', meant)} of={found} addressOf={addressOf} />,
          );
    }),
  );
};

/** Where a sentence leads: to the answer, or to a choice of what it means. */
const answered = (
  context: Context,
  q: string,
  sentence: Sentence & { readonly who: string },
  chosen: string,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    TE.Do,
    TE.bind('whom', () => meantByName(context, sentence.who, 'people')),
    TE.bind('what', () => placesOf(context, sentence.resource, chosen)),
    TE.let('question', () => ({ person: 'true', ...permissionMeant(sentence.what) })),
    TE.bind('isPlain', ({ whom, what }) => {
      const [place, another] = what.found;
      const isOpen = whom.isCut || what.isCut || another !== undefined || place === undefined;
      if (isOpen || whom.found.length === 0) return TE.right(false);
      const ids = whom.found.map(({ id }) => id);
      return areOneHuman(context, ids);
    }),
    TE.bind('alike', ({ whom, what }) =>
      whom.found.length === 0
        ? likeMissing(context, sentence.who, whom)
        : likeMissing(context, sentence.resource, what),
    ),
    TE.map(({ whom, what, question, isPlain, alike }): Shown => {
      const principal = whom.found.map(({ id }) => id);
      const resource = what.found[0]?.id ?? '';
      if (isPlain) return { leadsTo: whyAddress({ ...question, principal, resource }) };
      const { who, resource: called } = sentence;
      return shownOfFind(
        q,
        <Unclear {...{ q, who, whom, what, alike, question }} resource={called} />,
      );
    }),
  );

/** All of one kind by name, to which the numbers of the overview lead. */
const allOf = (context: Context, kind: string, token: string): TE.TaskEither<Failure, Shown> =>
  pipe(
    askAllOf(context, kind, token),
    TE.map(({ answer, shown }): Shown => ({
      title: kindsOf(kind),
      body: (
        <>
          <h1>
            {kindsOf(kind)} <span class="count">{answer.total.toLocaleString('en')}</span>
          </h1>
          <Box q="" />
          {answer.total === 0 ? <p role="status">There are none now.</p> : null}
          <ul class="found">
            {answer.values.map((entity) => (
              <FoundEntity key={entity.id} of={entity} />
            ))}
          </ul>
          <PageOf
            of={answer}
            isFirst={token === ''}
            by={{ path: PATHS.find, parameters: { kind }, sort: '' }}
          />
          <AskedBy of={shown} />
        </>
      ),
    })),
  );

/**
 * Finds people, groups, roles and resources by their names, and answers a sentence. Without a text it is
 * the overview, which has the findings of all features.
 */
export const findWith = (findings: readonly FindFindings[]): Page =>
  page({
    path: PATHS.find,
    summary: 'Finds people, accounts, groups, roles, resources and applications by name.',
    link: { name: 'Overview', key: 'o' },
    readers: 'role',
    query: QUERY,
    show: ({ context, query, reader }) => {
      const [q, kind] = [(query.q ?? '').trim(), query.kind ?? ''];
      const hasEnded = isTrue(query.ended);
      const top = (
        <>
          <h1>Find</h1>
          <Box q={q} />
        </>
      );
      if (q === '' && kind !== '') return allOf(context, kind, query.page ?? '');
      if (q === '') {
        return pipe(
          readNews(context, reader, findings),
          TE.map((news): Shown => ({
            title: 'Overview',
            body: (
              <>
                <h1>Overview</h1>
                <Box q={q} />
                <Overview of={news} administers={reader.administers} />
              </>
            ),
          })),
        );
      }
      const sentence = sentenceIn(q);
      const byName = (isCalledSo: boolean): TE.TaskEither<Failure, Shown> =>
        pipe(
          search(context, q, kind, isTrue(query.anywhere)),
          TE.flatMap((of) =>
            hasEnded && of.found.answer.total > 0 ? withEnded(context, q, kind, of) : TE.right(of),
          ),
          TE.map((of): Shown => {
            const [only, another] = of.found.answer.values;
            const isOne = of.isWithin && !hasEnded && only !== undefined && another === undefined;
            const href = isOne && !isCalledSo ? entityAddress(only) : null;
            if (href !== null) return { leadsTo: href };
            return {
              title: `${q}: Find`,
              body: (
                <>
                  {top}
                  {isCalledSo ? <AskInstead q={q} /> : null}
                  <Results {...{ q, kind, of, hasEnded }} />
                </>
              ),
            };
          }),
        );
      // A name may read like a question, and nobody could find it if the question came first.
      const unlessCalledSo = (answer: TE.TaskEither<Failure, Shown>): typeof answer =>
        pipe(
          findNamed(context, q, 'exactly', { size: 1 }),
          TE.flatMap(({ answer: { total } }) => (total > 0 ? byName(true) : answer)),
        );
      const allChanges = allChangesIn(q);
      if (allChanges !== null) {
        const list = TE.right<Failure, Shown>({
          leadsTo: changesAddress({ ...allChanges, list: 'true' }),
        });
        return isTrue(query.question) ? list : unlessCalledSo(list);
      }
      const lookup = lookupIn(q);
      if (lookup !== null) {
        const found = answerOf(context, q, lookup);
        return isTrue(query.question) ? found : unlessCalledSo(found);
      }
      if (sentence === null) return byName(false);
      const { who } = sentence;
      const chosen = query.resource ?? '';
      const answer =
        who === null
          ? answeredWho(context, q, sentence, chosen)
          : answered(context, q, { ...sentence, who }, chosen);
      if (isTrue(query.question) || chosen !== '') return answer;
      return unlessCalledSo(answer);
    },
  });
