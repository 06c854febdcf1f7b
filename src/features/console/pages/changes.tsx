import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import { choice, flagText, isTrue, oneText } from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { type Answered } from '../asking/ask';
import { askCountedParts, type CountedParts } from '../changes/counted-parts';
import {
  askEverybodysChanges,
  type BeforeHistory,
  type Filtered,
  orBeforeHistory,
  timeOf,
} from '../asking/changes';
import { pushNamed } from '../asking/moment';
import { askEntity } from '../asking/person';
import { applicationId, changesAddress, PATHS, sourceOfKey } from '../frame/address';
import { PLACES } from '../frame/kinds';
import { page, type Shown } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import {
  type DayOfChanges,
  nameOfSource,
  type PushOfSource,
  readChangesByDay,
  readChangingPushes,
  readSources,
  type SourceOfProvider,
  type TimeOfPushes,
} from '../overview/overview';
import { orTooLarge } from '../asking/too-large';
import { orUnclear, UnclearFilter, type UnclearName } from '../finding/choice';
import { type UnknownName, unknownNames } from '../asking/unknown-names';
import { Answer } from '../parts/answer';
import { AskedBy } from '../parts/asked';
import { EntityHead } from '../parts/entity-head';
import { Time } from '../parts/time';
import { ByDay, hasBars } from '../parts/by-day';
import { PermissionsOf } from '../changes/changed-people';
import { PageOfChanges } from '../changes/page-of-changes';
import { OfOtherParts, PartsOfTime } from '../changes/parts-of-time';
import {
  ChangesInWords,
  permissionsIn,
  PushesInWords,
  uncountedIn,
} from '../changes/changes-answer';
import { ChangingPushes } from '../sources/changing-pushes';
import { Pusher, PushLink } from '../sources/pushes';
import { SourceLink } from '../sources/source-head';
import { isNarrowed, NothingMatches } from '../tables/narrowing';
import { Filters, SOURCES_OFFERED } from './changes/filters';
import { ResourceViews } from './resource/views';
import { ChangeTable } from '../tables/change-table';
import { PageOf } from '../tables/sorting';

const QUERY = struct(
  'the query of Changes',
  {},
  {
    since: oneText,
    until: oneText,
    push: oneText,
    principal: oneText,
    resource: oneText,
    contents: flagText,
    application: oneText,
    data_source: oneText,
    change: choice('change', ['gained', 'lost']),
    list: oneText,
    page: oneText,
  },
);

const PATH = PATHS.changes;
const USUAL_DAYS = 7;
const PUSHES_SHOWN = 20;
/** Up to so many changes are listed unasked. */
const LISTED_UNASKED = 2_000;
/**
 * Up to so many are counted in people unasked: that needs some 0.2 s (docs/performance.md). The largest
 * pushes are left out if there are more.
 */
const COUNTED_UNASKED = 50_000;

/** The push that a page is about: when, by whom, and to which data source. */
const OfPush = ({ of: { push, ...to } }: { readonly of: PushOfSource }): JSX.Element => (
  <p class="subtitle">
    By the push of <PushLink of={push} source={to.sourceId} /> to{' '}
    <SourceLink
      of={{ source: { id: to.sourceId, name: to.source }, provider: { name: to.provider } }}
    />
    {push.by === null ? null : (
      <>
        , sent by <Pusher of={push.by} />
      </>
    )}
    .
  </p>
);

/** Whether the pushes of some days are counted, and changed at most so many permissions. */
const isCountedUpTo = (most: number, days: readonly DayOfChanges[]): boolean => {
  const { gained, lost } = permissionsIn(days);
  return uncountedIn(days) === 0 && gained + lost <= most;
};

const ByPush = ({ of }: { readonly of: readonly PushOfSource[] }): JSX.Element | null =>
  of.length === 0 ? null : (
    <section aria-labelledby="by-push">
      <h2 id="by-push">By push</h2>
      <ChangingPushes of={of} />
      {of.length < PUSHES_SHOWN ? null : (
        <p class="hint">The newest {PUSHES_SHOWN} pushes. Choose a day above to see others.</p>
      )}
    </section>
  );

