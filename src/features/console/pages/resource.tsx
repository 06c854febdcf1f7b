import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ComponentChildren, JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type {
  PrincipalsWithAccess,
  ReviewerList,
} from '../../../contract/answers/questions/access';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Gateways, WithoutGateway } from '../../../questions/endpoints';
import {
  choice,
  choices,
  flagText,
  isTrue,
  oneText,
  texts,
  textsOf,
} from '../../../contract/parameters/query-parameters';
import { MARKS, PRIVILEGED } from '../../../model/access-narrowing';
import type { Failure } from '../../../problem';
import { type Answered } from '../asking/ask';
import { instantsIn, instantsNamed, timeOfChanges } from '../asking/moment';
import { askEntity } from '../asking/person';
import { orTooLarge } from '../asking/too-large';
import { askDifferences, type Differences } from '../asking/differences';
import { type UnknownName, unknownNames } from '../asking/unknown-names';
import { askGateways, askResourceReviewers, askWho, askWithout } from '../asking/resource';
import {
  address,
  changesAddress,
  CSV_ADDRESSES,
  type Parameters,
  resourceAddress,
} from '../frame/address';
import { momentOf } from '../frame/moment-bar';
import { page, type Shown } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import { readDepartments } from '../overview/overview';
import { Answer, Beside } from '../parts/answer';
import { AskedBy } from '../parts/asked';
import { EntityHead, OwnFacts, Sources } from '../parts/entity-head';
import { FileForPeople } from '../tables/file-for-people';
import { Entities, type FactRows, Facts, has } from '../parts/facts';
import { GatewayList, LossTable } from '../tables/gateway-list';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { markInWords, OF_PEOPLE } from '../words/marks';
import { type Chip, Chips, chipsOf, countIn } from '../tables/chips';
import {
  byAnyType,
  byMarks,
  byTypes,
  CountOf,
  COUNTS_ALL,
  type Filters,
  isNarrowed,
  Narrowing,
  OnlyWhere,
} from '../tables/narrowing';
import { PeopleTable } from '../tables/people-table';
import { ThenAndNow } from '../tables/since-then';
import { SomeTable } from '../tables/some-table';
import { type ReviewedApplication, reviewedApplication } from '../../reviews/reading/contract';
import { ReviewOfApplication } from '../reviews/reviewed';
import { Reviewers } from '../parts/reviewers';
import { PageOf, type Sorting } from '../tables/sorting';
import { Since } from '../parts/time';
import { orGone } from './gone';
import { placeOf, ResourceViews, VIEWS } from './resource/views';

