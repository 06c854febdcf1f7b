import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { ReachedResources, ReviewerList } from '../../../../contract/answers/questions/access';
import type { EntityPage } from '../../../../contract/answers/questions/entities';
import type { Context } from '../../../../context';
import { PRIVILEGED } from '../../../../model/access-narrowing';
import type { Failure } from '../../../../problem';
import {
  type About,
  askAccess,
  askEntity,
  askReviewers,
  countAccess,
  type Narrowed,
  USUAL_ORDER,
} from '../../asking/person';
import { askDifferences } from '../../asking/differences';
import { unknownNames } from '../../asking/unknown-names';
import { address, CSV_ADDRESSES, type Parameters, PATHS } from '../../frame/address';
import { momentOf } from '../../frame/moment-bar';
import type { Instants, Reader, Shown } from '../../frame/page';
import { AccessTable } from '../../tables/access-table';
import { AskedBy } from '../../parts/asked';
import { EntityHead, OwnFacts, Sources } from '../../parts/entity-head';
import { FileForPeople } from '../../tables/file-for-people';
import { Entities, type FactRows, Facts, has } from '../../parts/facts';
import { counted } from '../../parts/counted';
import { Answer, Beside } from '../../parts/answer';
import { Entity, From, Name } from '../../parts/name';
import { kindOf } from '../../frame/kinds';
import { markOfRow, OF_RESOURCES } from '../../words/marks';
import { WayLine } from '../../words/way';
import { onlyProvider, toldSteps } from '../../words/ways';
import { type Chip, Chips, chipsOf, countIn } from '../../tables/chips';
import {
  byMarks,
  byTypes,
  CountOf,
  COUNTS_ALL,
  isNarrowed,
  Narrowing,
} from '../../tables/narrowing';
import { Reviewers } from '../../parts/reviewers';
import { ThenAndNow } from '../../tables/since-then';
import { PageOf } from '../../tables/sorting';
import { SomeTable } from '../../tables/some-table';
import { Table } from '../../tables/table';
import { Ago, Since } from '../../parts/time';
import { membersOf, type PersonPlace, Views } from './place';

/** Whose access the table has, if it is not only that of the node itself. */
const Whose = ({
  id,
  of,
  keeping,
  aloneAddress,
}: {
  readonly id: string;
  readonly of: ReachedResources;
  readonly keeping: Parameters;
  readonly aloneAddress: string;
}): JSX.Element | null => {
  if (of.accounts === undefined || of.accounts.length === 0) return null;
  return (
    <p class="note">
      {of.principal.id === id ? (
        'The table has the access of this one and of all accounts that belong to it.'
      ) : (
        <>
          This belongs to <Entity of={of.principal} keeping={keeping} />. The table has the access
          of all accounts that belong to that one.
        </>
      )}{' '}
      <a href={aloneAddress}>Show only what this one gains</a>
    </p>
  );
};

const factsOf = (
  entity: EntityPage,
  { accounts = [] }: ReachedResources,
  reviewers: ReviewerList,
  keeping: Parameters,
): FactRows => {
  const named = (list: 'memberships' | 'managers' | 'owners') =>
    has(entity[list]) && (
      <Entities
        of={entity[list].map(({ about }) => about)}
        total={entity.totals[list]}
        keeping={keeping}
      />
    );
  return [
    ['Accounts', has(accounts) && <Entities of={accounts} keeping={keeping} />],
    ['Groups', named('memberships')],
    ['Manager', named('managers')],
    ['Owners', named('owners')],
    ['Reviewers', has(reviewers.values) && <Reviewers of={reviewers} keeping={keeping} />],
    ['Source', has(entity.sources) && <Sources of={entity} />],
    ['Since', <Since key="since" of={entity.freshness.since} push={entity.freshness.since_push} />],
  ];
};

/** The saved query of all members of a group, nested ones too. */
const ALL_MEMBERS = 'groups/members-of-a-group';