type Listed = Answered<AccessChangeList> | UnclearName | BeforeHistory | string | null;

const isAnswer = (listed: Listed): listed is Answered<AccessChangeList> =>
  listed !== null && typeof listed !== 'string' && 'answer' in listed;

const isBefore = (listed: Listed): listed is BeforeHistory =>
  listed !== null && typeof listed !== 'string' && 'begins' in listed;

/** The answer of the page. It has none while it asks who or what is meant. */
const AnswerOf = ({
  list,
  people,
  parts,
  days,
  time,
  change,
}: {
  readonly list: Listed;
  /** The change to which the page is narrowed, if it is. */
  readonly change: string | undefined;
  /** The counts of a list that nobody has asked for. */
  readonly people: Listed;
  /** The counts of parts of the time, if too much changed in all of it. */
  readonly parts: CountedParts | null;
  readonly days: readonly DayOfChanges[];
  readonly time: TimeOfPushes;
}): JSX.Element | null => {
  const known = [list, people].find(isAnswer);
  if (known !== undefined) {
    const { answer } = known;
    const isListed = known === list && answer.total > 0;
    // Without a list the first row is one of the pushes, and what is counted is said below them.
    return (
      <ChangesInWords
        of={answer}
        change={change}
        more={isListed ? <PermissionsOf of={answer.counts} /> : null}
      />
    );
  }
  const [newest] = parts?.parts ?? [];
  if (parts !== null && newest !== undefined) {
    const more = <OfOtherParts of={parts} />;
    // If some of the time is not counted, the newest part would say too little of it.
    return parts.cutOff === null ? (
      <ChangesInWords of={newest.found.answer} more={more} />
    ) : (
      <PushesInWords of={days} time={time} isUnasked={false} more={more} />
    );
  }
  if (isBefore(list)) {
    return (
      <Answer>
        Nothing is known before <Time of={list.begins} />: the history begins then.
      </Answer>
    );
  }
  const isAnswered = list === null || typeof list === 'string';
  return isAnswered && days.length > 0 ? (
    <PushesInWords of={days} time={time} isUnasked={list === null} more={null} />
  ) : null;
};

const List = ({
  of,
  filtered,
  token,
  listAddress,
  uncounted,
  hasPushes,
  unknown,
  sourceName,
}: {
  readonly of: Listed;
  readonly filtered: Filtered;
  readonly token: string;
  readonly listAddress: string;
  /** How many pushes nobody has counted. */
  readonly uncounted: number;
  /** Whether the page lists pushes below. */
  readonly hasPushes: boolean;
  readonly unknown: readonly UnknownName[];
  /** The name of the data source to which the list is narrowed; its id if it has none. */
  readonly sourceName: string;
}): JSX.Element => {
  if (of === null) {
    return (
      <p>
        {uncounted === 0 ? '' : 'More may have changed than the bars show. '}
        <a href={listAddress}>List who gained and who lost what</a>, or choose a day or a push.
      </p>
    );
  }
  if (typeof of === 'string') {
    return (
      <div class="note warn" role="status">
        <p>{of}</p>
        <p>
          Name a person, a resource or an application above to see a part.
          {hasPushes ? (
            <>
              {' '}
              <a href="#by-push">Which pushes changed so much, and of which source</a>
            </>
          ) : null}
        </p>
      </div>
    );
  }
  const { since, until, push, principal, resource, application, dataSource, change } = filtered;
  const { contents } = filtered;
  const parameters = {
    since,
    until,
    push,
    principal,
    resource,
    contents,
    application,
    data_source: dataSource,
    change,
    list: 'true',
  };
  if ('field' in of) {
    return (
      <UnclearFilter
        of={of}
        addressWith={(value) => changesAddress({ ...parameters, [of.field]: value })}
      />
    );
  }
  if (isBefore(of)) {
    return (
      <p>
        <a href={changesAddress({ ...parameters, since: of.begins, until: '' })}>
          Who gained and who lost what since then
        </a>
      </p>
    );
  }
  const { answer, shown } = of;
  const isFirst = token === '';
  const by = { path: PATH, parameters, sort: '' };
  const principalAddress = (id: string): string => changesAddress({ ...parameters, principal: id });
  const filters = [
    { name: 'who', values: [principal] },
    { name: 'resource', values: [resource] },
    { name: 'application', values: [application] },
    { name: 'source', values: [sourceName] },
    { name: 'only', values: [change] },
  ];
  return (
    <>
      {answer.total === 0 && isNarrowed(filters) ? (
        <NothingMatches
          filters={filters}
          allAddress={changesAddress({ since, until, push, list: 'true' })}
          offer={{
            unknown,
            addressWith: (field, name) => changesAddress({ ...parameters, [field]: name }),
          }}
        />
      ) : null}
      {answer.total === 0 ? null : (
        <>
          <ChangeTable
            of={answer}
            person={principal === '' ? '' : 'true'}
            applicationAddress={(name) => changesAddress({ ...parameters, application: name })}
            principalAddress={principalAddress}
          />
          {principal === '' ? (
            <PageOfChanges of={answer} {...{ isFirst, by, principalAddress }} />
          ) : (
            <PageOf of={answer} {...{ isFirst, by }} />
          )}
        </>
      )}
      <AskedBy of={shown} />
    </>
  );
};