const QUERY = struct(
  'the query of a resource',
  {},
  {
    at: oneText,
    against: oneText,
    without: oneText,
    permission: oneText,
    permission_type: texts,
    contents: flagText,
    sort: oneText,
    page: oneText,
    mark: choices('marks', MARKS),
    view: choice('view', VIEWS),
  },
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const factsOf = (
  entity: EntityPage,
  reviewers: ReviewerList,
  reviewed: ReviewedApplication | null,
  keeping: Parameters,
): FactRows => {
  const { properties, owners, resource_managers, totals } = entity;
  const path = textOf(properties.path);
  return [
    ['Path', path !== '' && path !== entity.name && <Name isPath>{path}</Name>],
    [
      'Owners',
      has(owners) && (
        <Entities of={owners.map(({ about }) => about)} total={totals.owners} keeping={keeping} />
      ),
    ],
    [
      'Managers',
      has(resource_managers) && (
        <Entities
          of={resource_managers.map(({ about }) => about)}
          total={totals.resource_managers}
          keeping={keeping}
        />
      ),
    ],
    ['Reviewers', has(reviewers.values) && <Reviewers of={reviewers} keeping={keeping} />],
    ['Reviewed', reviewed !== null && <ReviewOfApplication of={reviewed} />],
    ['Source', has(entity.sources) && <Sources of={entity} />],
    ['Since', <Since key="since" of={entity.freshness.since} push={entity.freshness.since_push} />],
  ];
};

const GatewaySection = ({
  of,
  path,
  keeping,
  narrowed,
}: {
  readonly of: Answered<Gateways> | string;
  readonly path: string;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
}): JSX.Element | null => {
  if (typeof of === 'string') return <p class="note">{of}</p>;
  if (of.answer.people === 0) return null;
  return (
    <section aria-labelledby="gateways">
      <h2 id="gateways">Through which groups</h2>
      <GatewayList of={of.answer} {...{ path, keeping, narrowed }} />
      <AskedBy of={of.shown} />
    </section>
  );
};

/** Says which filter a count of groups has, and leads to the count without it. */
const OnlyTheseCount = ({
  filters,
  allAddress,
}: {
  readonly filters: Filters;
  readonly allAddress: string;
}): JSX.Element | null =>
  isNarrowed(filters) ? (
    <p class="note">
      <OnlyWhere filters={filters} /> <a href={allAddress}>Count any permission</a>
    </p>
  ) : null;

const LossSection = ({
  of,
  filters,
  backAddress,
  keeping,
  page,
  by,
  file,
}: {
  readonly of: Answered<WithoutGateway>;
  /** What the file of the losses is asked for. */
  readonly file: Parameters;
  readonly filters: Filters;
  readonly backAddress: string;
  readonly keeping: Parameters;
  readonly page: string;
  readonly by: Sorting;
}): JSX.Element => (
  <section aria-labelledby="losses">
    <h2 id="losses">Who would lose access</h2>
    <LossTable
      of={of.answer}
      {...{ filters, keeping, backAddress, by }}
      after={/^\d{1,6}$/.test(page) ? Number(page) : 0}
    />
    {of.answer.values.length === 0 ? null : (
      <FileForPeople path={CSV_ADDRESSES.losses} parameters={file} />
    )}
    <AskedBy of={of.shown} />
  </section>
);

/** How many people, and how many others, a list has. */
const peopleAndOthers = ({ total, people = 0 }: PrincipalsWithAccess): string =>
  `${counted(people, 'person', 'people')}${total === people ? '' : ` and ${counted(total - people, 'other')}`}`;

/** How many can reach something, in one sentence. Together they are the rows. */
const WhoInWords = ({
  of: { total, people = 0 },
  chips,
  contents,
}: {
  readonly of: PrincipalsWithAccess;
  readonly chips: readonly Chip[];
  readonly contents: boolean;
}): JSX.Element => {
  const what = contents ? 'it or something in it' : 'it';
  if (total === 0) return <>Nobody can reach {what}.</>;
  const others = total - people;
  const writing = countIn(chips, { type: 'DataWrite' });
  const privileged = countIn(chips, { type: PRIVILEGED });
  return (
    <>
      <b>{counted(people, 'person', 'people')}</b>
      {others === 0 ? null : (
        <>
          {' and '}
          <b>{counted(others, 'other')}</b>
        </>
      )}{' '}
      can reach {what}. Of these, <b>{numberOf(writing)}</b> can write{' '}
      {contents ? 'there' : 'to it'}, and <b>{numberOf(privileged)}</b>{' '}
      {privileged === 1 ? 'is' : 'are'} privileged.
    </>
  );
};

const numberOf = (count: number): string => (count === 0 ? 'none' : count.toLocaleString('en'));

/** What else a reader must know of the people. */
const moreOf = (chips: readonly Chip[], total: number): readonly string[] =>
  (
    [
      ['without_user', 'known only by an account or identity that no directory names'],
      ['inactive', markInWords('inactive')],
      ['new', markInWords('new')],
    ] as const
  ).flatMap(([mark, words]) => {
    const count = countIn(chips, { mark });
    // Of a new graph everybody is new.
    return count === 0 || (mark === 'new' && count === total)
      ? []
      : [`${count.toLocaleString('en')} ${words}`];
  });

/** What is directly in an application or a resource. */
const ContentsSection = ({
  of: { contains, label },
  keeping,
}: {
  readonly of: EntityPage;
  readonly keeping: Parameters;
}): JSX.Element => (
  <SomeTable
    of={contains}
    id="contents"
    title="What is in it"
    kind="type"
    keeping={keeping}
    words={`${counted(contains.total, 'resource')} ${contains.total === 1 ? 'is' : 'are'} directly in this ${label === 'Application' ? 'application' : 'resource'}. Each may contain others.`}
  />
);

/** Says whether what is in a resource counts, and leads to the other count. */
const WhatCounts = ({
  of: { label, contains },
  contents,
  otherAddress,
}: {
  readonly of: EntityPage;
  readonly contents: boolean;
  readonly otherAddress: string;
}): JSX.Element | null => {
  if (contains.total === 0 && !contents) return null;
  const what = label === 'Application' ? 'application' : 'resource';
  return (
    <p class="note">
      {contents
        ? `Who reaches the ${what} itself or anything in it counts here.`
        : `Who reaches the ${what} itself counts here, and not who reaches only what is in it.`}{' '}
      <a href={otherAddress}>
        {contents ? `Count only who reaches the ${what} itself` : 'Count what is in it too'}
      </a>
    </p>
  );
};

/** How many rows each chip leaves, if the answer says it. */
const countsIn = (
  who: Answered<PrincipalsWithAccess> | string,
): PrincipalsWithAccess['counts'] | undefined =>
  typeof who === 'string' ? undefined : (who.answer.counts ?? undefined);

/** The table of who can reach something. */
const WhoSection = ({
  of: { answer, shown },
  entity,
  contents,
  departments,
  filters,
  keeping,
  narrowed,
  by,
  isFirst,
  allAddress,
  unknown,
  areAllNew,
  differences,
}: {
  readonly of: Answered<PrincipalsWithAccess>;
  /** How the rows differ from the instant with which the page compares. */
  readonly differences: Differences | null;
  readonly entity: EntityPage;
  readonly contents: boolean;
  readonly areAllNew: boolean;
  readonly departments: ReadonlyMap<string, string>;
  readonly filters: Filters;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
  readonly by: Sorting;
  readonly isFirst: boolean;
  readonly allAddress: string;
  readonly unknown: readonly UnknownName[];
}): JSX.Element => (
  <>
    {isNarrowed(filters) ? (
      <CountOf
        {...{ filters, total: answer.total ?? 0, allAddress }}
        offer={{
          unknown,
          addressWith: (field, name) => address(by.path, { ...by.parameters, [field]: name }),
        }}
      >
        {peopleAndOthers(answer)}.
      </CountOf>
    ) : null}
    {answer.total === 0 ? null : (
      <ThenAndNow
        of={differences}
        rows={answer.values.map(({ id }) => id)}
        changesHref={(time) => changesAddress({ ...placeOf(entity, contents), ...time })}
      >
        <PeopleTable
          of={answer}
          resource={entity.id}
          within={contents ? answer.resource.application : null}
          {...{ departments, keeping, narrowed, by }}
          areAllNew={areAllNew}
        />
        <PageOf of={answer} {...{ isFirst, by }} />
      </ThenAndNow>
    )}
    <AskedBy of={shown} />
  </>
);

/** Who can reach a resource or an application, people first, and through which groups. */
export const resource = page({
  path: '/console/resources/:id',
  summary:
    'Who can reach a resource or application, now or at an instant, and through which groups.',
  readers: 'role',
  query: QUERY,
  show: ({ context, id, query, reader }) => {
    const path = resourceAddress(id);
    const written = instantsIn(query);
    const keeping = written;
    const without = query.without ?? '';
    const permission = trimmed(query.permission);
    const chosen = { types: textsOf(query.permission_type), marks: textsOf(query.mark) };
    const { types, marks } = chosen;
    const view = without === '' ? (query.view ?? 'who') : 'through';
    const narrowed = { permission, permission_type: types };
    const byPermission = { name: 'permission', values: [permission] };
    const filters = [byPermission, byTypes(types), byMarks(marks)];
    // The views of groups count who has any of the types.
    const filtersOfAny = [byPermission, byAnyType(types)];
    const sort = query.sort || 'name';
    const token = query.page ?? '';
    const kept = { sort: sort === 'name' ? '' : sort, contents: query.contents ?? '' };
    const asked = { ...kept, without, ...narrowed, mark: marks, view: view === 'who' ? '' : view };
    const by = { path, parameters: { ...asked, ...written }, sort };
    return pipe(
      TE.Do,
      TE.bind('instants', () => instantsNamed(context, written, reader.zone)),
      TE.let('instant', ({ instants }) => instants.at),
      TE.bind('facts', ({ instant }) =>
        sequenceT(TE.ApplyPar)(
          askEntity(context, { id, at: instant }),
          askResourceReviewers(context, { id, at: instant }),
        ),
      ),
      // Reviews say something about now only.
      TE.bind('reviewed', ({ instant, facts: [{ label }] }) =>
        label === 'Application' && instant === ''
          ? reviewedApplication(context, id)
          : TE.right<Failure, ReviewedApplication | null>(null),
      ),
      TE.flatMap(({ instants, facts, reviewed }): TE.TaskEither<Failure, Shown> => {
        const [entity, reviewers] = facts;
        const instant = instants.at;
        const moment = momentOf(written, instants, { path, parameters: asked });
        const isApplication = entity.label === 'Application';
        // A reader who asks about an application means what is in it.
        const contents = query.contents ? isTrue(query.contents) : isApplication;
        const about = { id, at: instant, contents };
        const all = { types: [], permission: '', marks: [], sort: 'name', page: '' };
        return pipe(
          orTooLarge(askWho(context, about, all, { pageSize: '1', hasCounts: true }), contents),
          TE.flatMap((everybody) => {
            const chips =
              typeof everybody === 'string'
                ? []
                : chipsOf(OF_PEOPLE, everybody.answer.counts ?? {});
            const total = typeof everybody === 'string' ? 0 : (everybody.answer.total ?? 0);
            const countsAll =
              typeof everybody !== 'string' && view !== 'inside' && isNarrowed(filters)
                ? [COUNTS_ALL]
                : [];
            const shownWith = (title: string, content: ComponentChildren): Shown => ({
              title,
              moment,
              body: (
                <>
                  <EntityHead of={entity} keeping={keeping} />
                  <Answer more={[...moreOf(chips, total), ...countsAll].join(' · ')}>
                    {typeof everybody === 'string' ? (
                      everybody
                    ) : (
                      <WhoInWords of={everybody.answer} {...{ chips, contents }} />
                    )}
                  </Answer>
                  <ResourceViews
                    of={entity}
                    {...{ view, contents }}
                    who={typeof everybody === 'string' ? null : total}
                    keeping={{ ...keeping, ...narrowed, contents: kept.contents }}
                    time={timeOfChanges(written, instants)}
                  />
                  <Beside
                    aside={
                      <>
                        <WhatCounts
                          of={entity}
                          contents={contents}
                          otherAddress={address(path, {
                            ...by.parameters,
                            contents: String(!contents),
                          })}
                        />
                        <Facts of={factsOf(entity, reviewers, reviewed, keeping)} />
                        <OwnFacts of={entity} />
                      </>
                    }
                  >
                    {content}
                  </Beside>
                </>
              ),
            });
            const narrowing = (
              <Narrowing
                {...{ path, types, permission }}
                kept={{ ...kept, ...keeping, without, mark: marks, view: asked.view }}
                application={null}
              />
            );
            if (without !== '') {
              return pipe(
                askWithout(context, about, { types, permission }, without),
                TE.map((losses) =>
                  shownWith(
                    `${entity.name} without a group`,
                    <>
                      {narrowing}
                      <LossSection
                        of={losses}
                        {...{ filters: filtersOfAny, keeping, by }}
                        page={token}
                        file={{
                          without,
                          resource: id,
                          ...narrowed,
                          at: instant,
                          contents: contents ? 'true' : '',
                        }}
                        backAddress={address(path, {
                          ...keeping,
                          ...kept,
                          ...narrowed,
                          view: 'through',
                        })}
                      />
                    </>,
                  ),
                ),
              );
            }
            if (view === 'inside') {
              return TE.right(
                shownWith(
                  `${entity.name}: what is in it`,
                  <ContentsSection of={entity} keeping={keeping} />,
                ),
              );
            }
            if (view === 'through') {
              return pipe(
                orTooLarge(askGateways(context, about, { types, permission }), contents),
                TE.map((narrowedGateways) =>
                  shownWith(
                    `${entity.name}: through which groups`,
                    <>
                      <OnlyTheseCount
                        filters={filtersOfAny}
                        allAddress={address(path, { ...keeping, ...kept, view })}
                      />
                      {narrowing}
                      <GatewaySection
                        of={narrowedGateways}
                        {...{ path, keeping }}
                        narrowed={{ ...kept, ...narrowed }}
                      />
                    </>,
                  ),
                ),
              );
            }
            return pipe(
              orTooLarge(
                askWho(
                  context,
                  about,
                  { types, permission, marks, sort, page: token },
                  { hasCounts: isNarrowed(filters) },
                ),
                contents,
              ),
              TE.bindTo('who'),
              TE.bind('differences', () =>
                askDifferences(context, instants, {
                  asked: placeOf(entity, contents),
                  rowsAre: 'principal',
                  isOfContents: contents,
                }),
              ),
              TE.bind('unknown', ({ who }) =>
                typeof who === 'string' || who.answer.total !== 0 || instant !== ''
                  ? TE.right([])
                  : unknownNames(context, { permission, dataSource: entity.data_source }),
              ),
              TE.bind('departments', ({ who }) =>
                typeof who === 'string'
                  ? TE.right(new Map<string, string>())
                  : readDepartments(
                      context,
                      who.answer.values.map((row) => row.id),
                    ),
              ),
              TE.map(({ who, unknown, departments, differences }) =>
                shownWith(
                  entity.name,
                  <>
                    <Chips
                      of={isNarrowed(filters) ? chipsOf(OF_PEOPLE, countsIn(who)) : chips}
                      total={countsIn(who)?.all ?? total}
                      chosen={chosen}
                      addressOf={(next) =>
                        address(path, {
                          ...keeping,
                          ...kept,
                          permission,
                          permission_type: next.types,
                          mark: next.marks,
                        })
                      }
                    />
                    {typeof who === 'string' ? (
                      <p class="note warn" role="status">
                        {who} Choose a permission
                        {contents ? ', or count only the resource itself' : ''}.
                      </p>
                    ) : (
                      <WhoSection
                        of={who}
                        {...{ entity, contents, departments, filters, keeping, narrowed, by }}
                        {...{ unknown, differences }}
                        areAllNew={total > 0 && countIn(chips, { mark: 'new' }) === total}
                        isFirst={token === ''}
                        allAddress={address(path, { ...keeping, ...kept })}
                      />
                    )}
                    {narrowing}
                  </>,
                ),
              ),
            );
          }),
        );
      }),
      orGone(context, id, written.at),
    );
  },
});