/** Who is in a group in any way, people first, and through what. */
const Everybody = ({
  of: { id, everybody, sources },
  at,
  keeping,
}: {
  readonly of: EntityPage;
  /** The instant of the page; empty: now. */
  readonly at: string;
  readonly keeping: Parameters;
}): JSX.Element | null => {
  if (everybody == null || everybody.total === 0) return null;
  const { total, values } = everybody;
  const provider = onlyProvider(sources);
  return (
    <section aria-labelledby="everybody">
      <h2 id="everybody">Who is in it</h2>
      {values.length === total ? null : (
        <p>
          {values.length} of {total}, people first, by name.{' '}
          <a href={address(PATHS.ask, { query: ALL_MEMBERS, group: id, run: 'true' })}>
            Everybody who is in it now, in any way
          </a>
        </p>
      )}
      <Table caption="Who is in it; people first" columns={['Who', 'Through', 'Since']}>
        {values.map(({ about, person, way, more_steps: more }) => (
          <tr key={about.id}>
            <th scope="row">
              <Entity of={about} keeping={keeping} isPlain />
              {person ? null : (
                <>
                  {' '}
                  <span class="tag">{markOfRow('not_people')}</span>
                </>
              )}
              <div class="under">
                {kindOf(about.label)}
                <From of={about} />
              </div>
            </th>
            <td data-name="Through">
              {toldSteps(way).length === 0 && more === 0 ? (
                'directly'
              ) : (
                <WayLine
                  of={way}
                  moreSteps={more}
                  provider={provider}
                  keeping={keeping}
                  whyAddress={null}
                />
              )}
            </td>
            <td data-name="Since" class="quiet">
              <Ago of={way.since} />
            </td>
          </tr>
        ))}
      </Table>
      <FileForPeople path={CSV_ADDRESSES.members} parameters={{ of: id, at }} />
    </section>
  );
};

/** Who is directly in a group, or has a role; and whether others are through these. */
const Members = ({
  of: { id, members, label },
  at,
  keeping,
}: {
  readonly of: EntityPage;
  /** The instant of the page; empty: now. */
  readonly at: string;
  readonly keeping: Parameters;
}): JSX.Element | null => {
  if (members.total === 0) return null;
  const { total, groups } = members;
  const isGroup = label.endsWith('Group');
  const direct = label.endsWith('Role')
    ? `${counted(total, 'member')} ${total === 1 ? 'has' : 'have'} this role directly`
    : `${counted(total, 'member')} ${total === 1 ? 'is' : 'are'} directly in it`;
  return (
    <>
      <SomeTable
        of={members}
        id="members"
        title={isGroup ? 'Directly in it' : 'Members'}
        kind="kind"
        keeping={keeping}
        words={
          <>
            {groups === 0
              ? `${direct}.`
              : `${direct}. ${counted(groups, 'of them is a group, app or role', 'of them are groups, apps or roles')}, whose own members gain it too and are not counted here.`}
          </>
        }
      />
      <FileForPeople
        path={CSV_ADDRESSES.members}
        parameters={{ of: id, directly: isGroup ? 'true' : '', at }}
      />
    </>
  );
};

/** What somebody, a group or a role reaches, in one sentence. */
const ReachInWords = ({
  entity: { name, label, members, everybody },
  total,
  chips,
}: {
  readonly entity: EntityPage;
  readonly total: number;
  readonly chips: readonly Chip[];
}): JSX.Element => {
  const writing = countIn(chips, { type: 'DataWrite' });
  const privileged = countIn(chips, { type: PRIVILEGED });
  const others = everybody == null ? 0 : everybody.total - everybody.people;
  const hasMembers = members.total > 0 || (everybody?.total ?? 0) > 0;
  const group =
    everybody != null && hasMembers ? (
      <>
        <b>{counted(everybody.people, 'person', 'people')}</b>
        {others === 0 ? null : (
          <>
            {' and '}
            <b>{counted(others, 'other')}</b>
          </>
        )}{' '}
        {everybody.total === 1 ? 'is' : 'are'} in it.{' '}
      </>
    ) : members.total === 0 ? null : (
      <>
        <b>{counted(members.total, 'member')}</b>{' '}
        {label.endsWith('Role')
          ? `${members.total === 1 ? 'has' : 'have'} it directly`
          : `${members.total === 1 ? 'is' : 'are'} directly in it`}
        .{' '}
      </>
    );
  if (total === 0) {
    return (
      <>
        {group}
        {label === 'LocalRole'
          ? 'A role by itself reaches nothing: each who has it reaches what it was given on.'
          : `Nothing can be reached${hasMembers ? ' through it' : ''}.`}
      </>
    );
  }
  return (
    <>
      {group}
      {hasMembers ? 'Who is in it' : <Name>{name}</Name>} can reach{' '}
      <b>{counted(total, 'resource or application', 'resources and applications')}</b>
      {writing === 0 ? null : (
        <>
          {privileged === 0 ? ' and write to ' : ', write to '}
          <b>{writing.toLocaleString('en')}</b>
        </>
      )}
      {privileged === 0 ? null : (
        <>
          {writing === 0 ? ' and is' : ', and is'} privileged on{' '}
          <b>{privileged.toLocaleString('en')}</b>
        </>
      )}
      .
    </>
  );
};