/** The data sources that the filter offers. */
const listedSources = (context: Context): TE.TaskEither<Failure, readonly SourceOfProvider[]> =>
  readSources(context, { most: SOURCES_OFFERED + 1, administers: false });

const sourceNameOf = (sources: readonly SourceOfProvider[], id: string): string => {
  const found = sources.find(({ source }) => source.id === id);
  return found === undefined ? id : nameOfSource(found);
};

/**
 * The resource or application whose page led here; `null` if the address names none by its key, or
 * more than that.
 */
const placeMeant = (
  context: Context,
  { principal, resource, application, dataSource, push, change }: Filtered,
  at: string,
): TE.TaskEither<Failure, EntityPage | null> => {
  const isOfMore = principal !== '' || push !== '' || change !== '';
  const id =
    resource === '' && application !== '' && dataSource !== ''
      ? applicationId(dataSource, application)
      : application === '' && dataSource === ''
        ? resource
        : '';
  return isOfMore || sourceOfKey(id) === ''
    ? TE.right(null)
    : pipe(
        askEntity(context, { id, at }),
        TE.map((entity) => (PLACES.includes(entity.label) ? entity : null)),
        TE.orElse((failure) => (failure._tag === 'NotFound' ? TE.right(null) : TE.left(failure))),
      );
};

/** Who gained and who lost what. */
export const changes = page({
  path: PATH,
  summary: 'Who gained and who lost what, by day, push, person and application.',
  link: { name: 'Changes', key: 'c' },
  readers: 'role',
  query: QUERY,
  show: ({ context, query, reader }) => {
    const push = trimmed(query.push);
    const asked: Filtered = {
      push,
      since: push === '' ? trimmed(query.since) : '',
      until: push === '' ? trimmed(query.until) : '',
      principal: trimmed(query.principal),
      resource: trimmed(query.resource),
      application: trimmed(query.application),
      dataSource: trimmed(query.data_source),
      change: trimmed(query.change),
      contents: trimmed(query.resource) !== '' && isTrue(query.contents) ? 'true' : '',
    };
    const token = trimmed(query.page);
    const isNarrow = [asked.principal, asked.resource, asked.application, asked.dataSource].some(
      (value) => value !== '',
    );
    const hasOverview = push === '' && !isNarrow;
    const isFiltered = Object.values(asked).some((value) => value !== '');
    return pipe(
      TE.Do,
      TE.bind('time', () => timeOf(context, asked, USUAL_DAYS, reader.zone)),
      TE.bind('ofPush', () =>
        push === ''
          ? TE.right<Failure, PushOfSource | null>(null)
          : pushNamed(context, push, 'push'),
      ),
      TE.let('filtered', ({ ofPush }): Filtered => ({
        ...asked,
        push: ofPush?.push.id ?? '',
      })),
      TE.bind('sources', () => listedSources(context)),
      TE.bind('overview', ({ time }) =>
        hasOverview
          ? sequenceT(TE.ApplyPar)(
              readChangesByDay(context, time, reader.zone),
              readChangingPushes(context, time, PUSHES_SHOWN),
            )
          : TE.right<Failure, [readonly DayOfChanges[], readonly PushOfSource[]]>([[], []]),
      ),
      TE.bind('list', ({ time, filtered, overview: [days] }) => {
        const isSmall = isCountedUpTo(LISTED_UNASKED, days);
        return isFiltered || isSmall || query.list || token !== ''
          ? orUnclear(
              context,
              filtered,
              orBeforeHistory(
                context,
                time,
                orTooLarge(askEverybodysChanges(context, filtered, time, token)),
              ),
            )
          : TE.right<Failure, Listed>(null);
      }),
      TE.bind('people', ({ time, filtered, overview: [days], list }) =>
        list === null && isCountedUpTo(COUNTED_UNASKED, days)
          ? orTooLarge(askEverybodysChanges(context, filtered, time, '', '1'), true)
          : TE.right<Failure, Listed>(null),
      ),
      TE.bind('parts', ({ time, filtered, list, people }) =>
        list === null && people === null
          ? askCountedParts(context, filtered, time, COUNTED_UNASKED)
          : TE.right<Failure, CountedParts | null>(null),
      ),
      // Nobody knows what was there before the history, so the page is then of what is there now.
      TE.let('until', ({ list }) => (isBefore(list) ? '' : asked.until)),
      TE.bind('about', ({ time, until }) =>
        placeMeant(context, asked, until === '' ? '' : time.to),
      ),
      TE.bind('unknown', ({ list }) =>
        isAnswer(list) && list.answer.total === 0
          ? unknownNames(context, { application: asked.application, dataSource: null })
          : TE.right([]),
      ),
      TE.map(
        ({
          time,
          filtered,
          ofPush,
          sources,
          overview: [days, pushes],
          list,
          people,
          parts,
          until,
          about,
          unknown,
        }): Shown => ({
          title: about === null ? 'Changes' : `${about.name}: gained and lost`,
          body: (
            <>
              {about === null ? (
                <h1>
                  Changes <span class="kind">who gained and who lost what</span>
                </h1>
              ) : (
                <EntityHead of={about} keeping={{ at: until }} />
              )}
              {ofPush === null ? null : <OfPush of={ofPush} />}
              <AnswerOf {...{ list, people, parts, days, time }} change={asked.change} />
              {about === null ? null : (
                <ResourceViews
                  of={about}
                  view="changes"
                  who={null}
                  contents={asked.contents !== '' || about.label === 'Application'}
                  keeping={{
                    at: until,
                    contents: about.label === 'Application' ? '' : asked.contents,
                  }}
                  time={{ since: isBefore(list) ? '' : asked.since, until }}
                />
              )}
              <Filters of={filtered} sources={sources} />
              {parts === null ? null : (
                <PartsOfTime of={parts} allAddress={changesAddress({ list: 'true' })} />
              )}
              {hasOverview ? <ByDay of={days} /> : null}
              <List
                of={list}
                {...{ filtered, token, unknown }}
                listAddress={changesAddress({ list: 'true' })}
                hasPushes={pushes.length > 0}
                sourceName={sourceNameOf(sources, filtered.dataSource)}
                uncounted={uncountedIn(days)}
              />
              {hasOverview ? <ByPush of={pushes} /> : null}
              {hasBars(days) && (isAnswer(list) || isAnswer(people)) ? (
                <p class="hint">
                  The numbers of people compare the beginning with the end. The bars count each
                  push, so what came and went again in between is only in them.
                </p>
              ) : null}
              {isAnswer(people) ? (
                <>
                  {people.answer.total === 0 ? null : (
                    <p class="hint">
                      <PermissionsOf of={people.answer.counts} />
                    </p>
                  )}
                  <AskedBy of={people.shown} />
                </>
              ) : null}
            </>
          ),
        }),
      ),
    );
  },
});