/** What somebody can reach, now or at an instant. */
export const showAccess = (
  context: Context,
  about: About,
  instants: Instants,
  place: PersonPlace,
  narrowed: Narrowed,
  { seesAll }: Pick<Reader, 'seesAll'>,
  ofMembers: boolean,
): TE.TaskEither<Failure, Shown> => {
  const { path, only } = place;
  const written: Instants = { at: place.written, against: place.against };
  const { application, types, permission, marks, sort, page } = narrowed;
  const kept = { only, sort: sort === USUAL_ORDER ? '' : sort };
  const parameters = { ...kept, application, permission_type: types, permission, mark: marks };
  const keeping = written;
  const filters = [
    { name: 'application', values: [application] },
    { name: 'permission', values: [permission] },
    byTypes(types),
    byMarks(marks),
  ];

  return pipe(
    sequenceT(TE.ApplyPar)(
      askEntity(context, about, seesAll),
      askAccess(context, about, narrowed, isNarrowed(filters)),
      askReviewers(context, about),
      countAccess(context, about),
    ),
    TE.bindTo('answers'),
    TE.bind('differences', () =>
      askDifferences(context, instants, {
        asked: { principal: about.id, person: about.isHuman ? 'true' : '' },
        rowsAre: 'resource',
        isOfContents: false,
      }),
    ),
    TE.bind('unknown', ({ answers: [, { answer }] }) =>
      answer.total > 0 || about.at !== '' || !seesAll
        ? TE.right([])
        : unknownNames(context, { application, permission, dataSource: null }),
    ),
    TE.map(
      ({
        answers: [entity, { answer, shown }, reviewers, counts],
        unknown,
        differences,
      }): Shown => {
        const chips = chipsOf(OF_RESOURCES, counts);
        const total = counts.all ?? 0;
        const by = { path, parameters: { ...parameters, ...written }, sort };
        const isHuman = answer.accounts !== undefined;
        const members = membersOf(entity);
        const isGateway = members > 0;
        // Of a role without access of its own the members are the answer.
        const isMembers = ofMembers || (total === 0 && !isNarrowed(filters));
        const view = isMembers && isGateway ? 'members' : 'access';
        const table = (
          <>
            <Chips
              of={chipsOf(OF_RESOURCES, answer.counts ?? counts)}
              total={(answer.counts ?? counts).all ?? total}
              within={application}
              chosen={{ types, marks }}
              addressOf={(next) =>
                address(path, {
                  ...keeping,
                  ...kept,
                  application,
                  permission,
                  permission_type: next.types,
                  mark: next.marks,
                })
              }
            />
            {isNarrowed(filters) ? (
              <CountOf
                {...{ filters, total: answer.total }}
                allAddress={address(path, { ...keeping, ...kept })}
                offer={{
                  unknown,
                  addressWith: (field, name) => address(path, { ...by.parameters, [field]: name }),
                }}
              >
                {counted(answer.total, 'row')}.
              </CountOf>
            ) : null}
            {answer.total === 0 ? null : (
              <ThenAndNow
                of={differences}
                rows={answer.values.map(({ id }) => id)}
                changesHref={(time) => address(path, { view: 'changes', only, ...time })}
              >
                <AccessTable
                  of={answer}
                  principal={about.id}
                  isGateway={isGateway}
                  keeping={{
                    ...keeping,
                    person: isHuman ? 'true' : '',
                    permission,
                    permission_type: types,
                  }}
                  by={by}
                />
                <PageOf of={answer} isFirst={page === ''} by={by} />
              </ThenAndNow>
            )}
            <AskedBy of={shown} />
            <Narrowing
              {...{ path, application, types, permission }}
              kept={{ ...kept, ...written, mark: marks }}
            />
          </>
        );
        return {
          title: entity.name,
          moment: momentOf(written, instants, {
            path,
            parameters: { ...parameters, view: view === 'access' ? '' : view },
          }),
          body: (
            <>
              <EntityHead of={entity} />
              <Answer more={view === 'access' && isNarrowed(filters) ? COUNTS_ALL : null}>
                <ReachInWords {...{ entity, total, chips }} />
              </Answer>
              <Views of={entity} {...{ view, place, seesAll }} reached={total} />
              <Beside
                aside={
                  <>
                    <Whose
                      id={about.id}
                      of={answer}
                      keeping={keeping}
                      aloneAddress={address(path, { ...by.parameters, only: 'true' })}
                    />
                    {only === '' ? null : (
                      <p class="note">
                        Only what this one gains.{' '}
                        <a href={address(path, keeping)}>Show the human</a>
                      </p>
                    )}
                    <Facts of={factsOf(entity, answer, reviewers, keeping)} />
                    <OwnFacts of={entity} />
                  </>
                }
              >
                {view === 'members' ? (
                  <>
                    <Everybody of={entity} at={about.at} keeping={keeping} />
                    <Members of={entity} at={about.at} keeping={keeping} />
                  </>
                ) : (
                  table
                )}
              </Beside>
            </>
          ),
        };
      },
    ),
  );
};
